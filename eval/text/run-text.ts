import { asTable, type TableFormat } from '../report.ts';
import { changedForms } from './changed-forms.ts';
import { asCopied, inSimplified } from './conversions.ts';
import { writingFigures } from './hong-kong-figures.ts';
import { languageFigures } from './language-figures.ts';
import { readingFigures } from './reading-figures.ts';
import { CHARACTERS_OF_INTEREST, spokenReadingFigures, type Count } from './spoken-readings.ts';
import type { TextPart } from './text-parts.ts';

type TextOptions = {
  parts: readonly TextPart[];
  /** A folder with `commonvoice-yue.txt`, `hkcancor.tsv` and `rime-lexicon.tsv`. */
  texts: string;
  /** Whether everything that differs is listed. */
  isVerbose: boolean;
  /** A Python interpreter with other packages that read Cantonese, to compare; null for none. */
  python: string | null;
  /** The commit with which `changes` compares. */
  against: string;
  format: TableFormat;
};

/** The table of a part, what is listed with `--verbose`, and whether the part reaches its goal. */
type PartReport = { header: string[]; rows: string[][]; details: string[]; isReached: boolean };

/** The largest share of syllables that the script of a text may change. */
const MAX_DIFFERENT = 0.002;
/** The least share of characters that are read as people read them. */
const MIN_RIGHT = 0.99;
/** The largest share of sentences that may be written otherwise than in Hong Kong. */
const MAX_WRONG = 0.03;

type MakeReport = (texts: string, options: Pick<TextOptions, 'python' | 'against'>) => PartReport | Promise<PartReport>;

const REPORTS: Readonly<Record<TextPart, MakeReport>> = {
  script: (texts) => reportReadings(texts, inSimplified(texts)),
  pdf: (texts) => reportReadings(texts, asCopied()),
  'hong-kong': reportWriting,
  readings: (texts, { python }) => reportSpokenReadings(texts, python),
  language: (_, { python }) => reportLanguages(python),
  changes: (texts, { against }) => reportChanges(texts, against),
};

/** Prints how texts are read and written, by part. Resolves to 1 when a part misses its goal. */
export async function runText({ parts, texts, isVerbose, format, ...options }: TextOptions): Promise<number> {
  const reports: PartReport[] = [];
  for (const part of parts) reports.push(await REPORTS[part](texts, options));
  for (const [index, { header, rows, details }] of reports.entries()) {
    console.log(`${asTable(header, rows, format)}\n`);
    if (isVerbose || parts[index] === 'changes') console.log(`${details.join('\n')}\n`);
  }
  return reports.every(({ isReached }) => isReached) ? 0 : 1;
}

function reportReadings(texts: string, conversions: Parameters<typeof readingFigures>[1]): PartReport {
  const figures = readingFigures(texts, conversions);
  return {
    header: ['read as', 'sentences', 'read differently', 'syllables', 'read differently'],
    rows: figures.map(({ conversion, sentences, differentSentences, syllables, differences }) => [
      conversion,
      String(sentences),
      shareOf(differentSentences, sentences),
      String(syllables),
      shareOf(differences.length, syllables),
    ]),
    details: figures.flatMap(({ differences }) => differences),
    isReached: figures.every(({ syllables, differences }) => differences.length <= MAX_DIFFERENT * syllables),
  };
}

function reportWriting(texts: string): PartReport {
  const figures = writingFigures(texts);
  return {
    header: ['written for Hong Kong', 'sentences', 'written otherwise'],
    rows: figures.map(({ name, sentences, wrong }) => [name, String(sentences), shareOf(wrong.length, sentences)]),
    details: figures.flatMap(({ wrong }) => wrong),
    isReached: figures.every(({ sentences, wrong }) => wrong.length <= MAX_WRONG * sentences),
  };
}

function reportSpokenReadings(texts: string, python: string | null): PartReport {
  const figures = spokenReadingFigures(texts, python);
  return {
    header: ['read as people do', 'characters', ...figures.map(({ reader }) => reader)],
    rows: [
      ['all', String(figures[0]?.all.characters), ...figures.map(({ all }) => rightShare(all))],
      ...CHARACTERS_OF_INTEREST.flatMap((character) => [
        [
          character,
          String(figures[0]?.byCharacter.get(character)?.characters),
          ...figures.map(({ byCharacter }) => rightShare(byCharacter.get(character))),
        ],
        [
          `${character}, where transcribers agree`,
          String(figures[0]?.agreed.get(character)?.characters),
          ...figures.map(({ agreed }) => rightShare(agreed.get(character))),
        ],
      ]),
    ],
    details: figures.slice(0, 1).flatMap(({ mistakes }) => mistakes),
    isReached: figures.slice(0, 1).every(({ all }) => all.right >= MIN_RIGHT * all.characters),
  };
}

function reportLanguages(python: string | null): PartReport {
  const figures = languageFigures(python);
  const packages = figures[0]?.packages ?? [];
  return {
    header: [
      'language without one in the request',
      'sentences',
      'taken for another',
      ...packages.flatMap(({ name }) => [name, 'undecided']),
    ],
    rows: figures.map((row) => [
      row.name,
      String(row.sentences),
      shareOf(row.wrong.length, row.sentences),
      ...row.packages.flatMap(({ wrong, undecided }) => [wrong, undecided].map(String)),
    ]),
    details: figures.flatMap(({ wrong }) => wrong),
    isReached:
      figures.reduce((sum, { wrong }) => sum + wrong.length, 0) <=
      MAX_WRONG * figures.reduce((sum, { sentences }) => sum + sentences, 0),
  };
}

async function reportChanges(texts: string, commit: string): Promise<PartReport> {
  const figures = await changedForms(commit, texts);
  return {
    header: [`said otherwise than by ${commit}`, 'lines', 'changed', 'processor time'],
    rows: figures.map(({ language, lines, changed, cost }) => [
      language,
      String(lines),
      shareOf(changed.length, lines),
      `× ${cost.toFixed(2)}`,
    ]),
    details: figures.flatMap(({ changed }) =>
      changed.flatMap(({ text, before, after }) => [text, `  - ${before}`, `  + ${after}`]),
    ),
    isReached: true,
  };
}

function rightShare({ right, characters }: Count = { right: 0, characters: 0 }): string {
  return shareOf(right, characters);
}

function shareOf(count: number, total: number): string {
  return `${count} (${((100 * count) / total).toFixed(2)} %)`;
}
