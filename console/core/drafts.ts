// The browser keeps here what was typed, until it is saved. Drafts belong to the account that made
// them: no other one reads them. When the user signs out they are gone, but for what has cost
// credits or weeks: that is sealed with the key until the account signs in again.
import { effect } from '@preact/signals';
import { canSeal, seal, unseal, type Sealed } from './seal.ts';
import { account, currentKey } from './session.ts';

const DATABASE = 'jyutsing-drafts';
/** Drafts were kept here once without their account. */
const FORMER_DATABASE = 'jyutsing';
const STORE = 'drafts';
/** The names of what is sealed at the end: texts about transcripts, and practice. */
const SEALED_NAMES = /^(?:about |pronunciation (?:history|days|passed)$)/;
/** So begin the names of what is sealed, one for each key; no account is called so. */
const sealedNameOf = (owner: string) => `sealed ${owner}`;
const startingWith = (start: string) => IDBKeyRange.bound(start, `${start}\uffff`);
const KEPT_AFTER_MS = 250;

/** Drafts that are not in the database yet, by account and name. */
const pending = new Map<string, unknown>();
/** The last account of this page; it stays the owner of its drafts when its key is refused. */
let lastOwner: string | null = null;
/** Drafts that were made before the service said whose key it is. */
const unowned = new Map<string, unknown>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** Set when the user has signed out and the page is about to go. */
let isOver = false;

/** The connection stays open, because a page that is left has no time to open another. */
let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  indexedDB.deleteDatabase(FORMER_DATABASE);
  const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>();
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  request.addEventListener('success', () => {
    // The browser closes the database when the user deletes what pages have stored.
    request.result.addEventListener('close', () => (opened = null));
    resolve(request.result);
  });
  request.addEventListener('error', () => reject(request.error));
  return promise;
}

async function run<Value>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const database = await (opened ??= open());
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  const transaction = database.transaction(STORE, mode);
  const request = work(transaction.objectStore(STORE));
  request.addEventListener('success', () => resolve(request.result));
  request.addEventListener('error', () => reject(request.error));
  // The browser would commit after the end of the request, which a page that is left does not live
  // to see.
  transaction.commit();
  return promise;
}

/**
 * A page that is left also writes its drafts as text to `localStorage`, under names with this
 * prefix, because the database may not finish in time. Drafts that are larger or hold files are in
 * the database alone.
 */
const LAST = 'jyutsing.draft ';
const MAX_CHARACTERS = 1_000_000;

function writeLast(fullName: string, draft: unknown): void {
  try {
    let hasFile = false;
    const text = JSON.stringify(draft, (_key, value: unknown) => {
      hasFile ||= value instanceof Blob;
      return value;
    });
    if (!hasFile && text.length <= MAX_CHARACTERS) localStorage.setItem(LAST + fullName, text);
  } catch {
    // The storage is full, or the browser forbids it.
  }
}

function takeLast<Draft>(fullName: string): Draft | null {
  try {
    const text = localStorage.getItem(LAST + fullName);
    localStorage.removeItem(LAST + fullName);
    return text === null ? null : (JSON.parse(text) as Draft);
  } catch {
    return null;
  }
}

const fullNameOf = (owner: string, name: string) => `${owner} ${name}`;

/** Resolves with the account once it is known. */
function ownerOnceKnown(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const end = effect(() => {
    if (account.value !== null) resolve(account.value.id);
  });
  return promise.finally(end);
}

/** The drafts that a key has sealed are unsealed once in a page. */
let unsealing: { key: string; done: Promise<void> } | null = null;

function unsealedFor(owner: string): Promise<void> {
  const key = currentKey();
  if (unsealing?.key !== key) unsealing = { key, done: unsealDrafts(owner, key) };
  return unsealing.done;
}

/** Drafts that another key of the account has sealed stay so. */
async function unsealDrafts(owner: string, key: string): Promise<void> {
  if (!canSeal()) return;
  const unsealAll = async () => {
    const names = await run('readonly', (store) => store.getAllKeys(startingWith(sealedNameOf(owner))));
    for (const name of names) {
      const sealed = await run('readonly', (store) => store.get(name) as IDBRequest<Sealed>);
      const drafts = await unseal<[string, KeptList][]>(sealed, key).catch(() => []);
      for (const [fullName, draft] of drafts) {
        const newer = await run('readonly', (store) => store.get(fullName) as IDBRequest<KeptList | undefined>);
        await run('readwrite', (store) =>
          store.put(newer === undefined ? draft : joined(fullName, draft, newer), fullName),
        );
      }
      if (drafts.length > 0) await run('readwrite', (store) => store.delete(name));
    }
  };
  // Another tab may unseal the same. Where the browser keeps nothing, it fails.
  await navigator.locks.request('jyutsing drafts', unsealAll).catch(() => {});
}

