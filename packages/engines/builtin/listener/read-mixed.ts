import { mean } from '@jyutsing/numeric/statistics';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language, Word } from '@jyutsing/contracts/transcript';
import type { HeardSound } from './compare-languages.ts';
import { englishStretches, type Stretch } from './english-stretches.ts';
import type { ListenerGraphs } from './graphs.ts';

type ChineseLanguage = Exclude<Language, 'english'>;

export type ReadSpeech = {
  words: Word[];
  /** The heads hear nothing. */
  isSilent: boolean;
  /** Nats a symbol by which the text is less likely to the heads than the best symbols for it. */
  disagreement: number;
  /**
   * False where the heads hear something else: the decoder does not understand the voice and writes
   * what it likes.
   */
  isTrusted: boolean;
};

/** Hears and reads a part of a sound again. */
type PartReader = {
  labels: ListenerGraphs['labels'];
  hear(samples: Float32Array): Promise<HeardSound>;
  compareLanguages(sound: HeardSound): Promise<number[]>;
  /** Reads a sound as speech of one language. */
  readAs(sound: HeardSound, language: Language, signal: AbortSignal): Promise<ReadSpeech>;
};

type ReadPart = { startMs: number; endMs: number; language: Language; words: readonly Word[] };

/** Sound before and after a stretch of English that is heard with it. */
const MARGIN_MS = 100;
/** Chinese between stretches of English that is too short for a syllable. */
const SHORTEST_MS = 150;
/** Least mean probability of the words of English. */
const LEAST_CONFIDENCE = 0.3;
/** Most nats a symbol by which English may be less likely to its head than the best letters. */
const MOST_DISAGREEMENT = 2;
/** Nats a symbol by which English must fit its head better than Chinese does. */
const LEAST_GAIN = 1;
/** Most nats by which the decoder may take a stretch of English for Chinese. */
const MOST_CHINESE = 3.5;
/** A shorter pause between two languages ends no sentence. */
const SENTENCE_PAUSE_MS = 500;

const MARK = /^[\p{P}\s]+$/u;
const SENTENCE_END = /^[.?!。？！]$/u;
/** A word that only the beginning of a sentence gives its capital. */
const CAPITALIZED = /^(?!I(?:$|['’]))\p{Lu}[\p{Ll}'’-]*$/u;

/**
 * Reads Chinese speech with English in it: what is likely English is read for itself, and the rest
 * between as Chinese, because the decoder writes one language and leaves out the other. Null where
 * there is no English.
 */
export async function readMixed(
  reader: PartReader,
  sound: HeardSound,
  chinese: ChineseLanguage,
  signal: AbortSignal,
): Promise<ReadSpeech | null> {
  const english: ReadPart[] = [];
  for (const stretch of englishStretches(sound, chinese, reader.labels)) {
    const read = await readEnglish(reader, sound, stretch, chinese, signal);
    if (read !== null) english.push(read);
  }
  if (english.length === 0) return null;
  const parts: ReadPart[] = [];
  let reachedMs = 0;
  for (const part of [...english, null]) {
    const endMs = part?.startMs ?? Infinity;
    const piece = endMs - reachedMs < SHORTEST_MS ? null : slice(sound.samples, reachedMs, endMs);
    if (piece !== null && piece.length > 0) {
      const { words } = await reader.readAs(await reader.hear(piece), chinese, signal);
      parts.push({ startMs: reachedMs, endMs, language: chinese, words: later(words, reachedMs) });
    }
    if (part !== null) parts.push(part);
    reachedMs = part?.endMs ?? reachedMs;
  }
  return { words: joinParts(parts), isSilent: false, isTrusted: true, disagreement: 0 };
}

/** Reads a stretch as English; null where it is Chinese rather. */
async function readEnglish(
  reader: PartReader,
  { samples }: HeardSound,
  { startFrame, endFrame }: Stretch,
  chinese: ChineseLanguage,
  signal: AbortSignal,
): Promise<ReadPart | null> {
  const { frameMs } = reader.labels.english;
  const fromMs = Math.max(0, startFrame * frameMs - MARGIN_MS);
  const piece = await reader.hear(slice(samples, fromMs, endFrame * frameMs + MARGIN_MS));
  const { words, disagreement } = await reader.readAs(piece, 'english', signal);
  const spoken = words.filter(({ text }) => !MARK.test(text));
  const isClear = spoken.length > 0 && mean(spoken.map(({ confidence }) => confidence ?? 0)) >= LEAST_CONFIDENCE;
  if (!isClear || disagreement > MOST_DISAGREEMENT) return null;
  const other = await reader.readAs(piece, chinese, signal);
  if (!other.isSilent && other.disagreement < disagreement + LEAST_GAIN) return null;
  if ((await reader.compareLanguages(piece)).at(-1)! > MOST_CHINESE) return null;
  const [startMs, endMs] = [startFrame * frameMs, endFrame * frameMs];
  return { startMs, endMs, language: 'english', words: later(words, fromMs) };
}

const sampleAt = (timeMs: number): number => Math.round((timeMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000);

function slice(samples: Float32Array, fromMs: number, toMs: number): Float32Array {
  return samples.subarray(sampleAt(fromMs), Math.min(samples.length, sampleAt(toMs)));
}

function later(words: readonly Word[], byMs: number): Word[] {
  return words.map((word) => ({ ...word, startMs: word.startMs + byMs, endMs: word.endMs + byMs }));
}

/**
 * The words of all parts. Each part was read as sentences of its own, so the marks at its end go
 * where no pause follows, and English within a sentence begins with a small letter.
 */
function joinParts(parts: readonly ReadPart[]): Word[] {
  const joined: Word[] = [];
  for (const { language, words } of parts) {
    const [first] = words;
    if (first === undefined) continue;
    const lastSpoken = joined.findLast(({ text }) => !MARK.test(text));
    const pauseMs = first.startMs - (lastSpoken?.endMs ?? -Infinity);
    if (pauseMs < SENTENCE_PAUSE_MS) {
      while (MARK.test(joined.at(-1)?.text ?? 'a')) joined.pop();
    }
    const before = joined.at(-1)?.text ?? '.';
    const isWithin = language === 'english' && !SENTENCE_END.test(before);
    joined.push(...(isWithin ? [withSmallLetter(first), ...words.slice(1)] : words));
  }
  return joined;
}

function withSmallLetter(word: Word): Word {
  return CAPITALIZED.test(word.text) ? { ...word, text: word.text.toLowerCase() } : word;
}
