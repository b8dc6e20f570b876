import { asTable, type TableFormat } from '../report.ts';
import { asCopied, inSimplified } from './conversions.ts';
import { readingFigures, type ReadingFigures } from './reading-figures.ts';
import type { TextPart } from './text-parts.ts';

type TextOptions = {
  parts: readonly TextPart[];
  /** A folder with `commonvoice-yue.txt`, `hkcancor.tsv` and `rime-lexicon.tsv`. */
  texts: string;
  /** Whether everything that differs is listed. */
  isVerbose: boolean;
  format: TableFormat;
};

/** The largest share of syllables that the script of a text may change. */
const MAX_DIFFERENT = 0.002;

const HEADER = ['sentences in', 'sentences', 'read differently', 'syllables', 'read differently'];

/** Prints how texts are read, part by part. Returns 1 when a part misses its goal. */
export function runText({ parts, texts, isVerbose, format }: TextOptions): number {
  const figures = parts.flatMap((part) => readingFigures(texts, part === 'script' ? inSimplified(texts) : asCopied()));
  console.log(asTable(HEADER, figures.map(rowOf), format));
  if (isVerbose) console.log(figures.flatMap(({ differences }) => differences).join('\n'));
  return figures.every(({ syllables, differences }) => differences.length <= MAX_DIFFERENT * syllables) ? 0 : 1;
}

function rowOf({ conversion, sentences, differentSentences, syllables, differences }: ReadingFigures): string[] {
  return [
    conversion,
    String(sentences),
    shareOf(differentSentences, sentences),
    String(syllables),
    shareOf(differences.length, syllables),
  ];
}

function shareOf(count: number, total: number): string {
  return `${count} (${((100 * count) / total).toFixed(2)} %)`;
}
