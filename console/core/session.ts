import { computed, signal } from '@preact/signals';
import { AuthenticationError, Jyutsing, platformFetch, type Fetch, type Scope } from '@jyutsing/client';

const STORED_AS = 'jyutsing.key';
const SCOPES_STORED_AS = 'jyutsing.scopes';

/** The service is one level above the page, also behind a proxy that adds a path. */
export const SERVICE_URL = new URL('..', document.baseURI).href.replace(/\/$/, '');

/** The key of this tab, forgotten when the tab is closed; null while the user is not signed in. */
const key = signal<string | null>(sessionStorage.getItem(STORED_AS));

export const isSignedIn = computed(() => key.value !== null);
/** The scopes of the key never change; they are null until the service has been asked. */
const scopes = signal<readonly Scope[] | null>(storedScopes());

/**
 * Tells whether to offer something that needs a scope, or null if it needs none. Everything is
 * offered until the service has said what the key may do.
 */
export const isAllowed = (scope: Scope | null) => scope === null || (scopes.value?.includes(scope) ?? true);

/** Asks, after a sign-in link, what the key may do. A failure shows where the key is used. */
export async function loadScopes(signal: AbortSignal): Promise<void> {
  if (scopes.value !== null) return;
  const { key } = await client().usage({ signal });
  keepScopes(key.scopes);
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

/** Takes the key of a sign-in link (`#key=…`) out of the address, so that it is in no bookmark. */
export function takeKeyFromAddress(): void {
  const linkedKey = /^#key=([^&]+)/.exec(location.hash)?.[1];
  if (linkedKey === undefined) return;
  history.replaceState(null, '', `${location.pathname}#/`);
  keep(decodeURIComponent(linkedKey));
}

/**
 * Starts a session with a key. Throws what the service says about a wrong key, and then keeps
 * nothing.
 */
export async function signIn(enteredKey: string): Promise<void> {
  const usage = await new Jyutsing({ baseUrl: SERVICE_URL, apiKey: enteredKey, maxRetries: 0 }).usage();
  keep(enteredKey);
  keepScopes(usage.key.scopes);
}

export function signOut(reason: 'refused' | null = null): void {
  sessionStorage.removeItem(STORED_AS);
  sessionStorage.removeItem(SCOPES_STORED_AS);
  endedBy.value = reason;
  key.value = null;
}

/** Returns the key itself, to be shown on request only. */
export function currentKey(): string {
  return key.value ?? '';
}

/** Ends the session when a failure says that its key is no longer accepted. */
export function noticeRefusal(failure: unknown): void {
  if (failure instanceof AuthenticationError && isSignedIn.value) signOut('refused');
}

function keep(newKey: string): void {
  sessionStorage.setItem(STORED_AS, newKey);
  endedBy.value = null;
  key.value = newKey;
  sessionStorage.removeItem(SCOPES_STORED_AS);
  // The scopes change after the key, because `loadScopes` asks again at once.
  scopes.value = null;
}

/**
 * Keeps the scopes for the next load of the page, which would otherwise ask for them with a key
 * that may not read them.
 */
function keepScopes(newScopes: readonly Scope[]): void {
  sessionStorage.setItem(SCOPES_STORED_AS, newScopes.join(' '));
  scopes.value = newScopes;
}

function storedScopes(): Scope[] | null {
  const stored = sessionStorage.getItem(SCOPES_STORED_AS);
  return stored === null ? null : (stored.split(' ') as Scope[]);
}
