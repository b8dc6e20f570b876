import { dropAllDrafts } from './drafts.ts';
import { signOut } from './session.ts';
import { endOtherTabs } from './tabs.ts';

/**
 * Ends the session on this computer: in every tab, and with the drafts of the account. The page is
 * loaded again, because its memory holds what the account has typed and heard.
 */
export async function endSession(): Promise<void> {
  await dropAllDrafts({ seals: true });
  signOut();
  endOtherTabs();
  history.replaceState(null, '', `${location.pathname}#/`);
  location.reload();
}
