import { Worker } from 'node:worker_threads';

/**
 * Ends this process when its parent is gone. A thread watches, because no event handler runs while
 * this process is inside native code: a stuck decoder of a killed parent would otherwise keep its
 * memory for ever.
 */
export function exitWithParent(): void {
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group; the parent ends its workers after it has drained.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  const watchdog = new Worker(
    `const parent = ${process.ppid};
     setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 500);`,
    {
      eval: true,
      stdin: false,
      // NODE_USE_ENV_PROXY would make Node load its proxy support, which does not fit into this
      // memory.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
    },
  );
  watchdog.unref();
}
