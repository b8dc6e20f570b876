import type { EngineEnv } from '@jyutsing/contracts/engine';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Romanizer, RomanizerEngine } from '@jyutsing/contracts/romanizer';
import type { RecognizedSyllable, Segment } from '@jyutsing/contracts/transcript';
import { builtinModel, LOWEST_RANK } from './builtin-model.ts';
import { openAsrModel, type AsrModel } from './asr-model.ts';
import type { SyllableAlternatives } from './decoder/index.ts';
import { lazyListener, type LazyListener } from './listener/lazy-listener.ts';
import type { Listener } from './listener/listener.ts';
import { isVoiceKnown } from './read-person.ts';
import { toRecognizedSyllables } from './recognized-syllables.ts';
import { hasListener, hasModels, modelsVersion } from './model-files.ts';
import { openSoundWindow, type SoundWindow } from './sound-window.ts';

/**
 * Increase it whenever this code or the decoder may return other syllables with the same models.
 */
const CODE_VERSION = '2';
/**
 * Context around a piece in milliseconds, because recognizers cut close to the first and last
 * syllable.
 */
const PADDING_MS = 150;
/**
 * Longest piece recognized at once, in milliseconds, so that memory does not grow with a segment.
 */
const MAX_PIECE_MS = 20_000;

/** The listener hears people; the acoustic model the synthetic voices that it knows. */
type Models = AsrModel & { listener: LazyListener | null };

/**
 * Recognizes the syllables of segments found by another recognizer, with the built-in acoustic
 * model or the listener.
 */
export const engine: RomanizerEngine = {
  ability: 'romanizer',
  name: 'builtin',
  models: ({ builtinModelsDir }) =>
    builtinModel({
      version: () => `${CODE_VERSION}-${modelsVersion(builtinModelsDir)}`,
      capabilities: LOWEST_RANK,
      isAvailable: hasModels(builtinModelsDir, 'cantonese'),
      reason: 'the Cantonese model files of the built-in recognizer are missing',
    }),
  open: openRomanizer,
};

async function openRomanizer({ builtinModelsDir }: EngineEnv): Promise<Romanizer> {
  const asrModel = await openAsrModel(builtinModelsDir, 'cantonese');
  const listener = hasListener(builtinModelsDir) ? lazyListener(builtinModelsDir) : null;
  const models = { ...asrModel, listener };
  let isClosed = false;
  return {
    async *romanize(audio, segments, signal) {
      signal.throwIfAborted();
      if (segments.length === 0) return;
      const sound = openSoundWindow(audio);
      try {
        for (const segment of segments) yield await recognizeSegment(segment, sound, models, signal);
      } finally {
        await sound.close();
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await asrModel.acoustic.close();
      await listener?.close();
    },
  };
}

async function recognizeSegment(
  { startMs, endMs }: Pick<Segment, 'startMs' | 'endMs'>,
  sound: SoundWindow,
  models: Models,
  signal: AbortSignal,
): Promise<RecognizedSyllable[]> {
  const syllables: RecognizedSyllable[] = [];
  const pieceCount = Math.max(1, Math.ceil((endMs - startMs) / MAX_PIECE_MS));
  const pieceMs = (endMs - startMs) / pieceCount;
  for (let piece = 0; piece < pieceCount; piece += 1) {
    const fromMs = startMs + piece * pieceMs;
    syllables.push(...(await recognizePiece(fromMs, fromMs + pieceMs, sound, models, signal)));
  }
  return syllables;
}

async function recognizePiece(
  fromMs: number,
  toMs: number,
  sound: SoundWindow,
  { acoustic, decoder, listener }: Models,
  signal: AbortSignal,
): Promise<RecognizedSyllable[]> {
  const firstMs = Math.max(0, fromMs - PADDING_MS);
  const samples = await sound.take(sampleAt(firstMs), sampleAt(toMs + PADDING_MS), signal);
  if (samples.length < sampleAt(PADDING_MS)) return [];
  const posteriors = await acoustic.compute(samples);
  signal.throwIfAborted();
  const lastMs = firstMs + (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
  // Syllables that are mostly in the context belong to the neighbor.
  const syllables =
    listener === null || isVoiceKnown(posteriors, acoustic.labels)
      ? decoder.recognizeSyllables(posteriors)
      : await syllablesOfPerson(await listener.open(), samples);
  return toRecognizedSyllables(syllables, firstMs, lastMs).filter(({ startMs, endMs }) => {
    const middleMs = (startMs + endMs) / 2;
    return middleMs >= fromMs && middleMs < toMs;
  });
}

async function syllablesOfPerson(listener: Listener, samples: Float32Array): Promise<SyllableAlternatives[]> {
  return listener.recognizeSyllables(await listener.hear(samples), 'cantonese');
}

const sampleAt = (timeMs: number) => Math.round((timeMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000);
