import type { SttRow } from '../evaluate-stt.ts';

/** A part of syllables that was recognized as another; `recognized` is empty where it was lost. */
export type Confusion = {
  part: 'onset' | 'rime' | 'tone' | 'syllable';
  spoken: string;
  recognized: string;
  count: number;
};
/** Errors of one voice, shares 0..1 of its syllables. */
export type VoiceErrors = { voice: string; syllables: number; wrong: number; wrongWithoutTone: number };

type Parts = { onset: string; rime: string; tone: string };

const SYLLABLE = /^(zh|ch|sh|gw|kw|ng(?=[aeiouyv])|[bpmfdtnlgkhwzcsjqxr](?=[a-z]))?([a-z]+)([0-6])$/;
/** The cost of a lost or added syllable, beside a substitution, which costs at most 1. */
const LOST = 0.7;

/**
 * Counts the parts that are mistaken for one another, most frequent first, over aligned syllables.
 */
export function countConfusions(details: SttRow['details']): Confusion[] {
  const counts = new Map<string, Confusion>();
  const add = (part: Confusion['part'], spoken: string, recognized: string) => {
    const key = `${part} ${spoken} ${recognized}`;
    const confusion = counts.get(key) ?? { part, spoken, recognized, count: 0 };
    counts.set(key, { ...confusion, count: confusion.count + 1 });
  };
  for (const [spoken, recognized] of details.flatMap(alignedSyllables)) {
    if (spoken === null) add('syllable', '', recognized!);
    else if (recognized === null) add('syllable', spoken, '');
    else {
      const [a, b] = [partsOf(spoken), partsOf(recognized)];
      for (const part of ['onset', 'rime', 'tone'] as const) if (a[part] !== b[part]) add(part, a[part], b[part]);
    }
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count);
}

/** Substituted, lost and added syllables per voice. */
export function errorsByVoice(details: SttRow['details']): VoiceErrors[] {
  const voices = new Map<string, VoiceErrors>();
  for (const detail of details) {
    const voice = detail.speaker ?? '';
    const errors = voices.get(voice) ?? { voice, syllables: 0, wrong: 0, wrongWithoutTone: 0 };
    const pairs = alignedSyllables(detail);
    voices.set(voice, {
      voice,
      syllables: errors.syllables + pairs.filter(([spoken]) => spoken !== null).length,
      wrong: errors.wrong + pairs.filter(([a, b]) => a !== b).length,
      wrongWithoutTone: errors.wrongWithoutTone + pairs.filter(([a, b]) => a?.slice(0, -1) !== b?.slice(0, -1)).length,
    });
  }
  return [...voices.values()].map((errors) => ({
    ...errors,
    wrong: errors.wrong / errors.syllables,
    wrongWithoutTone: errors.wrongWithoutTone / errors.syllables,
  }));
}

type Pair = readonly [spoken: string | null, recognized: string | null];

/** Pairs of syllables by the cheapest alignment; a substitution costs the share of other parts. */
function alignedSyllables({ expected, recognized }: { expected: string; recognized: string }): Pair[] {
  const [left, right] = [expected.split(' ').filter(Boolean), recognized.split(' ').filter(Boolean)];
  const replaced = (i: number, j: number) => {
    const [a, b] = [partsOf(left[i - 1]!), partsOf(right[j - 1]!)];
    return (Number(a.onset !== b.onset) + Number(a.rime !== b.rime) + Number(a.tone !== b.tone)) / 3;
  };
  const cost: number[][] = [Array.from({ length: right.length + 1 }, (_, j) => j * LOST)];
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i * LOST];
    for (let j = 1; j <= right.length; j += 1)
      row.push(Math.min(cost[i - 1]![j - 1]! + replaced(i, j), cost[i - 1]![j]! + LOST, row[j - 1]! + LOST));
    cost.push(row);
  }
  const pairs: Pair[] = [];
  for (let [i, j] = [left.length, right.length]; i > 0 || j > 0;) {
    const here = cost[i]![j]!;
    if (i > 0 && j > 0 && isNear(here, cost[i - 1]![j - 1]! + replaced(i, j))) {
      pairs.push([left[i - 1]!, right[j - 1]!]);
      i -= 1;
      j -= 1;
    } else if (i > 0 && (j === 0 || isNear(here, cost[i - 1]![j]! + LOST))) {
      pairs.push([left[i - 1]!, null]);
      i -= 1;
    } else {
      pairs.push([null, right[j - 1]!]);
      j -= 1;
    }
  }
  return pairs.toReversed();
}

/** Sums of the same costs in another order differ in their last digits. */
const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;

function partsOf(syllable: string): Parts {
  const [, onset = '', rime = syllable, tone = ''] = SYLLABLE.exec(syllable) ?? [];
  return { onset, rime, tone };
}
