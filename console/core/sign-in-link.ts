import { signal } from '@preact/signals';
import { AuthenticationError } from '@jyutsing/client';
import { decodeText } from './decode-text.ts';
import { describeFailure } from './failures.ts';
import { notify } from './notices.ts';
import { addressOf, route } from './router.ts';
import { askFor, currentKey, currentSession, startSession, type Session } from './session.ts';
import { text } from './text.ts';

/** The session of a sign-in link that was opened while another one is signed in. */
export const linkedSession = signal<Session | null>(null);

/**
 * Takes the key of a sign-in link (`#key=…`) out of the address, so that it is in no bookmark, and
 * signs in with it. Another session goes on until the user answers what shall happen.
 */
export function takeKeyFromAddress(): void {
  const linked = /^#key=([^&]*)/.exec(location.hash)?.[1];
  if (linked === undefined) return;
  const isIn = currentSession() !== null;
  const { screen, id } = route.value;
  history.replaceState(null, '', `${location.pathname}${isIn ? addressOf(screen, id) : '#/'}`);
  const linkedKey = decodeText(linked)?.trim() ?? '';
  if (linkedKey === '') notify(text().signIn.badLink, 'bad');
  else if (!isIn) startSession({ key: linkedKey, scopes: null, account: null });
  else if (linkedKey !== currentKey()) void askWhoseItIs(linkedKey);
}

async function askWhoseItIs(linkedKey: string): Promise<void> {
  try {
    linkedSession.value = await askFor(linkedKey);
  } catch (failure) {
    // The present session goes on, whatever is wrong with the key of the link.
    notify(failure instanceof AuthenticationError ? text().signIn.refusedLink : describeFailure(failure), 'bad');
  }
}
