import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { romanisedUnits, speakSentence } from './spoken-sentences.ts';

/** A sentence with names and terms in it, as fusion-sentences.tsv has them. */
export type FusionSentence = {
  text: string;
  /** What is said, with commas for pauses. */
  jyutping: string;
  /** The terms that stand in the text. */
  terms: string[];
  /** The shipped corpus that has them, or PRIVATE. */
  topic: string;
  /** Weights are chosen on one half and judged on the other. */
  half: 'tuned' | 'judged';
};

/** A sentence in the sound of one voice. */
export type SpokenSentence = FusionSentence & { path: string; units: string[]; speaker: string };

/** The topic of sentences whose terms are made up: no list can have them. */
export const PRIVATE = 'private';
/** The voices of a sentence, counted from its own number: three of the ten. */
const VOICE_STEPS = [0, 3, 7];

/** Reads the sentences. */
export async function readFusionSentences(): Promise<FusionSentence[]> {
  const table = await readFile(join(import.meta.dirname, 'fusion-sentences.tsv'), 'utf8');
  return table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [text = '', jyutping = '', terms = '', topic = ''] = line.split('\t');
      return { text, jyutping, terms: terms.split('|'), topic, half: halfOf(text) };
    });
}

/** By the text's SHA-256, so that a sentence stays in its half whatever is added. */
function halfOf(text: string): FusionSentence['half'] {
  return createHash('sha256').update(text).digest()[0]! % 2 === 0 ? 'tuned' : 'judged';
}

/** Speaks sentences with espeak-ng, each in three voices of which five are in no training; sound is kept in `cacheDir`. */
export async function speakFusionSentences(
  cacheDir: string,
  sentences: readonly FusionSentence[],
): Promise<SpokenSentence[]> {
  await mkdir(cacheDir, { recursive: true });
  const spoken: SpokenSentence[] = [];
  for (const [index, sentence] of sentences.entries()) {
    for (const step of VOICE_STEPS) {
      const { path, variant } = await speakSentence(cacheDir, 'cantonese', sentence.jyutping, index + step);
      const units = romanisedUnits('cantonese', sentence.jyutping);
      spoken.push({ ...sentence, path, units, speaker: variant || 'plain' });
    }
  }
  return spoken;
}
