import { flushCompileCache } from 'node:module';
import { COMPILE_WITHIN_MS } from '#workers/compile-limit.ts';
import { defineTask } from '#workers/define-task.ts';

/**
 * Imports modules, which do nothing until they are called, and keeps them compiled. It runs in a
 * process of `compileAhead`, and in no pool.
 */
export const compileModules = defineTask({
  name: 'compile-modules',
  pool: 'batch',
  timeoutMs: COMPILE_WITHIN_MS,
  async run(modules: readonly string[]): Promise<void> {
    // One whose package is left out of this installation fails in the worker that needs it.
    for (const module of modules) await import(module).catch(() => {});
    flushCompileCache();
  },
});
