import { toSimplified } from '@jyutsing/text/script';
import type { Form, KeyedTranscript } from './transcripts.ts';

/** A key sentence is kept when so much of it stands in the summary: sentences cut from captions end a word off now and then. */
const KEPT_SHARE = 2 / 3;

export type SummaryScore = {
  keySentences: number;
  kept: number;
  /** Share of the characters of all key sentences that stand in the summary. */
  keyCharactersKept: number;
  /** Length of the summary as a share of the transcript, letters and digits only. */
  lengthShare: number;
  /** Whether all of the summary was found in the transcript, in order. */
  isExtract: boolean;
};

/** What one summariser made of one form of one transcript. */
export type SummaryRow = { summarizer: string; transcript: string; language: string; form: Form } & SummaryScore;

/** Compares a summary with what should be kept. Sentences are found in the transcript by their letters and digits alone. */
export function scoreSummary({ sentences }: KeyedTranscript, summary: string): SummaryScore {
  const said = sentences.map(({ text }) => lettersOf(text));
  const transcript = said.join('');
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
  said.forEach((text, index) => {
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

/** What sentences are compared by: letters and digits, lower-case, Chinese in Simplified characters. */
export function lettersOf(text: string): string {
  // 么 becomes 幺 where its word is cut in two.
  return toSimplified(text.toLowerCase())
    .replace(/[^\p{L}\p{M}\d]+/gu, '')
    .replaceAll('幺', '么');
}
