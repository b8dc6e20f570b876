import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { romanizedUnits, speakSentence } from '../spoken-sentences.ts';

/** Row of fusion-sentences.tsv: a sentence with names and terms. */
export type FusionSentence = {
  text: string;
  /** Pronunciation, with commas for pauses. */
  jyutping: string;
  /** Terms that occur in the text. */
  terms: string[];
  /** Shipped corpus that contains them, or PRIVATE. */
  topic: string;
  /** Weights are tuned on one half and evaluated on the other. */
  half: 'tuned' | 'judged';
};

/** Sentence as spoken by one voice. */
export type SpokenSentence = FusionSentence & { path: string; units: string[]; speaker: string };

/** Topic of sentences with made-up terms, which no corpus contains. */
export const PRIVATE = 'private';
/** Offsets of the three voices (of ten) that speak a sentence, relative to its index. */
const VOICE_STEPS = [0, 3, 7];

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

/** Assigns a half by the SHA-256 of the text, so that adding sentences moves none. */
function halfOf(text: string): FusionSentence['half'] {
  return createHash('sha256').update(text).digest()[0]! % 2 === 0 ? 'tuned' : 'judged';
}

/**
 * Synthesizes each sentence in three voices of espeak-ng (five of the ten are in no training);
 * caches audio in `cacheDir`.
 */
export async function speakFusionSentences(
  cacheDir: string,
  sentences: readonly FusionSentence[],
): Promise<SpokenSentence[]> {
  await mkdir(cacheDir, { recursive: true });
  const spoken: SpokenSentence[] = [];
  for (const [index, sentence] of sentences.entries()) {
    for (const step of VOICE_STEPS) {
      const { path, variant } = await speakSentence(cacheDir, 'cantonese', sentence.jyutping, index + step);
      const units = romanizedUnits('cantonese', sentence.jyutping);
      spoken.push({ ...sentence, path, units, speaker: variant || 'plain' });
    }
  }
  return spoken;
}
