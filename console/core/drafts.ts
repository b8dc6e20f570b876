// What was typed and is not saved yet, kept in the browser until it is.

const DATABASE = 'jyutsing';
const STORE = 'drafts';

function open(): Promise<IDBDatabase> {
  const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>();
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  request.addEventListener('success', () => resolve(request.result));
  request.addEventListener('error', () => reject(request.error));
  return promise;
}

async function run<Value>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const database = await open();
  try {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const request = work(database.transaction(STORE, mode).objectStore(STORE));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
    return await promise;
  } finally {
    database.close();
  }
}

/** Null when there is none, or the browser keeps nothing, as in private windows. */
export async function readDraft<Draft>(name: string): Promise<Draft | null> {
  return run('readonly', (store) => store.get(name) as IDBRequest<Draft | undefined>).then(
    (draft) => draft ?? null,
    () => null,
  );
}

export async function keepDraft(name: string, draft: unknown): Promise<void> {
  await run('readwrite', (store) => store.put(draft, name)).catch(() => {});
}

export async function dropDraft(name: string): Promise<void> {
  await run('readwrite', (store) => store.delete(name)).catch(() => {});
}
