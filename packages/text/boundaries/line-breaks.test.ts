import { expect, it } from 'vitest';
import { lineBreaksOf } from './line-breaks.ts';

/** The text with a bar at each place where a line may end. */
function marked(text: string): string {
  const mayBreak = lineBreaksOf(text);
  return [...text.matchAll(/./gsu)]
    .map(({ 0: character, index }) => `${mayBreak(index) ? '|' : ''}${character}`)
    .join('');
}

it('keeps prices, times, dates, addresses and numerals whole', () => {
  for (const whole of [
    'HK$1,234.50',
    '9:30',
    '2026/11/29',
    'user@example.com',
    'T-shirt',
    'A&B',
    '25°C',
    '80%',
    '50萬',
    '三千五百萬',
    '９：３０',
    "don't",
  ]) {
    expect(marked(`要${whole}咩`).replace(/\|(?=要)/, '')).toBe(`要|${whole}|咩`);
  }
});

it('begins no line with a closing mark or a space and ends none with an opening mark', () => {
  expect(marked('佢話「好」，去（旺角）…')).toBe('佢|話|「好」，|去|（旺|角）…');
  expect(marked('佢講"好"又講"得"啦')).toBe('佢|講|"好"|又|講|"得"|啦');
  expect(marked('one two, three')).toBe('one |two, |three');
  expect(marked('so…what,then…2046')).toBe('so…|what,|then…|2046');
  expect(marked('𠮷野家😀好')).toBe('𠮷|野|家|😀|好');
});
