import { setFlagsFromString } from 'node:v8';

/**
 * Lets the memory of typed arrays and buffers count towards the limit of the heap. By default V8
 * 13.6 (Node.js 24) marks all objects after each 64 MiB of them, although the small collections
 * have freed most: a worker that transcribes clips of some seconds spent a third of its processor
 * time on that. `findings/v8-marks-all-for-freed-arrays.sh` shows it.
 */
export function shareHeapLimit(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
}
