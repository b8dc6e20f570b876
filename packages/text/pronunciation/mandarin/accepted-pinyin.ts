import { pinyin } from 'pinyin-pro';
import { toneBefore } from '#text/normalization/mandarin/tone-sandhi.ts';
import { formatPinyin, parsePinyin } from '#text/syllables/pinyin.ts';
import { ALWAYS_NEUTRAL, OPTIONALLY_NEUTRAL, POLYPHONIC, REGIONAL } from './pinyin-variants.ts';

const NEUTRAL = 5;

/** A character in its clause, in Simplified writing. */
export type PinyinCharacter = {
  char: string;
  /** The spoken reading, after sandhi. */
  reading: string;
  /** The word of the character, and the position of the character in it. */
  word: string;
  index: number;
};

/**
 * Every accepted reading of each character of a clause, the spoken one first. Also accepted: the
 * full third tone that sandhi changed (你好: ni2, ni3), and a second tone for a third before another
 * third across feet, which careful and fast speech do differently; 一 as yi1, since only the meaning
 * distinguishes a count from a name, but not 不 as bu4 before a fourth tone; the full tone of a
 * neutral syllable (东西 xi5, xi1) except for suffixes and particles, and the neutral tone of words
 * where it is optional, and of 个 after a number; readings on which the standards of Beijing and
 * Taipei differ, and colloquial ones (谁 shei2, shui2); for a character that is a word by itself,
 * its other readings in use: 行 xing2, hang2, but in 银行 hang2 only.
 */
export function acceptedPinyin(characters: readonly PinyinCharacter[]): string[][] {
  const citations = characters.map(({ char, reading }) => hasCitationThirdTone(char, reading));
  return characters.map((character, index) => {
    const { char, reading } = character;
    const isBeforeThird = citations[index + 1] === true;
    const accepted = [reading];
    if (isBeforeThird && citations[index] === true) accepted.push(...thirdToneReadings(reading));
    if (char === '一') accepted.push('yi1');
    else if (char === '不') accepted.push(...neutralBu(characters, index));
    else if (reading.endsWith('5') && !ALWAYS_NEUTRAL.has(char)) accepted.push(...fullTones(char, reading));
    if (isNeutralByTurns(character) || isMeasure(characters, index)) accepted.push(withTone(reading, NEUTRAL));
    accepted.push(...otherReadings(character, characters.length));
    return [...new Set(accepted)].filter((one) => parsePinyin(one) !== null);
  });
}

/** The readings of a third tone before another one: changed by sandhi, and full. */
export function thirdToneReadings(reading: string): string[] {
  return [withTone(reading, 2), withTone(reading, 3)];
}

const ownReadings = new Map<string, readonly string[]>();

/** The dictionary's readings of the character by itself. */
function readingsOf(char: string): readonly string[] {
  let readings = ownReadings.get(char);
  if (readings === undefined) {
    readings = pinyin(char, { type: 'array', toneType: 'num', v: true, multiple: true });
    ownReadings.set(char, readings);
  }
  return readings;
}

/** Whether the syllable has the third tone before sandhi. */
function hasCitationThirdTone(char: string, reading: string): boolean {
  if (reading.endsWith('3')) return true;
  const charReadings = readingsOf(char);
  return reading.endsWith('2') && charReadings.includes(withTone(reading, 3)) && !charReadings.includes(reading);
}

/** The same syllable in another tone. */
export function withTone(reading: string, tone: number): string {
  const syllable = parsePinyin(reading);
  return syllable === null ? reading : formatPinyin({ ...syllable, tone });
}

/** Characters of several full tones, of which a neutral syllable can only have this one. */
const ONE_FULL_TONE: Readonly<Record<string, string>> = {
  上: 'shang4',
  个: 'ge4',
  看: 'kan4',
  过: 'guo4',
  服: 'fu2',
  发: 'fa4',
  和: 'huo2',
  荷: 'he2',
  应: 'ying4',
};

/** The full tones of a neutral syllable of the character. */
export function fullTones(char: string, reading: string): string[] {
  const base = reading.slice(0, -1);
  const one = ONE_FULL_TONE[char];
  if (one !== undefined) return [one];
  return readingsOf(char).filter((candidate) => candidate.slice(0, -1) === base && /[1-4]$/.test(candidate));
}

function neutralBu(characters: readonly PinyinCharacter[], index: number): string[] {
  const next = characters[index + 1];
  if (next === undefined || characters[index]?.reading !== 'bu5') return [];
  return [`bu${toneBefore(Number(next.reading.slice(-1)))}`];
}

function isNeutralByTurns({ word, index }: PinyinCharacter): boolean {
  return index === Array.from(word).length - 1 && OPTIONALLY_NEUTRAL.has(word);
}

const COUNTS = /[\p{N}零〇一二两三四五六七八九十百千万亿几这那哪每]/u;

/** Whether a 个 follows a number or another word (两个, 这个); that of 我个人 and 个个 does not. */
function isMeasure(characters: readonly PinyinCharacter[], index: number): boolean {
  const [before, here] = [characters[index - 1]?.char ?? '', characters[index]!];
  if (here.reading !== 'ge4' || here.char !== '个' || before === '' || /[个各]/u.test(before)) return false;
  return here.index > 0 || here.word === here.char || COUNTS.test(before);
}

function otherReadings({ char, reading, word }: PinyinCharacter, clauseLength: number): readonly string[] {
  const regional = REGIONAL.get(char);
  const everywhere = regional?.readings.includes(reading) === true ? regional.readings : [];
  const several = POLYPHONIC.get(char);
  if (several === undefined || word !== char || (several.isOnlyAlone && clauseLength > 1)) return everywhere;
  return [...everywhere, ...several.readings];
}