/** A draft that is sealed: a list under one name. */
type KeptList = Record<string, readonly unknown[]>;

/** Joins what was sealed with what another key kept later. Texts have the newest first. */
function joined(fullName: string, sealed: KeptList, newer: KeptList): KeptList {
  const lists = Object.entries(sealed).map(([name, list]) => {
    const since = newer[name] ?? [];
    const entries = fullName.includes(' about ') ? [...since, ...list] : [...list, ...since];
    const unique = new Set(entries.map((entry) => JSON.stringify(entry)));
    return [name, [...unique].map((entry) => JSON.parse(entry) as unknown)] as const;
  });
  return Object.fromEntries(lists);
}

/** Returns null when there is no draft, or the browser keeps nothing, as in private windows. */
export async function readDraft<Draft>(name: string): Promise<Draft | null> {
  const owner = account.peek()?.id ?? (await ownerOnceKnown());
  await unsealedFor(owner);
  const fullName = fullNameOf(owner, name);
  if (pending.has(fullName)) return pending.get(fullName) as Draft;
  const last = takeLast<Draft>(fullName);
  if (last !== null) {
    keepDraft(name, last);
    return last;
  }
  return run('readonly', (store) => store.get(fullName) as IDBRequest<Draft | undefined>).then(
    (draft) => draft ?? null,
    () => null,
  );
}

/** Keeps a draft shortly after the last change, and at once when the page is left. */
export function keepDraft(name: string, draft: unknown): void {
  if (isOver) return;
  if (lastOwner === null) {
    unowned.set(name, draft);
    return;
  }
  const fullName = fullNameOf(lastOwner, name);
  pending.set(fullName, draft);
  takeLast(fullName);
  clearTimeout(timer);
  timer = setTimeout(keepAll, KEPT_AFTER_MS);
}

function keepAll(): void {
  clearTimeout(timer);
  for (const [name, draft] of pending) void run('readwrite', (store) => store.put(draft, name)).catch(() => {});
  pending.clear();
}

/** Keeps all drafts in both places, as the page may be gone afterwards. */
function keepAtOnce(): void {
  for (const [fullName, draft] of pending) writeLast(fullName, draft);
  keepAll();
}

effect(() => {
  if (account.value === null) return;
  lastOwner = account.value.id;
  const waiting = [...unowned];
  unowned.clear();
  for (const [name, draft] of waiting) keepDraft(name, draft);
});
addEventListener('pagehide', keepAtOnce);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') keepAtOnce();
});

export async function dropDraft(name: string): Promise<void> {
  unowned.delete(name);
  if (lastOwner === null) return;
  await unsealedFor(lastOwner);
  const fullName = fullNameOf(lastOwner, name);
  pending.delete(fullName);
  takeLast(fullName);
  await run('readwrite', (store) => store.delete(fullName)).catch(() => {});
}

/**
 * Deletes all drafts of this account, and keeps no further ones in this page. With `seals`, what is
 * worth it is sealed for the next time.
 */
export async function dropAllDrafts({ seals }: { seals: boolean }): Promise<void> {
  isOver = true;
  unowned.clear();
  if (lastOwner === null) return;
  const prefix = fullNameOf(lastOwner, '');
  const range = startingWith(prefix);
  if (seals && canSeal()) await sealDrafts(lastOwner, range).catch(() => {});
  pending.clear();
  const names = Object.keys(localStorage).filter((name) => name.startsWith(LAST + prefix));
  for (const name of names) localStorage.removeItem(name);
  await run('readwrite', (store) => store.delete(range)).catch(() => {});
}

async function sealDrafts(owner: string, range: IDBKeyRange): Promise<void> {
  await unsealedFor(owner);
  const names = await run('readonly', (store) => store.getAllKeys(range) as IDBRequest<string[]>);
  const values = await run('readonly', (store) => store.getAll(range) as IDBRequest<unknown[]>);
  const all = new Map([...names.map((name, index) => [name, values[index]] as const), ...pending]);
  const worth = [...all].filter(([name]) => SEALED_NAMES.test(name.slice(fullNameOf(owner, '').length)));
  if (worth.length === 0) return;
  const sealed = await seal(worth, currentKey());
  await run('readwrite', (store) => store.put(sealed, `${sealedNameOf(owner)} ${crypto.randomUUID()}`));
}
