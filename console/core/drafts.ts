// The browser keeps here what was typed, until it is saved.

const DATABASE = 'jyutsing';
const STORE = 'drafts';
const KEPT_AFTER_MS = 250;

/** Drafts that are not in the database yet. */
const pending = new Map<string, unknown>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** The connection stays open, because a page that is left has no time to open another. */
let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
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

function writeLast(name: string, draft: unknown): void {
  try {
    let hasFile = false;
    const text = JSON.stringify(draft, (_key, value: unknown) => {
      hasFile ||= value instanceof Blob;
      return value;
    });
    if (!hasFile && text.length <= MAX_CHARACTERS) localStorage.setItem(LAST + name, text);
  } catch {
    // The storage is full, or the browser forbids it.
  }
}

function takeLast<Draft>(name: string): Draft | null {
  try {
    const text = localStorage.getItem(LAST + name);
    localStorage.removeItem(LAST + name);
    return text === null ? null : (JSON.parse(text) as Draft);
  } catch {
    return null;
  }
}

/** Returns null when there is no draft, or the browser keeps nothing, as in private windows. */
export async function readDraft<Draft>(name: string): Promise<Draft | null> {
  if (pending.has(name)) return pending.get(name) as Draft;
  const last = takeLast<Draft>(name);
  if (last !== null) {
    keepDraft(name, last);
    return last;
  }
  return run('readonly', (store) => store.get(name) as IDBRequest<Draft | undefined>).then(
    (draft) => draft ?? null,
    () => null,
  );
}

/** Keeps a draft shortly after the last change, and at once when the page is left. */
export function keepDraft(name: string, draft: unknown): void {
  pending.set(name, draft);
  takeLast(name);
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
  for (const [name, draft] of pending) writeLast(name, draft);
  keepAll();
}

addEventListener('pagehide', keepAtOnce);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') keepAtOnce();
});

export async function dropDraft(name: string): Promise<void> {
  pending.delete(name);
  takeLast(name);
  await run('readwrite', (store) => store.delete(name)).catch(() => {});
}
