import { readFileSync } from 'node:fs';
import { createJyutpingReader, type ReadingOverrides } from '#text/readings/text-to-jyutping.ts';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { IN_NUMBER, NUMERALS, particleOfQuestion, READING_RULES } from './reading-rules.ts';

const TABLE = new URL('./readings.tsv', import.meta.url);
/** The sign that stands for a word of another language while its neighbors are read. */
const FOREIGN = '*';

/** The corrections of readings.tsv: word → its syllables. */
export function loadReadings(): ReadingOverrides {
  const rows = readFileSync(TABLE, 'utf8').trim().split('\n').slice(1);
  return Object.fromEntries(
    rows.map((row) => {
      const [word = '', syllables = ''] = row.split('\t');
      return [word, syllables.split(' ')];
    }),
  );
}

/**
 * Adds jyutping to the Cantonese words of a phrase; words of other languages are unchanged and
 * separate their neighbors. `isQuestion` affects the final particle. A character that no
 * dictionary knows gets no syllable.
 */
export type AddJyutping = (words: readonly SpokenWord[], isQuestion: boolean) => SpokenWord[];

/**
 * Loads the dictionary with our corrections, which takes some tenths of a second and tens of
 * megabytes: keep the result.
 */
export function createAddJyutping(): AddJyutping {
  const read = createJyutpingReader(loadReadings());
  return (words, isQuestion) => {
    const text = words.map((word) => (word.language === 'cantonese' ? word.spokenForm : FOREIGN)).join('');
    const syllables = read(text).map(({ jyutping }) => jyutping);
    applyRules(text, syllables);
    if (isQuestion) applyQuestion(text, syllables);
    return shareOut(words, syllables);
  };
}

/** Maps each UTF-16 unit to the index of its character. */
function placesOf(text: string): number[] {
  const places: number[] = [];
  let count = 0;
  for (const char of text) {
    for (let unit = 0; unit < char.length; unit += 1) places.push(count);
    count += 1;
  }
  return places;
}

function applyRules(text: string, syllables: (string | null)[]): void {
  const places = placesOf(text);
  const set = (index: number, syllable: string | undefined) => {
    const place = places[index];
    if (place !== undefined && syllable !== undefined) syllables[place] = syllable;
  };
  for (const match of text.matchAll(IN_NUMBER)) set(match.index, NUMERALS[match[0]]);
  for (const { pattern, syllable } of READING_RULES) {
    for (const match of text.matchAll(pattern)) set(match.index, syllable);
  }
}

function applyQuestion(text: string, syllables: (string | null)[]): void {
  const particle = particleOfQuestion(text);
  if (particle !== null) syllables[syllables.length - 1] = particle;
  if (text.endsWith('嗎')) syllables[syllables.length - 1] = 'maa3';
}

function shareOut(words: readonly SpokenWord[], syllables: readonly (string | null)[]): SpokenWord[] {
  let at = 0;
  return words.map((word) => {
    if (word.language !== 'cantonese') {
      at += 1;
      return word;
    }
    const count = Array.from(word.spokenForm).length;
    const reading = syllables.slice(at, at + count).filter((syllable) => syllable !== null);
    at += count;
    return { ...word, reading };
  });
}
