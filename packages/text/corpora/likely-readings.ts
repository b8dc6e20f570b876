import { pronunciationVariants } from '#text/syllables/jyutping.ts';
import { textToJyutping } from '#text/readings/text-to-jyutping.ts';
import { withPrivateCharacters } from '#text/script/fold-characters.ts';
import { readingForm } from '#text/script/reading-form.ts';
import { READING_VARIANTS } from './reading-variants.ts';

/** Limit of readings: with more, a term would match words that merely share characters with it. */
const MAX_READINGS = 4;
/**
 * Longest text whose characters may have any usual reading; in a longer one the context decides.
 */
const MAX_OPEN_CHARS = 4;

const ownReadings = new Map<string, string | null>();

/**
 * Likely readings of a text, the likeliest first: lists with one syllable for each Chinese
 * character; empty if a character has no reading. A character whose reading depends on its word
 * keeps that reading, apart from a changed tone; others may have any usual reading, as in names.
 */
export function likelyReadings(text: string): string[][] {
  const characters = textToJyutping(withPrivateCharacters(readingForm(text))).filter(({ char }) =>
    /\p{Script=Han}/u.test(char),
  );
  const usual: string[] = [];
  for (const { jyutping } of characters) {
    if (jyutping === null) return [];
    usual.push(jyutping);
  }
  if (usual.length === 0) return [];
  const readings = [usual];
  if (usual.length > MAX_OPEN_CHARS) return readings;
  for (const [index, { char }] of characters.entries()) {
    for (const other of alternatives(char, usual[index] ?? '')) readings.push(usual.with(index, other));
  }
  return readings.slice(0, MAX_READINGS);
}

function alternatives(char: string, reading: string): string[] {
  const listed = READING_VARIANTS.get(char);
  if (listed === undefined || !listed.includes(reading)) return [];
  const isDecidedByWord = reading !== ownReading(char);
  return listed.filter((other) => {
    // Mergers such as n/l are compared elsewhere, for all syllables.
    if (other === reading || pronunciationVariants(reading).includes(other)) return false;
    return !isDecidedByWord || isChangedTone(reading, other);
  });
}

/** Whether one reading is the other with the high rising changed tone of everyday words. */
function isChangedTone(a: string, b: string): boolean {
  return a.slice(0, -1) === b.slice(0, -1) && (a.endsWith('2') || b.endsWith('2'));
}

function ownReading(char: string): string | null {
  let reading = ownReadings.get(char);
  if (reading === undefined) {
    reading = textToJyutping(char)[0]?.jyutping ?? null;
    ownReadings.set(char, reading);
  }
  return reading;
}
