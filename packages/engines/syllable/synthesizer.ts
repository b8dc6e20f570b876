import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesizerEngine } from '@jyutsing/contracts/synthesizer';

/** The languages of the engine: each has one model with one recorded person. */
const MODELS = [
  {
    name: 'syllable-yue',
    /** Version of this code and of its files. */
    version: '15',
    language: 'cantonese',
    file: 'yue/syllables.voice',
    english: 'yue/english-sounds.json',
    finish: null,
    quality: 35,
    cloned: 35,
  },
  {
    name: 'syllable-cmn',
    version: '9',
    language: 'mandarin',
    file: 'cmn/syllables.voice',
    english: null,
    finish: 'cmn/finish.onnx',
    // The voices are more human than espeak-ng, but harder to understand.
    quality: 25,
    cloned: 15,
  },
] as const;

/** Built-in synthesizer: Cantonese and Mandarin from recorded syllables and words. */
export const engine: SynthesizerEngine = {
  ability: 'synthesizer',
  name: 'syllable',
  models: ({ builtinModelsDir }) =>
    MODELS.map(({ name, version, language, file, english, finish, quality, cloned }) => ({
      name,
      version,
      capabilities: {
        languages: { [language]: quality },
        clones: 'profile',
        cloned: { [language]: cloned },
        unit: 'piece',
        readings: true,
        wordTimes: true,
        adjusts: { speed: true, pitch: true },
        placement: 'worker',
      },
      availability: [file, english, finish].every(
        (modelFile) => modelFile === null || existsSync(join(builtinModelsDir, modelFile)),
      )
        ? { available: true }
        : { available: false, reason: 'its voice file is not installed' },
    })),
  async open({ builtinModelsDir }, modelName) {
    const model = MODELS.find(({ name }) => name === modelName);
    if (model === undefined)
      throw new AppError('engine_unavailable', `There is no model "${modelName}" of this engine.`);
    const [{ openVoice, readEnglishSounds }, { openFinish }, { speak }, { soundsOf }] = await Promise.all([
      import('./open-voice.ts'),
      import('./finish.ts'),
      import('./speak.ts'),
      import('./sounds-of.ts'),
    ]);
    const [path, englishPath] = [join(builtinModelsDir, model.file), join(builtinModelsDir, model.english ?? '')];
    const openWithEnglish = async () =>
      openVoice(
        path,
        soundsOf(model.language),
        model.english === null ? undefined : await readEnglishSounds(englishPath),
      );
    const voice = await openWithEnglish().catch((thrown: unknown) => {
      throw new AppError('engine_failed', 'The voice of recorded syllables could not be opened.', { cause: thrown });
    });
    const finish = model.finish === null ? null : await openFinish(join(builtinModelsDir, model.finish));
    let isClosed = false;
    return {
      synthesize: (request, signal) => speak({ voice, finish, pronounce }, request, signal),
      async close() {
        if (isClosed) return;
        isClosed = true;
        voice.close();
        await finish?.close();
      },
    };
  },
};

let pronouncer: Promise<(word: string) => readonly (readonly string[])[]> | null = null;

/** English words are rare, so their dictionary is loaded with the first one. */
function pronounce() {
  pronouncer ??= import('@jyutsing/text/pronunciation/english/pronounce-word').then(
    async ({ openPronouncer }) => (await openPronouncer()).pronounce,
  );
  return pronouncer;
}
