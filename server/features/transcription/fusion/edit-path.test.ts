import { describe, expect, test } from 'vitest';
import { editPath } from './edit-path.ts';

/** The path between two words: `=` equal, `~` replaced, `-` removed, `+` added. */
function pathOf(original: string, proposed: string, replacementCost = 1): string {
  const cost = (from: number, to: number) => (original[from] === proposed[to] ? 0 : replacementCost);
  return editPath(original.length, proposed.length, cost)
    .map(({ original: from, proposed: to }) => {
      if (from === null) return '+';
      if (to === null) return '-';
      return original[from] === proposed[to] ? '=' : '~';
    })
    .join('');
}

describe('the cheapest path', () => {
  test.each([
    ['', '', ''],
    ['abc', 'abc', '==='],
    ['abc', 'axc', '=~='],
    ['abc', 'xyz', '~~~'],
    ['abc', 'ac', '=-='],
    ['ac', 'abc', '=+='],
    ['', 'ab', '++'],
    ['ab', '', '--'],
    ['abcd', 'bcd', '-==='],
    ['abcd', 'abcde', '====+'],
    ['kitten', 'sitting', '~===~=+'],
  ])('from %j to %j: %s', (original, proposed, path) => {
    expect(pathOf(original, proposed)).toBe(path);
  });

  test('removes and adds where a replacement is impossible', () => {
    expect(pathOf('abc', 'axc', Infinity)).toHaveLength(4);
    expect(pathOf('abc', 'axc', Infinity).replaceAll('=', '').split('').toSorted().join('')).toBe('+-');
  });

  test('uses each token once, in order', () => {
    const words = ['', 'a', 'ab', 'ba', 'aab', 'abab', 'bbbaaa'];
    for (const original of words) {
      for (const proposed of words) {
        const steps = editPath(original.length, proposed.length, (i, j) => (original[i] === proposed[j] ? 0 : 1));
        expect(steps.flatMap((step) => step.original ?? [])).toEqual([...original].map((_, index) => index));
        expect(steps.flatMap((step) => step.proposed ?? [])).toEqual([...proposed].map((_, index) => index));
      }
    }
  });

  test('keeps sequences of one length aligned', () => {
    expect(pathOf('abcabc', 'cabcab')).toMatch(/^[=~]{6}$|[-+]/);
    expect(pathOf('aaaa', 'bbbb')).toBe('~~~~');
  });
});
