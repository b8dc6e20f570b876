import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import { openListener, type Listener } from './listener.ts';

/** The listener of one engine. */
export type LazyListener = {
  /** Opens it at the first call, and again after a failure. Throws as `openListener` does. */
  open(): Promise<Listener>;
  close(): Promise<void>;
};

/** Returns the listener of a folder of models, which is not opened yet. */
export function lazyListener(modelsDir: string): LazyListener {
  const opened = new Map<string, Promise<Listener>>();
  return {
    open: () => memoizeAsync(opened, modelsDir, () => openListener(modelsDir)),
    async close() {
      const [listener] = await Promise.allSettled(opened.values());
      opened.clear();
      if (listener?.status === 'fulfilled') await listener.value.close();
    },
  };
}
