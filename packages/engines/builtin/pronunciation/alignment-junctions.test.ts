import { describe, expect, it } from 'vitest';
import { ALIGNMENT_COSTS, MAX_REPETITION } from './alignment-costs.ts';
import {
  BLANK,
  EXTRA_ONSET,
  EXTRA_RIME,
  ONSET,
  OTHER_RIME,
  RIME,
  STATES,
  type AlignedUnit,
} from './alignment-graph.ts';
import { createJunctions } from './alignment-junctions.ts';

const { omission, furtherOmission, repetition, repetitionStep } = ALIGNMENT_COSTS;
const SYLLABLE: AlignedUnit = [];
const syllables = (count: number): AlignedUnit[] => Array.from({ length: count }, () => SYLLABLE);

/** Makes scores of all states of a text with these units: −1,000 but for those that are set. */
function scoresOf(units: readonly AlignedUnit[], set: Readonly<Record<number, number>>): Float64Array {
  const scores = new Float64Array((units.length + 1) * STATES).fill(-1_000);
  for (const [state, score] of Object.entries(set)) scores[Number(state)] = score;
  return scores;
}

function after(units: readonly AlignedUnit[], set: Readonly<Record<number, number>>) {
  const junctions = createJunctions(units, ALIGNMENT_COSTS);
  junctions.update(scoresOf(units, set));
  return junctions;
}

describe('the beginning of an alignment', () => {
  it('is before the first unit; each omitted one costs, the first of a run more', () => {
    const junctions = createJunctions(syllables(4), ALIGNMENT_COSTS);
    junctions.begin();
    const costs = [0, omission, omission + furtherOmission, omission + 2 * furtherOmission];
    expect([...junctions.silent].slice(0, 4)).toEqual(costs.map((cost) => (cost === 0 ? 0 : -cost)));
    expect([...junctions.silentFrom]).toEqual([BLANK, BLANK, BLANK, BLANK, BLANK]);
    expect([...junctions.spoken].every((score) => score === -Infinity)).toBe(true);
  });

  it('may be after words of another language at no cost, which do not end a run of omissions', () => {
    const junctions = createJunctions([null, SYLLABLE, null, SYLLABLE], ALIGNMENT_COSTS);
    junctions.begin();
    const run = omission + furtherOmission;
    expect([...junctions.silent]).toEqual([0, 0, -omission, -omission, -run]);
  });

  it('of an empty text is its end', () => {
    const junctions = createJunctions([], ALIGNMENT_COSTS);
    junctions.begin();
    expect([...junctions.silent]).toEqual([0]);
    expect(junctions.end()).toBe(BLANK);
  });
});

describe('a moment after a pause', () => {
  it('comes from the silence there', () => {
    const { silent, silentFrom } = after(syllables(2), { [STATES + BLANK]: -5 });
    expect(silent[1]).toBe(-5);
    expect(silentFrom[1]).toBe(STATES + BLANK);
  });

  it('may be one of an earlier place, to which the speaker goes back', () => {
    const { silent, silentFrom } = after(syllables(3), { [3 * STATES + BLANK]: -5 });
    for (const back of [1, 2, 3]) {
      expect(silent[3 - back]).toBeCloseTo(-5 - repetition - back * repetitionStep, 12);
      expect(silentFrom[3 - back]).toBe(3 * STATES + BLANK);
    }
  });

  it('goes back by a few units at most', () => {
    const count = MAX_REPETITION + 2;
    const { silent } = after(syllables(count), { [count * STATES + BLANK]: -5 });
    expect(silent[count - MAX_REPETITION]).toBeGreaterThan(-20);
    expect(silent[count - MAX_REPETITION - 1]).toBeLessThan(-900);
  });

  it('may follow a repetition and then an omission', () => {
    // The path goes from place 2 back to 0, and on over the first unit: cheaper than going back by
    // one.
    const costs = { ...ALIGNMENT_COSTS, repetition: 30, repetitionStep: -14 };
    const junctions = createJunctions(syllables(2), costs);
    junctions.update(scoresOf(syllables(2), { [2 * STATES + BLANK]: 0 }));
    expect(junctions.silent[0]).toBe(-2);
    expect(junctions.silent[1]).toBe(-2 - omission);
    expect(junctions.silentFrom[1]).toBe(2 * STATES + BLANK);
  });
});

describe('a moment after a sound', () => {
  it.each([
    ['the rime of the unit before', RIME, 0],
    ['another rime there', OTHER_RIME, 0],
    ['an inserted syllable', EXTRA_RIME, 1],
    ['an inserted consonant', EXTRA_ONSET, 1],
  ])('comes from %s', (_name, state, place) => {
    const at = place * STATES + state;
    const { spoken, spokenFrom } = after(syllables(2), { [at]: -3 });
    expect(spoken[1]).toBe(-3);
    expect(spokenFrom[1]).toBe(at);
  });

  it('comes from the best of them', () => {
    const { spoken, spokenFrom } = after(syllables(1), { [RIME]: -4, [OTHER_RIME]: -3, [STATES + EXTRA_RIME]: -3.5 });
    expect([spoken[1], spokenFrom[1]]).toEqual([-3, OTHER_RIME]);
  });

  it('does not come from an onset without its rime', () => {
    expect(after(syllables(1), { [ONSET]: 0 }).spoken[1]).toBeLessThan(-900);
  });
});

describe('the end of the text', () => {
  it.each([
    ['silence', { [STATES + BLANK]: -2, [RIME]: -3 }, STATES + BLANK],
    ['the last rime', { [STATES + BLANK]: -4, [RIME]: -3 }, RIME],
    ['silence where both are as good', { [STATES + BLANK]: -3, [RIME]: -3 }, STATES + BLANK],
    ['the beginning where nothing was spoken', { [BLANK]: 0 }, BLANK],
  ])('is reached from %s', (_name, set, state) => {
    expect(after(syllables(1), set).end()).toBe(state);
  });
});
