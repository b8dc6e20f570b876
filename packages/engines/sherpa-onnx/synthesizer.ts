import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import {
  SYNTHESIS_SAMPLE_RATE_HZ,
  type SynthesisEvent,
  type Synthesizer,
  type SynthesisVoice,
  type SynthesizerEngine,
} from '@jyutsing/contracts/synthesizer';
import { audioEvents } from '#engines/runtime/audio-events.ts';
import { installedModelDir } from '#engines/runtime/model-files/installed.ts';
import { installedDigest } from '#engines/runtime/model-files/installed-digest.ts';
import type { Reference } from './native-synthesis.ts';
import { SHERPA_VOICES } from './voices.ts';

/** Increase it whenever this code could give other audio from the same models. */
const CODE_VERSION = '1';
/** Length in samples of the silence for a request without speakable text. */
const NOTHING_SAMPLES = SYNTHESIS_SAMPLE_RATE_HZ / 10;

/**
 * The synthesizers that sherpa-onnx runs, each with one voice; available when its packages are
 * installed.
 */
export const engine: SynthesizerEngine = {
  ability: 'synthesizer',
  name: 'sherpa-onnx',
  models: ({ modelsDir }) =>
    SHERPA_VOICES.map(({ name, quality, requires, clones }) => {
      const digests = [name, ...requires].map((packageName) => installedDigest(modelsDir, packageName));
      const missingNames = [name, ...requires].filter((_, index) => digests[index] === null);
      return {
        name,
        version: missingNames.length > 0 ? CODE_VERSION : [CODE_VERSION, ...digests].join('-'),
        capabilities: {
          languages: quality,
          clones,
          unit: 'piece',
          readings: false,
          wordTimes: false,
          adjusts: { speed: true, pitch: false },
          placement: 'worker',
        },
        availability:
          missingNames.length > 0
            ? { available: false, reason: `not pulled: npm run models -- pull ${missingNames.join(' ')}` }
            : { available: true },
      };
    }),
  open: openSherpa,
};

async function openSherpa({ modelsDir }: EngineEnv, modelName: string): Promise<Synthesizer> {
  const voice = SHERPA_VOICES.find(({ name }) => name === modelName);
  const folderOf = (name: string) => installedModelDir(modelsDir, name) ?? '';
  const folder = folderOf(modelName);
  if (voice === undefined || folder === '' || voice.requires.some((name) => folderOf(name) === '')) {
    throw new AppError('engine_unavailable', `The model "${modelName}" is not installed on this server.`);
  }
  // Only servers with these models load the native code.
  const [{ openNativeVoice }, { readLexicon, speakableText }, { createResampler }, { samplesOfWav }] =
    await Promise.all([
      import('./native-synthesis.ts'),
      import('./speakable-text.ts'),
      import('@jyutsing/audio/resample'),
      import('@jyutsing/audio/wav'),
    ]);
  const lexicon = new Set<string>();
  for (const name of voice.lexicons) for (const word of await readLexicon(join(folder, name))) lexicon.add(word);
  const native = await openNativeVoice(voice, voice.config(folder, folderOf));

  /** Synthesizes a text at the service's sample rate; empty when the voice can speak none of it. */
  const synthesizePiece = async (
    spokenForm: string,
    style: { speed: number; speaker: number; reference: Reference | null },
    signal: AbortSignal,
  ): Promise<Float32Array[]> => {
    const text = await speakableText(spokenForm, lexicon, voice.readsLatin);
    if (text === '') return [];
    const samples = await native.synthesize(text, style, signal);
    if (native.sampleRateHz === SYNTHESIS_SAMPLE_RATE_HZ) return [samples];
    const resampler = createResampler(native.sampleRateHz, SYNTHESIS_SAMPLE_RATE_HZ);
    try {
      return [resampler.push(samples), resampler.flush()];
    } finally {
      resampler.close();
    }
  };
  /**
   * Reads the reference. Throws `engine_failed` without a sample, and `unsuitable_sample` for a
   * sample without a transcript.
   */
  const referenceOf = async ({ reference }: SynthesisVoice): Promise<Reference> => {
    if (reference === null) throw new AppError('engine_failed', undefined, { cause: 'no sample was given' });
    const text = await speakableText(reference.transcript ?? '', lexicon, voice.readsLatin);
    if (!/[^,.!?\s]/u.test(text)) {
      throw new AppError(
        'unsuitable_sample',
        `The model "${voice.name}" needs the transcript of the voice's sample in a language that it reads; add a transcript to the voice or choose another model.`,
      );
    }
    // Without a mark at its end, the reference would run into the text.
    const ended = /[.!?]$/u.test(text) ? text : `${text.replace(/,$/u, '')}.`;
    return { samples: samplesOfWav(reference.wav), sampleRateHz: SYNTHESIS_SAMPLE_RATE_HZ, text: ended };
  };
  return {
    async *synthesize({ pieces, language, speed, voice: requestedVoice }, signal): AsyncGenerator<SynthesisEvent> {
      signal.throwIfAborted();
      if (voice.quality[language] === undefined) {
        throw new AppError('engine_unavailable', `The model "${voice.name}" does not speak ${language}.`);
      }
      const reference = voice.clones === 'none' ? null : await referenceOf(requestedVoice);
      const style = { speed, speaker: voice.speakers[language] ?? 0, reference };
      let isSilent = true;
      for (const { spokenForm } of pieces) {
        for (const sound of await synthesizePiece(spokenForm, style, signal)) {
          for (const event of audioEvents(sound)) {
            isSilent = false;
            yield event;
            signal.throwIfAborted();
          }
        }
      }
      if (isSilent) yield { type: 'audio', samples: new Float32Array(NOTHING_SAMPLES) };
    },
    async close() {
      native.close();
    },
  };
}
