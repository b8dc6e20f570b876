import { asTable, type TableFormat } from '../report.ts';
import { scriptFigures } from './script-figures.ts';
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

/** Prints how texts are read, part by part. Returns 1 when a part misses its goal. */
export function runText({ parts, texts, isVerbose, format }: TextOptions): number {
  return Math.max(...parts.map((part) => PARTS[part](texts, isVerbose, format)));
}

const shareOf = (count: number, total: number) => `${count} (${((100 * count) / total).toFixed(2)} %)`;

const PARTS: Readonly<Record<TextPart, (texts: string, isVerbose: boolean, format: TableFormat) => number>> = {
  script: (texts, isVerbose, format) => {
    const figures = scriptFigures(texts);
    const rows = figures.map(({ conversion, sentences, differentSentences, syllables, differences }) => [
      conversion,
      String(sentences),
      shareOf(differentSentences, sentences),
      String(syllables),
      shareOf(differences.length, syllables),
    ]);
    const header = ['Simplified by', 'sentences', 'read differently', 'syllables', 'read differently'];
    console.log(asTable(header, rows, format));
    if (isVerbose) console.log(figures.flatMap(({ differences }) => differences).join('\n'));
    return figures.every(({ syllables, differences }) => differences.length <= MAX_DIFFERENT * syllables) ? 0 : 1;
  },
};
