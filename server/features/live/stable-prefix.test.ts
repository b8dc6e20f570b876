import { describe, expect, it } from 'vitest';
import { createStablePrefix } from './stable-prefix.ts';

const follow = (...hypotheses: string[]) => followEvery(320, ...hypotheses);

/** One hypothesis for each `everyMs` of sound. */
function followEvery(everyMs: number, ...hypotheses: string[]) {
  const prefix = createStablePrefix();
  return hypotheses.map((hypothesis, index) => prefix.update(hypothesis, (index + 1) * everyMs));
}

describe('the stable beginning of a growing text', () => {
  it('is what two hypotheses in a row agree on', () => {
    expect(follow('我', '我哋', '我哋今日').map(({ stable }) => stable)).toEqual(['', '我', '我哋']);
  });

  it('grows by whole words, with the space before them', () => {
    expect(follow('hello wor', 'hello world and', 'hello world and then').map(({ stable }) => stable)).toEqual([
      '',
      'hello',
      'hello world and',
    ]);
  });

  it('stays when a later hypothesis contradicts it', () => {
    const [, , last] = follow('香港人', '香港人', '上港人好');
    expect(last).toEqual({ stable: '香港人', text: '香港人好' });
  });

  it('stays when a later hypothesis is shorter', () => {
    const [, , last] = follow('香港人', '香港人', '香');
    expect(last).toEqual({ stable: '香港人', text: '香港人' });
  });

  it('is continued by the final text', () => {
    const prefix = createStablePrefix();
    prefix.update('香港', 400);
    prefix.update('香港', 800);
    expect(prefix.finish('香江人好')).toBe('香港人好');
  });

  it('is without the last word while hypotheses follow one another fast', () => {
    const stable = followEvery(100, '我', '我哋', '我哋今', '我哋金').map((update) => update.stable);
    expect(stable).toEqual(['', '我', '我哋', '我哋']);
  });

  it('has the last word once all hypotheses of a while agree on it', () => {
    expect(followEvery(100, '我', '我', '我').map(({ stable }) => stable)).toEqual(['', '', '我']);
    expect(followEvery(100, '我', '鵝', '我', '我').map(({ stable }) => stable)).toEqual(['', '', '', '']);
    expect(followEvery(100, '我', '鵝', '我', '我', '我').at(-1)?.stable).toBe('我');
  });

  it('is empty for hypotheses without text', () => {
    expect(follow('', '', ' ').at(-1)).toEqual({ stable: '', text: '' });
  });
});

/** The stable text after each 300 ms of sound in which the same was heard. */
function stableAt(delayMs?: number) {
  const prefix = createStablePrefix(delayMs);
  return [0, 300, 600, 900, 1_200].map((soundMs) => prefix.update('早晨', soundMs).stable);
}

it('with a longer delay a text is stable later, when more sound agrees', () => {
  expect(stableAt()).toEqual(['', '早晨', '早晨', '早晨', '早晨']);
  expect(stableAt(600)[1]).not.toBe('早晨');
  expect(stableAt(600)[2]).toBe('早晨');
  expect(stableAt(1_200).indexOf('早晨')).toBe(4);
});
