import { visibleText } from '#text/normalization/plain-text.ts';
import { pinyin } from 'pinyin-pro';
import type { TargetOther, TargetSyllable } from '@jyutsing/contracts/pronunciation';
import { simplifiedForReading } from '#text/normalization/mandarin/add-pinyin.ts';
import type { WrittenSyllable } from '#text/pronunciation/parse-romanized.ts';
import { shownCharacters } from '#text/pronunciation/shown-characters.ts';
import type { Clause, PlacedWord } from '#text/pronunciation/split-clauses.ts';
import { toneBefore } from '#text/normalization/mandarin/tone-sandhi.ts';
import { mandarinNumberWordings } from './number-wordings.ts';
import { acceptedPinyin, type PinyinCharacter } from './accepted-pinyin.ts';
import { acceptedWrittenPinyin } from './written-pinyin.ts';

const HAN = /\p{Script=Han}/u;
const CURLED = /[儿兒]/u;
/** Interjections that the model lacks, and their nearest syllables. */
const SPELT_OTHERWISE: Readonly<Record<string, string>> = {
  ng: 'en',
  n: 'en',
  m: 'mu',
  ê: 'ei',
  yo: 'you',
  hm: 'heng',
  hng: 'heng',
};

/**
 * The units of a clause in Mandarin: a syllable for each character; words of other languages are
 * `other`. The suffix 儿 is `other` too, so that speakers may pronounce it, omit it, or merge it
 * with the previous syllable.
 */
export function mandarinUnits(clause: Clause): (TargetSyllable | TargetOther)[] {
  const units: (TargetSyllable | TargetOther)[] = [];
  let run: Spoken[] = [];
  const flush = () => {
    units.push(...unitsOf(run));
    run = [];
  };
  /** The number of units before each word, and after the last one. */
  const starts: number[] = [];
  // Converts all at once, because a conversion has a high fixed cost.
  const simplified = simplifiedForReading(clause.words.map(({ spokenForm }) => spokenForm).join('\n')).split('\n');
  for (const [index, word] of clause.words.entries()) {
    starts.push(units.length + run.length);
    if (word.language === 'mandarin') run.push(...charactersOf(word, simplified[index] ?? word.spokenForm));
    else {
      flush();
      units.push({ kind: 'other', text: word.spokenForm, afterPause: false });
    }
  }
  flush();
  starts.push(units.length);
  return withOtherWordings(units, clause.words, { starts, simplified });
}

/** Adds the other ways to say a number to its first unit. */
function withOtherWordings(
  units: readonly (TargetSyllable | TargetOther)[],
  words: readonly PlacedWord[],
  { starts, simplified }: { starts: readonly number[]; simplified: readonly string[] },
): (TargetSyllable | TargetOther)[] {
  const worded = [...units];
  for (const [index, { language, written, spokenForm }] of words.entries()) {
    const first = units[starts[index]!];
    if (language !== 'mandarin' || first?.kind !== 'syllable') continue;
    const next = words[index + 1]?.language === 'mandarin' ? (simplified[index + 1] ?? '') : '';
    const otherWordings = mandarinNumberWordings(visibleText(written, 'mandarin'), spokenForm, next).map((wording) => ({
      replaces: starts[index + (wording.takesNext ? 2 : 1)]! - starts[index]!,
      units: unitsOfNumber(wording.spokenForm, wording.takesNext ? '' : next),
    }));
    if (otherWordings.length > 0) worded[starts[index]!] = { ...first, otherWordings };
  }
  return worded;
}

/** The units of a number in words before another word, to which the sandhi of its end is due. */
function unitsOfNumber(spokenForm: string, next: string): (TargetSyllable | TargetOther)[] {
  const chars = Array.from(spokenForm + next.slice(0, 1));
  const readings = chars.map((char, index) =>
    char === '上' && /[早晚]/u.test(chars[index - 1] ?? '') ? 'shang5' : (READINGS_IN_NUMBERS[char] ?? readAlone(char)),
  );
  const spoken = chars.map((char, index): Spoken => {
    const reading = readings[index]!;
    const tone = Number(readings[index + 1]?.slice(-1));
    const isChanged = char === '一' && tone >= 1 && !NAMED_DIGIT.test(chars[index + 1] ?? '');
    return { char, text: char, word: spokenForm, index, reading: isChanged ? `yi${toneBefore(tone)}` : reading };
  });
  return unitsOf(spoken).slice(0, Array.from(spokenForm).length);
}

