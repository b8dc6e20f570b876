/**
 * Returns the cached promise for `key`, or creates it. A failure is not cached: a missing or
 * damaged model may be repaired before the next request.
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
