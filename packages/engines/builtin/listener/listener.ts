import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { shareOpened } from '@jyutsing/concurrency/share-opened';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { keepAnswer } from '@jyutsing/audio/kept-answer';
import { loadLanguageModel } from '#engines/builtin/decoder/language-model.ts';
import { symbolCount } from '#engines/builtin/decoder/labels.ts';
import { createDecoder, type Decoder } from '#engines/builtin/decoder/index.ts';
import type { SyllabicLanguage, SyllableAlternatives } from '#engines/builtin/decoder/types.ts';
import { symbolEvidence } from '#engines/builtin/language-evidence.ts';
import { modelFiles } from '#engines/builtin/model-files.ts';
import { compareLanguages, type HeardSound } from './compare-languages.ts';
import { readText } from './decode-text.ts';
import { openListenerGraphs, type EncodedSound, type ListenerGraphs, type LowerLayers } from './graphs.ts';
import { chineseSpelling, englishSpelling, type Spelling } from './spelling.ts';
import { readMixed, type ReadSpeech } from './read-mixed.ts';
import { readVocabulary, type Vocabulary } from './vocabulary.ts';
import { wordsOfText } from './words-of-text.ts';

/**
 * The encoder of Whisper base with heads for three languages, and its decoder
 * (models/listener/README.md). Sound is mono at 16 kHz, at most `LONGEST_SOUND_S`. Throws
 * `engine_failed`.
 */
export type Listener = {
  /** Columns of the posteriors that the heads give. */
  labels: ListenerGraphs['labels'];
  /** Hears a sound once for all that follows. */
  hear(samples: Float32Array): Promise<HeardSound>;
  /**
   * Hears a sound to identify its language before it is read: the next `hear` of the same samples
   * takes the answer.
   */
  hearForLanguage(samples: Float32Array): Promise<HeardSound>;
  /**
   * Reads a text: its words with times in milliseconds from the first sample, marks as words of
   * their own without a duration. English within Chinese is read as English.
   */
  read(sound: HeardSound, language: Language, signal: AbortSignal): Promise<ReadSpeech>;
  /** Returns the alternatives of every syllable, without reading a text. */
  recognizeSyllables(sound: HeardSound, language: SyllabicLanguage): SyllableAlternatives[];
  /** Compares the languages of a stretch of speech, as compare-languages.ts describes. */
  compareLanguages(sound: HeardSound): Promise<number[]>;
  close(): Promise<void>;
};

/**
 * Most nats a symbol by which a text may be less likely to the heads than the best symbols for it.
 * On sentences of people, right ones have up to 2.6 and invented ones 8 and more.
 */
const MOST_DISAGREEMENT = 4;
/**
 * Silence behind the sound, in seconds: the decoder was trained on windows of 30 s and misses the
 * end of a sentence without any. More costs time and gains little.
 */
const SILENCE_S = 3;
const LONGEST_SOUND_S = 26;
/** Nats for each onset and rime, and each letter; chosen on sentences of people. */
const SYMBOL_BONUS: Readonly<Record<Language, number>> = { cantonese: 0.8, mandarin: 0.3, english: 0.1 };

