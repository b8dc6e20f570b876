import { pinyin } from 'pinyin-pro';
import { NEUTRAL_LAST, readingsOfWords } from '#text/normalization/mandarin/mandarin-readings.ts';
import {
  applySandhi,
  REPEATED_VERBS,
  toneBefore,
  type Foot,
  type Syllable,
} from '#text/normalization/mandarin/tone-sandhi.ts';
import type { WrittenSyllable } from '#text/pronunciation/parse-romanized.ts';
import { thirdToneReadings, fullTones, withTone } from './accepted-pinyin.ts';
import { ALWAYS_NEUTRAL, OPTIONALLY_NEUTRAL } from './pinyin-variants.ts';

const NEUTRAL = 5;

/**
 * Every accepted reading of each syllable of a clause of pinyin: the written one, and what speakers
 * make of it (see `acceptedPinyin`). Pinyin may be written with the tones of a dictionary or as it
 * is spoken. A third tone before another third tone may be a second tone, even where dictionaries
 * write the other syllable neutral (nǎli). bu4 may be 不 and yi1 一, which change by the next
 * syllable. A syllable that is neutral in a word may have its full tone too, whichever is written
 * (peng2 you3, peng2 you5).
 */
export function acceptedWrittenPinyin(clause: Clause): string[][] {
  return clause.map(({ text: reading }, index) => {
    const [before, after] = [clause[index - 1]?.text ?? null, clause[index + 1]?.text ?? null];
    const accepted = [...spokenThirds(reading, after), reading];
    const [startsWord, endsNext] = [startsWordAt(clause, index), clause[index + 2]?.isJoined !== true];
    const isUnchanged = startsWord && endsNext && UNCHANGED.has(`${reading} ${after}`);
    if (!isUnchanged) accepted.push(...sandhiTones(reading, before, after));
    if (before !== null && !(startsWord && reading === 'ge4')) accepted.push(...fullOrNeutral(before, reading));
    return [...new Set(accepted)];
  });
}

/**
 * Converts a run of pinyin in dictionary tones to the spoken tones. Third tones and bu4 (不) change
 * by the next syllable; yi1 does not, because it may be another word than 一. Syllables that are
 * written as they are spoken stay.
 */
export function spokenAsWritten(run: readonly WrittenSyllable[]): string[] {
  const clauses: WrittenSyllable[][] = [];
  for (const syllable of run) {
    if (syllable.afterPause || clauses.length === 0) clauses.push([]);
    clauses.at(-1)!.push(syllable);
  }
  return clauses.flatMap((clause) => {
    const feet: Foot[] = [];
    clause.forEach(({ isJoined }, index) => {
      if (isJoined && feet.length > 0) feet.at(-1)!.to = index + 1;
      else feet.push({ from: index, to: index + 1 });
    });
    const syllables = clause.map(({ text }, index): Syllable => {
      const char = text === 'bu4' && isBuNegation(clause, index) ? '不' : text;
      return { char, base: text.slice(0, -1), tone: Number(text.slice(-1)) };
    });
    return applySandhi(syllables, feet).map(({ base, tone }) => `${base}${tone}`);
  });
}

type Clause = readonly Pick<WrittenSyllable, 'text' | 'isJoined'>[];

/**
 * Whether a bu4 is 不: at the end of a word it is not (全部, 公布), except between repetitions (是不是).
 */
function isBuNegation(clause: Clause, index: number): boolean {
  const [before, after] = [clause[index - 1]?.text, clause[index + 1]?.text];
  if (startsWordAt(clause, index)) return !UNCHANGED.has(`bu4 ${after}`);
  const endsWord = clause[index]?.isJoined === true && clause[index + 1]?.isJoined !== true;
  return !endsWord || before === after;
}

/** Whether a word of several syllables, written together, starts at an index. */
function startsWordAt(clause: Clause, index: number): boolean {
  return clause[index]?.isJoined === false && clause[index + 1]?.isJoined === true;
}

/**
 * Words that begin with the sound of 不 or 一 but with another character, so that their tone does not
 * change: 部位, 医院. The list leaves out words whose pinyin also stands for 不 or 一 (部队 and 不对, 医生 and
 * 一生).
 */
const UNCHANGED: ReadonlySet<string> = new Set(
  (
    'bu4 wei4,bu4 luo4,bu4 zhi4,bu4 gao4,bu4 zhou4,bu4 fen4,yi1 yuan4,yi1 xue2,yi1 liao2,' +
    'yi1 yao4,yi1 wu4,yi1 gui4,yi1 jia4,yi1 fu2,yi1 ran2,yi1 jiu4,yi1 ju4,yi1 lai4,yi1 zhao4,yi1 kao4,yi1 fa3,yi1 lang3'
  ).split(','),
);

