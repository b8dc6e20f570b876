import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * The library frees a model when its JavaScript object is collected, and to the collector that object is a few bytes: without a
 * push, a closed model of a gigabyte would stay until the process is stopped for its memory.
 */
export function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') setImmediate(() => void collect());
}
