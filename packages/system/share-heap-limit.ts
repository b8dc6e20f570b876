import { setFlagsFromString } from 'node:v8';

/**
 * Lets the memory of typed arrays and buffers count towards the limit of the heap, which is one and
 * a half times what the last full collection left. By default V8 13.6 (Node.js 24) marks all
 * objects after each 64 MiB of them, although the small collections have freed most: a worker that
 * transcribes clips of some seconds spent a quarter of its processor time on it
 * (`findings/v8-marks-all-for-freed-arrays.sh`). Without the second flag the peak of all processes
 * was 380 MiB higher (`npm run bench -- memory`), with both 60.
 */
export function shareHeapLimit(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString('--heap-growing-percent=50');
}
