import { collectGarbage } from '@jyutsing/system/collect-garbage';

/**
 * Collects garbage soon. The library frees a model when its JavaScript object is collected, and the
 * collector sees only the few bytes of that object: without this call, a closed model of a gigabyte
 * would stay in memory.
 */
export function releaseMemory(): void {
  setImmediate(collectGarbage);
}
