/**
 * The value kept under `key`, made when it is not there; callers meanwhile wait for the same one. A failure is not kept: a model that
 * was missing or damaged may be whole at the next request.
 */
export function memoizeAsync<Key, Value>(
  kept: Map<Key, Promise<Value>>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  let value = kept.get(key);
  if (value === undefined) {
    value = make();
    kept.set(key, value);
    value.catch(() => kept.delete(key));
  }
  return value;
}
