import { computed, signal } from '@preact/signals';
import { AuthenticationError, Jyutsing, platformFetch, type Fetch, type Scope } from '@jyutsing/client';

const STORED_AS = 'jyutsing.session';

/** The service is one level above the page, also behind a proxy that adds a path. */
export const SERVICE_URL = new URL('..', document.baseURI).href.replace(/\/$/, '');

export type SessionAccount = { id: string; name: string };
/** The scopes and the account of a key never change; both are null until the service was asked. */
export type Session = { key: string; scopes: readonly Scope[] | null; account: SessionAccount | null };

/** The session of this tab; null while the user is not signed in. */
const session = signal<Session | null>(storedSession());

/** Tells whether this computer keeps the session when the browser is closed. */
export const isRemembered = signal(session.peek() !== null && sessionStorage.getItem(STORED_AS) === null);
export const isSignedIn = computed(() => session.value !== null);
/** The account of the key; null until the service has said which one it is. */
export const account = computed(() => session.value?.account ?? null);
const key = computed(() => session.value?.key ?? null);
const scopes = computed(() => session.value?.scopes ?? null);

/** Tells whether the key may administer the service; false until the service has said so. */
export const isOwner = computed(() => scopes.value?.includes('admin') ?? false);

/** The account whose data the memory of this page may hold. */
let shownAccountId = account.peek()?.id ?? null;

/**
 * Tells whether to offer something that needs a scope, or null if it needs none. Everything is
 * offered until the service has said what the key may do.
 */
export const isAllowed = (scope: Scope | null) => scope === null || (scopes.value?.includes(scope) ?? true);

/**
 * Asks, after a sign-in link, what the key may do and whose it is. A failure shows where the key is
 * used.
 */
export async function loadScopes(signal: AbortSignal): Promise<void> {
  if (scopes.value !== null && account.value !== null) return;
  const { value } = key;
  if (value === null) return;
  const found = await sessionOf(value, client(), signal);
  if (key.peek() === value) keep(found);
}

/** The reason for which the last session ended; null if the user ended it or there was none. */
export const endedBy = signal<'refused' | null>(null);

const current = computed(() => new Jyutsing({ baseUrl: SERVICE_URL, apiKey: key.value ?? '', fetch: observedFetch }));

/** The client of this session. */
export function client(): Jyutsing {
  return current.value;
}

/** Tells whether the last request reached the service. */
export const isReachable = signal(true);

async function observedFetch(...request: Parameters<Fetch>): Promise<Response> {
  try {
    const response = await platformFetch(...request);
    isReachable.value = true;
    return response;
  } catch (failure) {
    if (!(failure instanceof DOMException && failure.name === 'AbortError')) isReachable.value = false;
    throw failure;
  }
}

/**
 * Loads a part of the console when it is needed. Throws a `ConnectionError` when the service cannot
 * be reached, else the failure of the browser, such as after an update.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (failure) {
    await new Jyutsing({ baseUrl: SERVICE_URL, apiKey: '', fetch: observedFetch, maxRetries: 0 }).health();
    throw failure;
  }
}

/** Asks whose key this is and what it may do. Throws what the service says about a wrong key. */
export async function askFor(enteredKey: string): Promise<Session> {
  return sessionOf(enteredKey, new Jyutsing({ baseUrl: SERVICE_URL, apiKey: enteredKey, maxRetries: 0 }));
}

/**
 * Starts a session with a key. Throws what the service says about a wrong key, and then keeps
 * nothing.
 */
export async function signIn(enteredKey: string, { remembered }: { remembered: boolean }): Promise<void> {
  const fresh = await askFor(enteredKey);
  isRemembered.value = remembered;
  keep(fresh);
}

/** Starts a session whose key was not checked yet, or that another tab has. */
export function startSession(next: Session): void {
  remember(false);
  keep(next);
}

export function signOut(reason: 'refused' | null = null): void {
  sessionStorage.removeItem(STORED_AS);
  if (isRemembered.value || reason === null) localStorage.removeItem(STORED_AS);
  isRemembered.value = false;
  endedBy.value = reason;
  session.value = null;
}

/** Keeps the session on this computer, or only in this tab. */
export function remember(isWanted: boolean): void {
  isRemembered.value = isWanted;
  if (session.value === null) return;
  store(session.value);
  if (!isWanted) localStorage.removeItem(STORED_AS);
}

export function currentSession(): Session | null {
  return session.value;
}

/** Returns the key itself, to be shown on request only. */
export function currentKey(): string {
  return key.value ?? '';
}

/** Ends the session when a failure says that its key is no longer accepted. */
export function noticeRefusal(failure: unknown): void {
  if (failure instanceof AuthenticationError && isSignedIn.value) signOut('refused');
}

async function sessionOf(usedKey: string, asking: Jyutsing, signal?: AbortSignal): Promise<Session> {
  const { key: facts, account: owner } = await asking.usage({ signal });
  return { key: usedKey, scopes: facts.scopes, account: { id: owner.id, name: owner.name } };
}

function keep(next: Session): void {
  store(next);
  endedBy.value = null;
  const isOfAnother = shownAccountId !== null && shownAccountId !== next.account?.id;
  // Files, texts and sounds of the account before are in the memory of the page.
  if (isOfAnother) return location.reload();
  shownAccountId = next.account?.id ?? null;
  session.value = next;
}

function store(next: Session): void {
  (isRemembered.value ? localStorage : sessionStorage).setItem(STORED_AS, JSON.stringify(next));
  if (isRemembered.value) sessionStorage.removeItem(STORED_AS);
}

/** The session of this tab comes before the one that the computer remembers. */
function storedSession(): Session | null {
  try {
    const stored = sessionStorage.getItem(STORED_AS) ?? localStorage.getItem(STORED_AS);
    const read: Partial<Session> | null = stored === null ? null : JSON.parse(stored);
    return typeof read?.key === 'string'
      ? { key: read.key, scopes: read.scopes ?? null, account: read.account ?? null }
      : null;
  } catch {
    return null;
  }
}
