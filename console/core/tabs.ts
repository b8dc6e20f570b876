import { dropAllDrafts } from './drafts.ts';
import { currentSession, isSignedIn, signOut, startSession, type Session } from './session.ts';

/** The tabs of this browser talk about their session; no other site hears them. */
type Message = { kind: 'asked' } | { kind: 'session'; session: Session } | { kind: 'ended' };

const channel = new BroadcastChannel('jyutsing');
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has no target.
const tell = (message: Message) => channel.postMessage(message);

/** Signs a new tab in while another one is signed in, and signs all out together. */
export function joinTabs(): void {
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const session = currentSession();
    if (data.kind === 'asked' && session !== null) tell({ kind: 'session', session });
    if (data.kind === 'session' && session === null && isAsking) {
      isAsking = false;
      startSession(data.session);
    }
    if (data.kind === 'ended' && session !== null) {
      const isDropped = dropAllDrafts({ seals: false });
      // At once: the tab that has ended the session asks for one as soon as it is loaded again.
      signOut();
      void isDropped.then(() => location.reload());
    }
  });
  if (isSignedIn.value) return;
  tell({ kind: 'asked' });
  setTimeout(() => (isAsking = false), ANSWERED_WITHIN_MS);
}

/** A tab takes a session only just after it was opened, not when another signs in later. */
const ANSWERED_WITHIN_MS = 2_000;
let isAsking = true;

export function endOtherTabs(): void {
  tell({ kind: 'ended' });
}
