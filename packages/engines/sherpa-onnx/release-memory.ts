import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Runs the garbage collector. The library frees a model when its JavaScript object is collected,
 * and the collector sees only the few bytes of that object: without this call, a closed model of a
 * gigabyte would stay in memory.
 */
export function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') setImmediate(() => void collect());
}
