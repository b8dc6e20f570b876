import { pinyin } from 'pinyin-pro';
import { NEUTRAL_LAST, READINGS } from '#text/normalization/mandarin/mandarin-readings.ts';
import { REPEATED_VERBS, toneBefore } from '#text/normalization/mandarin/tone-sandhi.ts';
import { bothThirds, fullTones, withTone } from './accepted-pinyin.ts';
import { ALWAYS_NEUTRAL, OPTIONALLY_NEUTRAL } from './pinyin-variants.ts';

const NEUTRAL = 5;

/**
 * Every accepted reading of each syllable of a clause of pinyin, which is written with citation
 * tones or as it is spoken: what is written, and what speakers make of it, as `acceptedPinyin` has
 * it for characters. A third tone before another one may be a second; bu4 may be 不 and yi1 一, which
 * change by the next syllable; a syllable that is neutral in a word, written with either tone, may
 * have both (peng2 you3, peng2 you5).
 */
export function acceptedAsWritten(syllables: readonly string[]): string[][] {
  return syllables.map((reading, index) => {
    const [before, after] = [syllables[index - 1] ?? null, syllables[index + 1] ?? null];
    const accepted = [...spokenThirds(reading, after), reading];
    accepted.push(...changedByNext(reading, before, after));
    if (before !== null) accepted.push(...fullOrNeutral(before, reading));
    return [...new Set(accepted)];
  });
}

function spokenThirds(reading: string, after: string | null): string[] {
  if (!reading.endsWith('3') || after === null) return [];
  if (after.endsWith('3')) return bothThirds(reading);
  // 想想: the second one is neutral, and still changes the first.
  const isRepeated = after === withTone(reading, NEUTRAL) && neutralWords().verbs.has(reading);
  return isRepeated ? [reading, withTone(reading, 2)] : [];
}

/** Other tones of a syllable that may be 不 or 一. */
function changedByNext(reading: string, before: string | null, after: string | null): string[] {
  if (after === null) return [];
  const tone = Number(after.slice(-1));
  const isBetween = before === after;
  if (reading === 'bu4') return [`bu${toneBefore(tone)}`, ...(isBetween ? ['bu5'] : [])];
  if (reading === 'bu5') return [`bu${toneBefore(tone)}`];
  // 一个: 个 counts as a fourth tone.
  const counted = after === 'ge5' ? 4 : tone;
  if (reading !== 'yi1' || counted === NEUTRAL) return [];
  return [`yi${toneBefore(counted)}`, ...(isBetween ? ['yi5'] : [])];
}

/** The full tones of a neutral syllable, or the neutral tone of a full one, after this syllable. */
function fullOrNeutral(before: string, reading: string): readonly string[] {
  const neutral = withTone(reading, NEUTRAL);
  const { words, suffixes } = neutralWords();
  const full = words.get(`${before} ${neutral}`) ?? [];
  if (reading === neutral) return [...full, ...(suffixes.get(neutral) ?? [])];
  return full.includes(reading) ? [neutral] : [];
}

/** Words that the other lists leave out, because characters are read by rules there. */
const MORE_WORDS = ['这个', '那个', '哪个'];
/** Suffixes of many words: where they are written neutral, their full tone is accepted too. */
const SUFFIXES = '上下里面边来去过个';

type NeutralWords = {
  /** Full tones of a neutral syllable by the one before it and itself: `peng2 you5`, you3. */
  words: ReadonlyMap<string, readonly string[]>;
  /** The same of suffixes, by themselves. */
  suffixes: ReadonlyMap<string, readonly string[]>;
  /** Verbs in the third tone that are said twice. */
  verbs: ReadonlySet<string>;
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
  for (const word of new Set([...NEUTRAL_LAST, ...OPTIONALLY_NEUTRAL, ...verbs, ...MORE_WORDS])) {
    add(Array.from(word), READINGS.get(word) ?? citedReadings(word), Array.from(word).length - 1);
  }
  for (const [word, readings] of READINGS) {
    readings.forEach((reading, index) => {
      if (index > 0 && reading.endsWith('5')) add(Array.from(word), readings, index);
    });
  }
  const suffixes = Array.from(SUFFIXES, (char): [string, string[]] => {
    const neutral = withTone(citedReadings(char)[0]!, NEUTRAL);
    return [neutral, fullTones(char, neutral)];
  });
  const thirds = Array.from(REPEATED_VERBS, (verb) => citedReadings(verb)[0]!).filter((each) => each.endsWith('3'));
  return { words, suffixes: new Map(suffixes), verbs: new Set(thirds) };
}

/** As in dictionaries, without sandhi; the neutral tone is 5. */
function citedReadings(word: string): string[] {
  const readings = pinyin(word, { type: 'array', toneType: 'num', v: true, toneSandhi: false });
  return readings.map((reading) => reading.replace('0', '5'));
}
