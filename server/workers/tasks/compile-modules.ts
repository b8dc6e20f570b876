import { flushCompileCache } from 'node:module';
import { defineTask } from '#workers/define-task.ts';

/** Imports modules, which do nothing until they are called, and keeps them compiled. */
export const compileModules = defineTask({
  name: 'compile-modules',
  pool: 'batch',
  timeoutMs: 120_000,
  async run(modules: readonly string[]): Promise<void> {
    // One whose package is left out of this installation fails in the worker that needs it.
    for (const module of modules) await import(module).catch(() => {});
    flushCompileCache();
  },
});
