import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@jyutsing/contracts/errors';
import { normalizeSyllable, pronunciationVariants } from '@jyutsing/text/syllables/jyutping';

/**
 * Writes `models/cantonese-readings/readings-in-use.tsv`: the readings of a character that are in
 * use, by their frequency in words. Dictionaries list nine of 行, three of which are in use.
 *
 *     node training/pronunciation/readings/build-cantonese.ts --texts FOLDER
 *
 * FOLDER holds `rime-lexicon.tsv` and `rime-word-frequency.txt` (rime-cantonese, CC BY 4.0) and
 * `hkcancor.tsv` (HKCanCor, CC BY).
 */
const OUT = new URL('../../../models/cantonese-readings/readings-in-use.tsv', import.meta.url);

/**
 * Marks of the lexicon: none for a usual reading, 5 % for another usual one, 3 % for a literary or
 * rare, 0 % for an obsolete one.
 */
const WEIGHT: Readonly<Record<string, number>> = { '': 1, '5%': 1, '3%': 0.03, '0%': 0.003 };
/** Minimum share of a character's occurrences for readings marked as usual, and for others. */
const MIN_USUAL_SHARE = 0.02;
const MIN_OTHER_SHARE = 0.06;
/**
 * Minimum occurrences in speech to derive the readings of a character as a word of its own, and
 * their minimum share.
 */
const MIN_SPOKEN_COUNT = 8;
const MIN_SPOKEN_SHARE = 0.04;
/** Readings that the speech transcripts write with an outdated character (now 仲, 嚟, 畀, 呢). */
const OTHERWISE_WRITTEN = new Set(['重 zung6', '來 lai4', '來 lei4', '俾 bei2', '翻 faan1', '喇 laa1']);

type Counts = Map<string, Map<string, number>>;

function add(counts: Counts, char: string, reading: string, by: number): void {
  const readingCounts = counts.get(char) ?? new Map<string, number>();
  readingCounts.set(reading, (readingCounts.get(reading) ?? 0) + by);
  counts.set(char, readingCounts);
}

function sharesOf(counts: Map<string, number> | undefined, least: number): Map<string, number> | null {
  const total = [...(counts?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  if (counts === undefined || total < least) return null;
  return new Map([...counts].map(([reading, count]) => [reading, count / total]));
}

const { values } = parseArgs({ options: { texts: { type: 'string' } } });
if (values.texts === undefined) throw new AppError('invalid_request', 'Missing option: --texts FOLDER.');
const linesOf = (name: string) =>
  readFileSync(join(values.texts ?? '', name), 'utf8')
    .split('\n')
    .filter(Boolean);

const frequency = new Map(
  linesOf('rime-word-frequency.txt').map((line): [string, number] => {
    const [word = '', count = '0'] = line.split('\t');
    return [word, Number(count)];
  }),
);
const lexicon: Counts = new Map();
for (const line of linesOf('rime-lexicon.tsv')) {
  const [word = '', jyutping = '', mark = ''] = line.split('\t');
  add(lexicon, word, jyutping, WEIGHT[mark] ?? 1);
}

/** Occurrences within words of several characters, and usual readings of single characters. */
const inWords: Counts = new Map();
const usual = new Map<string, Set<string>>();
for (const [word, readings] of lexicon) {
  const chars = Array.from(word);
  const shares = sharesOf(readings, 0) ?? new Map<string, number>();
  for (const [jyutping, share] of shares) {
    const syllables = jyutping.split(' ').map((syllable) => normalizeSyllable(syllable) ?? '');
    if (chars.length === 1) {
      if ((readings.get(jyutping) ?? 0) >= 1) usual.set(word, (usual.get(word) ?? new Set()).add(syllables[0] ?? ''));
    } else if (syllables.length === chars.length) {
      // Words that are not in the frequency list are rare, but still words.
      chars.forEach((char, index) =>
        add(inWords, char, syllables[index] ?? '', share * Math.sqrt(frequency.get(word) ?? 1)),
      );
    }
  }
}

const inTalk: Counts = new Map();
const aloneInTalk: Counts = new Map();
for (const line of linesOf('hkcancor.tsv').slice(1)) {
  const [text = '', jyutping = ''] = line.split('\t');
  const readings = jyutping.split(' ');
  let at = 0;
  for (const word of text.split(' ')) {
    const chars = Array.from(word);
    for (const char of chars) {
      const reading = normalizeSyllable(readings[at++] ?? '');
      if (reading === null || OTHERWISE_WRITTEN.has(`${char} ${reading}`)) continue;
      add(inTalk, char, reading, 1);
      if (chars.length === 1) add(aloneInTalk, char, reading, 1);
    }
  }
}

/** Readings with their shares, most frequent first, without reduced variants of others. */
function ranked(shares: Map<string, number>): [string, number][] {
  const kept: [string, number][] = [];
  for (const entry of [...shares].toSorted((a, b) => b[1] - a[1])) {
    if (!kept.some(([better]) => pronunciationVariants(better).includes(entry[0]))) kept.push(entry);
  }
  return kept;
}

const rows: string[] = [];
for (const char of [...usual.keys()].toSorted()) {
  const usualReadings = usual.get(char) ?? new Set<string>();
  const sources = [sharesOf(inWords.get(char), 1), sharesOf(inTalk.get(char), MIN_SPOKEN_COUNT)].filter(
    (one) => one !== null,
  );
  const shares = new Map<string, number>();
  for (const source of sources) {
    for (const [reading, share] of source) shares.set(reading, (shares.get(reading) ?? 0) + share / sources.length);
  }
  // A usual reading that occurs in no word is one of the character alone.
  for (const reading of usualReadings) if (sources.length === 0) shares.set(reading, 1);
  const alone = ranked(shares)
    .filter(([reading, share]) => share >= (usualReadings.has(reading) ? MIN_USUAL_SHARE : MIN_OTHER_SHARE))
    .map(([reading]) => reading);
  if (alone.length < 2) continue;
  const spoken = sharesOf(aloneInTalk.get(char), MIN_SPOKEN_COUNT);
  const inSentence =
    spoken === null ? alone : alone.filter((reading) => (spoken.get(reading) ?? 0) >= MIN_SPOKEN_SHARE);
  const isSame = inSentence.length === 0 || inSentence.length === alone.length;
  rows.push([char, alone.join(' '), ...(isSame ? [] : [inSentence.join(' ')])].join('\t'));
}
writeFileSync(OUT, ['character\talone\tin a sentence, where it differs', ...rows, ''].join('\n'));