/** Digits and signs that stand for several words, which the CTC heads cannot compare. */
const NUMERAL = /[\d%$€£¥+=&@#*/<>]/u;

/**
 * Opens the listener of a folder of models, one for all who use it at a time. Throws
 * `engine_unavailable` when a file is missing.
 */
export const openListener: (modelsDir: string) => Promise<Listener> = shareOpened(loadListener);

async function loadListener(modelsDir: string): Promise<Listener> {
  const folder = join(modelsDir, 'listener');
  const graphs = await openListenerGraphs(folder);
  const vocabulary = await readVocabulary(join(folder, 'vocabulary.txt')).catch(async (error: unknown) => {
    await graphs.close();
    throw error;
  });
  const isSuppressed = suppressedTokens(vocabulary, graphs);
  const spellings = new Map<Language, Spelling>();
  const spellingOf = (language: Language): Spelling => {
    const found = spellings.get(language) ?? openSpelling(language, graphs, modelsDir);
    spellings.set(language, found);
    return found;
  };
  const decoders = new Map<Language, Decoder>();
  const decoderOf = (language: Language): Decoder => {
    const { languageModel: languageModelPath } = modelFiles(modelsDir, language);
    const found =
      decoders.get(language) ?? createDecoder({ language, labels: graphs.labels[language], languageModelPath });
    decoders.set(language, found);
    return found;
  };
  const readAs = async (
    { posteriors: ofLanguages, encode }: HeardSound,
    language: Language,
    signal: AbortSignal,
  ): Promise<ReadSpeech> => {
    const labels = graphs.labels[language];
    const posteriors = ofLanguages[language];
    const width = symbolCount(labels);
    const { symbolLogp, frameCount } = posteriors;
    const { symbolShare } = symbolEvidence(symbolLogp, { frameCount, width, frameMs: labels.frameMs });
    if (symbolShare === 0) return { words: [], isSilent: true, isTrusted: true, disagreement: 0 };
    signal.throwIfAborted();
    const { characters, ctcLogp } = await readText(
      graphs,
      await encode(),
      {
        prompt: promptOf(language, graphs),
        frames: { logp: symbolLogp, frameCount, width },
        frameMs: labels.frameMs,
        spelling: spellingOf(language),
        symbolBonus: SYMBOL_BONUS[language],
        vocabulary,
        isSuppressed,
      },
      signal,
    );
    const symbols = characters.reduce((sum, { reading }) => sum + (reading?.columns.length ?? 0), 0);
    const disagreement = (bestPathLogp(symbolLogp, width) - ctcLogp) / Math.max(1, symbols);
    const words = wordsOfText(characters, posteriors, labels);
    return { words, isSilent: false, isTrusted: disagreement <= MOST_DISAGREEMENT, disagreement };
  };
  const { take, keep } = keepAnswer((samples) => hear(samples, graphs));
  const parts = {
    labels: graphs.labels,
    hear: take,
    hearForLanguage: keep,
    compareLanguages: (sound: HeardSound) => compareLanguages(graphs, sound),
  };
  const readAny = async (sound: HeardSound, language: Language, signal: AbortSignal) => {
    const mixed = language === 'english' ? null : await readMixed({ ...parts, readAs }, sound, language, signal);
    return mixed ?? readAs(sound, language, signal);
  };
  const readings = new WeakMap<HeardSound, Map<Language, ReadSpeech>>();
  return {
    ...parts,
    async read(sound, language, signal) {
      // A language that was identified by reading is not read a second time.
      const read = readings.get(sound) ?? new Map<Language, ReadSpeech>();
      readings.set(sound, read);
      const speech = read.get(language) ?? (await readAny(sound, language, signal));
      read.set(language, speech);
      return speech;
    },
    recognizeSyllables: ({ posteriors }, language) => decoderOf(language).recognizeSyllables(posteriors[language]),
    close: () => graphs.close(),
  };
}

async function hear(samples: Float32Array, graphs: ListenerGraphs): Promise<HeardSound> {
  const lower = await graphs.enter(withSilence(samples));
  const frameSamples = (graphs.labels.cantonese.frameMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
  const sounding = firstFrames(lower, Math.ceil(samples.length / frameSamples));
  let encoded: Promise<EncodedSound> | null = null;
  return { ...(await graphs.hear(sounding)), samples, encode: () => (encoded ??= graphs.encode(lower)) };
}

/** The first frames of what the shared layers give. */
function firstFrames({ data, dims }: LowerLayers, count: number): LowerLayers {
  const [, frameCount = 0, width = 0] = dims;
  const kept = Math.max(1, Math.min(count, frameCount));
  return { data: data.subarray(0, kept * width), dims: [1, kept, width] };
}

/** Sound with silence behind it. */
function withSilence(samples: Float32Array): Float32Array {
  if (samples.length > LONGEST_SOUND_S * RECOGNIZER_SAMPLE_RATE_HZ) {
    throw new AppError('engine_failed', undefined, { cause: 'the sound is longer than the listener takes' });
  }
  const sound = new Float32Array(samples.length + SILENCE_S * RECOGNIZER_SAMPLE_RATE_HZ);
  sound.set(samples);
  return sound;
}

function openSpelling(language: Language, { labels }: ListenerGraphs, modelsDir: string): Spelling {
  if (language === 'english') return englishSpelling(labels.english);
  const model = loadLanguageModel(modelFiles(modelsDir, language).languageModel);
  return chineseSpelling(language, labels[language], model);
}

function promptOf(language: Language, { decoder: { special, prompts } }: ListenerGraphs): number[] {
  const before = prompts[language];
  return [
    ...(before === undefined ? [] : [special.previous, ...before]),
    special.start,
    language === 'english' ? special.english : special.chinese,
    special.transcribe,
    special.noTimestamps,
  ];
}

function suppressedTokens({ size, bytes }: Vocabulary, { decoder }: ListenerGraphs): (token: number) => boolean {
  const suppressed = new Uint8Array(size);
  for (let token = 0; token < size; token++) {
    const piece = Buffer.from(bytes(token)).toString('utf8');
    if (piece === '' || NUMERAL.test(piece)) suppressed[token] = 1;
  }
  for (const token of decoder.suppressed) suppressed[token] = 1;
  if (suppressed.every((value) => value === 1)) {
    throw new AppError('engine_unavailable', 'The vocabulary of the listener is damaged.');
  }
  return (token) => suppressed[token] === 1;
}

/** Log-probability of the likeliest symbols, frame by frame. */
function bestPathLogp(logp: Float32Array, width: number): number {
  let total = 0;
  for (let row = 0; row < logp.length; row += width) {
    let best = -Infinity;
    for (let column = 0; column < width; column++) best = Math.max(best, logp[row + column] ?? -Infinity);
    total += best;
  }
  return total;
}
