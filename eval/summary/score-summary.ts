import { toSimplified } from '@jyutsing/text/script/convert-script';
import type { Form, KeyedTranscript } from './transcripts.ts';

/**
 * Minimum share of a key sentence in the summary: sentences cut from captions can be a word off.
 */
const KEPT_SHARE = 2 / 3;

export type SummaryScore = {
  keySentences: number;
  kept: number;
  /** Share of the characters of all key sentences that are in the summary. */
  keyCharactersKept: number;
  /** Length of the summary as a share of the transcript, in letters and digits. */
  lengthShare: number;
  /** Whether the whole summary was found in the transcript, in order. */
  isExtract: boolean;
};

/** Score of one summarizer on one form of one transcript. */
export type SummaryRow = { summarizer: string; transcript: string; language: string; form: Form } & SummaryScore;

/** Scores a summary against the key sentences. Sentences are matched by letters and digits only. */
export function scoreSummary({ sentences }: KeyedTranscript, summary: string): SummaryScore {
  const sentenceLetters = sentences.map(({ text }) => lettersOf(text));
  const transcript = sentenceLetters.join('');
  const taken = new Uint8Array(transcript.length);
  let isExtract = true;
  let from = 0;
  for (const sentence of summary.split(/(?<=[。！？!?])|(?<=[.!?…])\s/u).map(lettersOf)) {
    if (sentence === '') continue;
    const at = transcript.indexOf(sentence, from);
    if (at < 0) {
      isExtract = false;
      continue;
    }
    taken.fill(1, at, at + sentence.length);
    from = at + sentence.length;
  }
  let start = 0;
  let kept = 0;
  let keyCharacters = 0;
  let keptCharacters = 0;
  sentenceLetters.forEach((text, index) => {
    const covered = taken.subarray(start, start + text.length).reduce((sum, bit) => sum + bit, 0);
    start += text.length;
    if (!sentences[index]!.isKey) return;
    keyCharacters += text.length;
    keptCharacters += covered;
    if (covered >= KEPT_SHARE * text.length) kept += 1;
  });
  return {
    keySentences: sentences.filter(({ isKey }) => isKey).length,
    kept,
    keyCharactersKept: keptCharacters / Math.max(1, keyCharacters),
    lengthShare: lettersOf(summary).length / Math.max(1, transcript.length),
    isExtract,
  };
}

/** Normalizes for comparison: letters and digits, lower case, Simplified Chinese. */
export function lettersOf(text: string): string {
  // OpenCC turns 么 into 幺 when a word is cut in two.
  return toSimplified(text.toLowerCase())
    .replace(/[^\p{L}\p{M}\d]+/gu, '')
    .replaceAll('幺', '么');
}
