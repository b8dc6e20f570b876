import { describe, expect, it } from 'vitest';
import { createStablePrefix } from './stable-prefix.ts';

function follow(...hypotheses: string[]) {
  const prefix = createStablePrefix();
  return hypotheses.map((each) => prefix.update(each));
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
    prefix.update('香港');
    prefix.update('香港');
    expect(prefix.finish('香江人好')).toBe('香港人好');
  });

  it('is empty for hypotheses without text', () => {
    expect(follow('', '', ' ').at(-1)).toEqual({ stable: '', text: '' });
  });
});
