import { expect, it } from 'vitest';
import { splitAtBreaks, withoutBreaks } from './break-tags.ts';

it.each([
  ['<break/>', 500],
  ['<break />', 500],
  ['<break>', 500],
  ['<break></break>', 500],
  ['<break time="1s"/>', 1_000],
  ["<BREAK TIME='300ms' />", 300],
  ['<break time="1.5s">', 1_500],
  ['<break time=2s/>', 2_000],
  ['<break time=" 250 ms "/>', 250],
  ['<break strength="strong"/>', 750],
  ['<break strength="none"/>', 0],
  ['<break strength="x-weak" time="40ms"/>', 40],
  ['<break time="0.75s" strength="medium"/>', 750],
  ['<break time="1h"/>', 500],
  ['<break time=""/>', 500],
  ['<break time="90s"/>', 10_000],
])('%s is a pause of %d ms', (tag, pauseMs) => {
  expect(splitAtBreaks(`早${tag}晨`)).toEqual([
    { text: '早', pauseMs },
    { text: '晨', pauseMs: 0 },
  ]);
  expect(withoutBreaks(`早${tag}晨`)).toBe('早晨');
});

it.each(['a < break', '<breakfast/>', '<br>', 'break time="1s"', '<break'])('%s is text', (text) => {
  expect(splitAtBreaks(text)).toEqual([{ text, pauseMs: 0 }]);
});

it.each([
  ['unfinished tags', '<break time="'.repeat(50_000)],
  ['spaces in an unfinished tag', `<break time=${' '.repeat(100_000)}x`],
  ['spaces after a tag', `<break${' '.repeat(100_000)}x`],
])('takes time in proportion to the text: %s', (_what, text) => {
  expect(withoutBreaks(text)).toBe(text);
});

it.each([`<break time=${' '.repeat(100_000)}"1s"/>`, `<break time="1s"${' '.repeat(100_000)}/>`])(
  'takes time in proportion to the tag',
  (tag) => {
    expect(splitAtBreaks(`早${tag}晨`)[0]).toEqual({ text: '早', pauseMs: 1_000 });
  },
);
