// What was typed and is not saved yet, kept in the browser until it is.

const DATABASE = 'jyutsing';
const STORE = 'drafts';
const KEPT_AFTER_MS = 250;

/** Drafts that are not in the database yet. */
const pending = new Map<string, unknown>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Stays open: opening takes longer than a page that is left may take. */
let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>();
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  request.addEventListener('success', () => {
    // The browser closes it when the user deletes what pages have stored.
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
  // A page that is left does not live to see the end of the request, after which it would come.
  transaction.commit();
  return promise;
}

/** Null when there is none, or the browser keeps nothing, as in private windows. */
export async function readDraft<Draft>(name: string): Promise<Draft | null> {
  if (pending.has(name)) return pending.get(name) as Draft;
  return run('readonly', (store) => store.get(name) as IDBRequest<Draft | undefined>).then(
    (draft) => draft ?? null,
    () => null,
  );
}

/** Keeps a draft shortly after the last change, and at once when the page is left. */
export function keepDraft(name: string, draft: unknown): void {
  pending.set(name, draft);
  clearTimeout(timer);
  timer = setTimeout(keepAll, KEPT_AFTER_MS);
}

function keepAll(): void {
  clearTimeout(timer);
  for (const [name, draft] of pending) void run('readwrite', (store) => store.put(draft, name)).catch(() => {});
  pending.clear();
}

addEventListener('pagehide', keepAll);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') keepAll();
});

export async function dropDraft(name: string): Promise<void> {
  pending.delete(name);
  await run('readwrite', (store) => store.delete(name)).catch(() => {});
}
