import { signal } from '@preact/signals';

const STORED_AS = 'jyutsing.announces';

/** Browsers offer notifications only to pages of https or of this machine. */
export const canAnnounce = typeof Notification !== 'undefined' && isSecureContext;

/** Tells whether the user wants to hear of finished work while another page is in front. */
export const isAnnouncing = signal(
  canAnnounce && Notification.permission === 'granted' && localStorage.getItem(STORED_AS) === 'yes',
);

/** Asks the browser for permission; without it the choice stays off. */
export async function chooseAnnouncing(isWanted: boolean): Promise<void> {
  const isGranted = isWanted && (await Notification.requestPermission()) === 'granted';
  localStorage.setItem(STORED_AS, isGranted ? 'yes' : 'no');
  isAnnouncing.value = isGranted;
}

/** Shows a sentence outside of the page, if that is wanted and the page is not in view. */
export function announce(sentence: string, onClick: () => void): void {
  if (!isAnnouncing.value || document.visibilityState === 'visible') return;
  const notification = new Notification(sentence);
  notification.addEventListener('click', () => {
    focus();
    notification.close();
    onClick();
  });
}