/** Characters that dictionaries read otherwise by themselves. */
const READINGS_IN_NUMBERS: Readonly<Record<string, string>> = {
  差: 'cha4',
  俩: 'lia3',
  仨: 'sa1',
  幺: 'yao1',
  个: 'ge4',
};
/** Behind 一 these make it a digit, which keeps its tone. */
const NAMED_DIGIT = /[零一二三四五六七八九幺]/u;

/**
 * The units of a text of pinyin, or of pinyin and characters, with every accepted reading. Sandhi
 * stops at pauses and words of other languages.
 */
export function pinyinUnits(
  units: readonly (WrittenSyllable | TargetSyllable | TargetOther)[],
): (TargetSyllable | TargetOther)[] {
  const clauses: (typeof units)[number][][] = [];
  for (const unit of units) {
    const [last] = clauses.at(-1)?.slice(-1) ?? [];
    if (last === undefined || unit.afterPause || unit.kind === 'other' || last.kind === 'other') clauses.push([]);
    clauses.at(-1)!.push(unit);
  }
  return clauses.flatMap((clause) => {
    const syllables = clause.filter((unit) => unit.kind === 'syllable');
    const accepted = acceptedWrittenPinyin(
      syllables.map((unit) => ({ text: unit.readings[0]!, isJoined: isWritten(unit) && unit.isJoined })),
    );
    return clause.map((unit, index): TargetSyllable | TargetOther => {
      if (unit.kind === 'other') return unit;
      const { kind, text, afterPause } = unit;
      if (isWritten(unit)) return { kind, text, readings: accepted[index]!, afterPause };
      // A character is read without the pinyin after it.
      const isChanged = clause[index + 1] !== undefined && isWritten(clause[index + 1]!);
      const readings = isChanged ? [...new Set([...unit.readings, ...accepted[index]!])] : unit.readings;
      return { ...unit, readings };
    });
  });
}

const isWritten = (unit: WrittenSyllable | TargetSyllable | TargetOther): unit is WrittenSyllable => 'isJoined' in unit;

/** A character of the text, and its reading; null: unknown, or not to be scored. */
type Spoken = Omit<PinyinCharacter, 'reading'> & { text: string; reading: string | null };

function charactersOf({ spokenForm, written, reading }: PlacedWord, word: string): Spoken[] {
  const chars = Array.from(spokenForm).filter((char) => HAN.test(char));
  const shown = shownCharacters({ written, spokenForm }).filter((char) => HAN.test(char));
  const simplified = Array.from(word).filter((char) => HAN.test(char));
  const readings = reading.length === chars.length ? reading : chars.map(readAlone);
  return chars.map((char, index) => ({
    char: simplified[index] ?? char,
    text: shown[index] ?? char,
    reading: CURLED.test(char) && readings[index] === 'er5' ? null : spell(readings[index] ?? null),
    word,
    index,
  }));
}

function readAlone(char: string): string | null {
  const [reading = ''] = char.length === 1 ? pinyin(char, { type: 'array', toneType: 'num', v: true }) : [];
  return /^[a-zê]+[0-5]$/u.test(reading) ? reading.replace('0', '5') : null;
}

function spell(reading: string | null): string | null {
  const base = reading?.slice(0, -1) ?? '';
  const other = SPELT_OTHERWISE[base];
  return other === undefined ? reading : other + (reading?.slice(-1) ?? '');
}

function unitsOf(run: readonly Spoken[]): (TargetSyllable | TargetOther)[] {
  const read: PinyinCharacter[] = [];
  for (const { reading, ...spoken } of run) if (reading !== null) read.push({ ...spoken, reading });
  const accepted = acceptedPinyin(read);
  let at = 0;
  return run.map(({ text, reading }): TargetSyllable | TargetOther => {
    const readings = reading === null ? [] : (accepted[at++] ?? []);
    if (readings.length === 0) return { kind: 'other', text, afterPause: false };
    return { kind: 'syllable', text, readings, afterPause: false };
  });
}
