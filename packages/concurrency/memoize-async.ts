/**
 * Returns the cached promise for `key`, or creates it. A failure is not cached: a missing or
 * damaged model may be repaired before the next request.
 */
export function memoizeAsync<Key, Value>(
  kept: Map<Key, Promise<Value>>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const cached = kept.get(key);
  if (cached !== undefined) return cached;
  const value = make();
  kept.set(key, value);
  // The caller may have replaced this promise before it fails.
  value.catch(() => kept.get(key) === value && kept.delete(key));
  return value;
}
