// Flags of V8 stand on the command line: Node keeps compiled modules for the flags with which a
// process starts, and one that sets others later would compile each module anew.

/** The process that listens has these; `npm start` and `cli/jyutsing.js` name the same. */
export const SERVICE_FLAGS: readonly string[] = [
  // Half of Node's young generation saves 40 MiB; with less, polls cost more.
  '--max-semi-space-size=8',
  // V8's own choice lets the heap grow to 250 MB and then keeps it a few megabytes above what is in
  // use, so that it is collected every second, 10 to 40 ms each time. `--trace-gc` shows both.
  '--heap-growing-percent=100',
];

export const WORKER_FLAGS: readonly string[] = [
  // A small young generation: only its collections free the sample buffers, which lie outside the
  // heap.
  '--max-semi-space-size=8',
  // So that loading models collects nothing.
  '--initial-old-space-size=64',
  // Lets the memory of typed arrays and buffers count towards the limit of the heap, which is one
  // and a half times what the last full collection left. By default V8 13.6 (Node.js 24) marks all
  // objects after each 64 MiB of them, although the small collections have freed most: a worker
  // that transcribes clips of some seconds spent a quarter of its processor time on it
  // (`findings/v8-marks-all-for-freed-arrays.sh`). Without the second flag the peak of all
  // processes was 380 MiB higher (`npm run bench -- memory`), with both 60.
  '--external-memory-accounted-in-global-limit',
  '--heap-growing-percent=50',
];
