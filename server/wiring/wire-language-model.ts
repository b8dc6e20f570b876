import { createDrainTracker, type DrainTracker } from '@jyutsing/concurrency/drain-tracker';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import { AppError } from '@jyutsing/contracts/errors';
import type { LanguageModel } from '@jyutsing/contracts/language-model';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import type { LanguageModels } from '#features/after-transcript/language-models.ts';

/** Opens the language model when it is first needed; work with it is waited for at the end. */
export function wireLanguageModel(
  engines: EngineRegistry,
): LanguageModels & Pick<DrainTracker, 'drain'> & { close(): Promise<void> } {
  const opened = new Map<string, Promise<LanguageModel>>();
  const tracker = createDrainTracker();
  return {
    async open() {
      if (engines.selectAll('language-model').length === 0) throw new AppError('language_model_required');
      const ref = engines.select('language-model');
      return memoizeAsync(opened, `${ref.engine} ${ref.model}`, () => engines.open(ref));
    },
    run: (signal, work) => tracker.run(signal, work),
    drain: (withinMs) => tracker.drain(withinMs),
    async close() {
      const models = await Promise.allSettled(opened.values());
      await Promise.all(models.map((opening) => (opening.status === 'fulfilled' ? opening.value.close() : undefined)));
    },
  };
}
