import { median, quantile } from '@jyutsing/numeric/statistics';
import type { Language, Word } from '@jyutsing/contracts/transcript';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { loadEngines } from '@jyutsing/engines/registry';
import { resample, speakTimed } from '#testbed/sound/espeak-speech.ts';
import type { SpokenWord } from '#testbed/sound/kept-speech.ts';
import { asChunks } from './sound.ts';
import { spokenVoice } from './spoken-sentences.ts';
import type { EngineLocation } from './tasks.ts';

/**
 * Deviation of word times from those of the synthesizer; positive: too late. Milliseconds; shares
 * 0..1.
 */
export type TimestampRow = {
  language: Language;
  backend: string;
  /** Characters or words spoken, and those of them that were recognized and can be compared. */
  spoken: number;
  compared: number;
  start: ErrorFigures;
  end: ErrorFigures;
};
type ErrorFigures = { medianMs: number; p95AbsoluteMs: number; within80Ms: number };

/** Deviation within which a time counts as right. */
const TOLERANCE_MS = 80;
/** Silence around each sentence, so that its start and end must be detected. */
const SILENCE_MS = 400;

/**
 * Measures word times of a language's best model on synthesized sentences with known syllable
 * times.
 */
export async function evaluateTimestamps(
  language: Language,
  sentences: readonly { spoken: string }[],
  place: EngineLocation,
  done: (count: number) => void,
): Promise<TimestampRow> {
  const registry = await loadEngines(place);
  const ref = registry.select('recognizer', { language });
  const recognizer = await registry.open(ref);
  const starts: number[] = [];
  const ends: number[] = [];
  let spokenCount = 0;
  for (const [index, { spoken }] of sentences.entries()) {
    const { sound, words } = await speakTimed(spoken, spokenVoice(language, index));
    const recognized: Word[] = [];
    const samples = padded(resample(sound.channels[0]!, sound.sampleRateHz, RECOGNIZER_SAMPLE_RATE_HZ));
    const options = { language, context: null, romanize: false };
    for await (const event of recognizer.recognize(asChunks(samples), options, new AbortController().signal)) {
      if (event.type === 'segment-end') recognized.push(...event.segment.words);
    }
    const reference = words.filter(({ text }) => /\p{L}/u.test(text));
    spokenCount += reference.length;
    for (const [truth, word] of pairs(reference, recognized)) {
      starts.push(word.startMs - SILENCE_MS - truth.startMs);
      ends.push(word.endMs - SILENCE_MS - truth.endMs);
    }
    done(index + 1);
  }
  await recognizer.close();
  const [start, end] = [figures(starts), figures(ends)];
  return { language, backend: ref.model, spoken: spokenCount, compared: starts.length, start, end };
}

function padded(samples: Float32Array): Float32Array {
  const silence = (SILENCE_MS * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
  const all = new Float32Array(samples.length + 2 * silence);
  all.set(samples, silence);
  return all;
}

/**
 * Pairs spoken and recognized words by the longest common subsequence of readings (English:
 * spellings).
 */
function pairs(spoken: readonly SpokenWord[], recognized: readonly Word[]): [SpokenWord, Word][] {
  const isSame = (i: number, j: number) => {
    const { text, reading } = recognized[j]!;
    return spoken[i]!.text.toLowerCase() === (/\p{Script=Han}/u.test(text) ? reading : text.toLowerCase());
  };
  const lengths = Array.from({ length: spoken.length + 1 }, () => new Int32Array(recognized.length + 1));
  for (let i = spoken.length - 1; i >= 0; i -= 1) {
    for (let j = recognized.length - 1; j >= 0; j -= 1) {
      const skipped = Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
      lengths[i]![j] = isSame(i, j) ? Math.max(skipped, 1 + lengths[i + 1]![j + 1]!) : skipped;
    }
  }
  const found: [SpokenWord, Word][] = [];
  for (let i = 0, j = 0; i < spoken.length && j < recognized.length;) {
    if (isSame(i, j) && lengths[i]![j] === 1 + lengths[i + 1]![j + 1]!) found.push([spoken[i++]!, recognized[j++]!]);
    else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i += 1;
    else j += 1;
  }
  return found;
}

function figures(errorsMs: readonly number[]): ErrorFigures {
  const absolute = errorsMs.map(Math.abs);
  return {
    medianMs: median(errorsMs, 0),
    p95AbsoluteMs: quantile(absolute, 0.95, 0),
    within80Ms: absolute.filter((error) => error <= TOLERANCE_MS).length / Math.max(1, absolute.length),
  };
}