function spokenThirds(reading: string, after: string | null): string[] {
  if (!reading.endsWith('3') || after === null) return [];
  const { changing, suffixes, nouns } = neutralWords();
  // The second syllable of 奶奶 is neutral and does not change the first.
  if (after.endsWith('3')) return after === reading && nouns.has(reading) ? [] : thirdToneReadings(reading);
  const isChanged = changing.has(`${reading} ${after}`) || suffixes.get(after)?.some((full) => full.endsWith('3'));
  return isChanged === true ? [reading, withTone(reading, 2)] : [];
}

/** The tones that a syllable has in speech if it is 不 or 一. */
function sandhiTones(reading: string, before: string | null, after: string | null): string[] {
  if (after === null) return [];
  const tone = Number(after.slice(-1));
  const isBetween = before === after;
  if (reading === 'bu4') return [`bu${toneBefore(tone)}`, ...(isBetween ? ['bu5'] : [])];
  if (reading === 'bu5') return [`bu${toneBefore(tone)}`];
  // Before 个, 一 changes as before a fourth tone.
  const counted = after === 'ge5' ? 4 : tone;
  // The 一 of an ordinal (第一) does not change.
  if (reading !== 'yi1' || counted === NEUTRAL || before === 'di4') return [];
  return [`yi${toneBefore(counted)}`, ...(isBetween ? ['yi5'] : [])];
}

/**
 * The full tones of a neutral syllable, or the neutral tone of a full one. `before`: the syllable
 * before it.
 */
function fullOrNeutral(before: string, reading: string): readonly string[] {
  const neutral = withTone(reading, NEUTRAL);
  const { words, suffixes } = neutralWords();
  const full = words.get(`${before} ${neutral}`) ?? [];
  // After a number 个 may be neutral.
  if (reading === 'ge4' && before !== reading) return [neutral];
  if (reading === neutral) return [...full, ...(suffixes.get(neutral) ?? [])];
  return full.includes(reading) ? [neutral] : [];
}

/** Suffixes of many words: where they are written neutral, their full tone is accepted too. */
const SUFFIXES = '上下里面边来去过个';

type NeutralWords = {
  /**
   * Full tones of a neutral syllable, by the syllable before it and the neutral one: `peng2 you5`
   * has you3.
   */
  words: ReadonlyMap<string, readonly string[]>;
  /** Full tones of a neutral suffix by its neutral syllable. */
  suffixes: ReadonlyMap<string, readonly string[]>;
  /**
   * Pairs of third tones where the second syllable may be neutral and still changes the first: `na3
   * li5`.
   */
  changing: ReadonlySet<string>;
  /** Third tones that are said twice in a noun, the second time neutral: `nai3`. */
  nouns: ReadonlySet<string>;
};

let collected: NeutralWords | null = null;

/** The sounds of words with a neutral syllable; made on first use from the lists of words. */
function neutralWords(): NeutralWords {
  return (collected ??= collectNeutralWords());
}

function collectNeutralWords(): NeutralWords {
  const words = new Map<string, string[]>();
  const add = (chars: readonly string[], readings: readonly string[], index: number) => {
    const [before = '', reading = ''] = [readings[index - 1], readings[index]];
    if (ALWAYS_NEUTRAL.has(chars[index]!) || before.endsWith('5')) return;
    const neutral = withTone(reading, NEUTRAL);
    const full = reading === neutral ? fullTones(chars[index]!, neutral) : [reading];
    const key = `${before} ${neutral}`;
    words.set(key, [...new Set([...(words.get(key) ?? []), ...full])]);
  };
  const verbs = Array.from(REPEATED_VERBS, (verb) => verb + verb);
  for (const word of new Set([...NEUTRAL_LAST, ...OPTIONALLY_NEUTRAL, ...verbs])) {
    add(Array.from(word), readingsOfWords().get(word) ?? citedReadings(word), Array.from(word).length - 1);
  }
  for (const [word, readings] of readingsOfWords()) {
    readings.forEach((reading, index) => {
      if (index > 0 && reading.endsWith('5')) add(Array.from(word), readings, index);
    });
  }
  const suffixes = Array.from(SUFFIXES, (char): [string, string[]] => {
    const neutral = withTone(citedReadings(char)[0]!, NEUTRAL);
    return [neutral, fullTones(char, neutral)];
  });
  const changing = [...OPTIONALLY_NEUTRAL, ...verbs]
    .map((word) => citedReadings(word).slice(-2))
    .filter((readings) => readings.every((reading) => reading.endsWith('3')))
    .map(([before = '', reading = '']) => `${before} ${withTone(reading, NEUTRAL)}`);
  const nouns = Array.from(NEUTRAL_LAST)
    .filter((word) => /^(.)\1$/u.test(word))
    .map((word) => citedReadings(word)[0]!)
    .filter((reading) => reading.endsWith('3'));
  return { words, suffixes: new Map(suffixes), changing: new Set(changing), nouns: new Set(nouns) };
}

/** The readings of a word as dictionaries have them, without sandhi; the neutral tone is 5. */
function citedReadings(word: string): string[] {
  const readings = pinyin(word, { type: 'array', toneType: 'num', v: true, toneSandhi: false });
  return readings.map((reading) => reading.replace('0', '5'));
}
