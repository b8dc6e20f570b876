import type { Speech, SpeechEvent } from '#features/synthesis/speech.ts';
import { defineStreamTask } from '#workers/define-task.ts';
import { gatherSound } from '#workers/gather-sound.ts';

/**
 * Speaks the parts of a text; see `Speak`. Yields lists of events, joined by `gatherSound`. A slow
 * consumer keeps the process from others, so read ahead of a client. The time limit allows for a
 * whole text sent to an outside server.
 */
export const speak = defineStreamTask({
  name: 'speak',
  pool: 'interactive',
  timeoutMs: 10 * 60_000,
  async *run(speech: Speech, { engines }, signal): AsyncGenerator<SpeechEvent[]> {
    const { synthesizeParts } = await import('#workers/synthesize-parts.ts');
    yield* gatherSound(synthesizeParts(speech, engines, signal));
  },
  /** Loads the model and the dictionaries of Cantonese, the most requested language. */
  async warmUp({ engines, defaultModels }) {
    const { loadSynthesizer } = await import('#workers/synthesize-parts.ts');
    const registry = await engines.registry();
    const language = 'cantonese';
    const model = registry.select('synthesizer', { language, model: defaultModels.synthesizer });
    await loadSynthesizer({ language, model }, engines);
  },
});
