export type Row = { key: number; text: string; jyutping: string; weight: string };
export type Fault = 'noText' | 'tooLong' | 'noWord' | 'syllables' | 'notJyutping' | 'weight';

const MAX_CHARACTERS = 40;
const MAX_WEIGHT = 10;
/** Rimes of jyutping, as the service accepts them. */
const SYLLABLE = new RegExp(
  `^(?:gw|kw|ng|[bpmfdtnlgkhwzcsj])?(?:${(
    'aa aai aau aam aan aang aap aat aak ai au am an ang ap at ak a e ei eu em en eng ep et ek ' +
    'i iu im in ing ip it ik o oi ou om on ong op ot ok u ui um un ung up ut uk ' +
    'oe oeng oet oek eoi eon eot yu yun yut m ng'
  ).replaceAll(' ', '|')})[1-6]$`,
  'i',
);

/** Tells whether nothing was typed into a row yet, which is no fault. */
export function isBlank({ text, jyutping, weight }: Row): boolean {
  return `${text}${jyutping}${weight}`.trim() === '';
}

/**
 * Returns what the service would refuse about a row, while it is typed; null when it would accept
 * the row.
 */
export function faultOf({ text, jyutping, weight }: Row): Fault | null {
  const word = text.trim();
  if (word === '') return 'noText';
  if ([...word].length > MAX_CHARACTERS) return 'tooLong';
  if (!/[\p{Script=Han}\p{Script=Latin}]/u.test(word)) return 'noWord';
  const syllables = jyutping.split(/\s+/).filter((syllable) => syllable !== '');
  if (syllables.length > 0) {
    // A word without Chinese characters has its jyutping for speech alone: any number of syllables.
    const expected = countHan(word);
    if (expected > 0 && syllables.length !== expected) return 'syllables';
    if (!syllables.every((syllable) => SYLLABLE.test(syllable))) return 'notJyutping';
  }
  const value = Number(weight);
  return weight.trim() === '' || (value > 0 && value <= MAX_WEIGHT) ? null : 'weight';
}

/** Counts the syllables that a reading of the text has: one for each Chinese character. */
export function countHan(text: string): number {
  return text.match(/\p{Script=Han}/gu)?.length ?? 0;
}
