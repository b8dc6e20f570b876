import type { Language, Word } from '@jyutsing/contracts/transcript';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { loadEngines } from '@jyutsing/engines/registry';
import { resample, speakTimed, type SpokenWord } from '#test/espeak-speech.ts';
import { asChunks } from './sound.ts';
import { spokenVoice } from './spoken-sentences.ts';
import type { EngineLocation } from './tasks.ts';

/** How far times are from those at which the synthesiser spoke; positive: too late. Milliseconds; shares 0..1. */
export type TimestampRow = {
  language: Language;
  backend: string;
  /** Characters or words that were spoken, and of these the ones that were recognised and so can be compared. */
  spoken: number;
  compared: number;
  start: ErrorFigures;
  end: ErrorFigures;
};
export type ErrorFigures = { medianMs: number; p95AbsoluteMs: number; within80Ms: number };

/** What counts as true. */
const TOLERANCE_MS = 80;
/** Around each sentence, so that its beginning and end are found and not given. */
const SILENCE_MS = 400;

/** Measures the times of the best model of a language on sentences (`readSentences`) whose synthesis tells when each syllable is said. */
export async function evaluateTimestamps(
  language: Language,
  sentences: readonly { spoken: string }[],
  place: EngineLocation,
  done: (count: number) => void,
): Promise<TimestampRow> {
  const registry = await loadEngines(place);
  const { engine, model } = registry.chooseRecognizer(language, 'auto');
  const recognizer = await engine.open(place.env, model.name);
  const starts: number[] = [];
  const ends: number[] = [];
  let spokenCount = 0;
  for (const [index, { spoken }] of sentences.entries()) {
    const { sound, words } = await speakTimed(spoken, spokenVoice(language, index));
    const heard: Word[] = [];
    const samples = padded(resample(sound.channels[0]!, sound.sampleRateHz, RECOGNIZER_SAMPLE_RATE_HZ));
    const options = { language, context: null, romanize: false };
    for await (const event of recognizer.recognize(asChunks(samples), options, new AbortController().signal)) {
      if (event.type === 'segment-end') heard.push(...event.segment.words);
    }
    const said = words.filter(({ text }) => /\p{L}/u.test(text));
    spokenCount += said.length;
    for (const [truth, word] of pairs(said, heard)) {
      starts.push(word.startMs - SILENCE_MS - truth.startMs);
      ends.push(word.endMs - SILENCE_MS - truth.endMs);
    }
    done(index + 1);
  }
  await recognizer.close();
  const [start, end] = [figures(starts), figures(ends)];
  return { language, backend: model.name, spoken: spokenCount, compared: starts.length, start, end };
}

function padded(samples: Float32Array): Float32Array {
  const silence = (SILENCE_MS * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
  const all = new Float32Array(samples.length + 2 * silence);
  all.set(samples, silence);
  return all;
}

/** What was said beside what was heard, where they are the same: the longest common subsequence of their readings (English: spellings). */
function pairs(said: readonly SpokenWord[], heard: readonly Word[]): [SpokenWord, Word][] {
  const isSame = (i: number, j: number) => {
    const { text, reading } = heard[j]!;
    return said[i]!.text.toLowerCase() === (/\p{Script=Han}/u.test(text) ? reading : text.toLowerCase());
  };
  const lengths = Array.from({ length: said.length + 1 }, () => new Int32Array(heard.length + 1));
  for (let i = said.length - 1; i >= 0; i -= 1) {
    for (let j = heard.length - 1; j >= 0; j -= 1) {
      const skipped = Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
      lengths[i]![j] = isSame(i, j) ? Math.max(skipped, 1 + lengths[i + 1]![j + 1]!) : skipped;
    }
  }
  const found: [SpokenWord, Word][] = [];
  for (let i = 0, j = 0; i < said.length && j < heard.length;) {
    if (isSame(i, j) && lengths[i]![j] === 1 + lengths[i + 1]![j + 1]!) found.push([said[i++]!, heard[j++]!]);
    else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i += 1;
    else j += 1;
  }
  return found;
}

function figures(errorsMs: readonly number[]): ErrorFigures {
  const sorted = errorsMs.toSorted((a, b) => a - b);
  const absolute = errorsMs.map(Math.abs).sort((a, b) => a - b);
  return {
    medianMs: sorted[sorted.length >> 1] ?? 0,
    p95AbsoluteMs: absolute[Math.floor(absolute.length * 0.95)] ?? 0,
    within80Ms: absolute.filter((error) => error <= TOLERANCE_MS).length / Math.max(1, absolute.length),
  };
}
