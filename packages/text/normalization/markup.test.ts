import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { leastCpuTimeMs } from '#test/cpu-time.ts';
import { withoutMarkup } from './markup.ts';
import { normalize } from './normalize.ts';
import { splitText } from './split-text.ts';

const spokenFormOf = (text: string, language: Language) =>
  splitText(text, language)
    .map((piece) => normalize(piece, language)?.spokenForm ?? '')
    .join(' ');

test('tags and entities of a web page are not spoken', () => {
  const page =
    '<h1>最新消息</h1>\n<p>各位同學：<br>下星期一<strong>停課</strong>一日。</p><ul><li>地點：A座&nbsp;三樓</li></ul>';
  expect(spokenFormOf(page, 'cantonese')).toBe('最新消息。 各位同學， 下星期一停課一日。 地點，A座三樓。');
  expect(spokenFormOf('<p class="x">Hello &amp; welcome!<br/>Enjoy.</p><!-- not this -->', 'english')).toBe(
    'Hello and welcome! Enjoy.',
  );
});

test('asterisks, checkboxes, links and rules of notes are not spoken', () => {
  const notes = '## 今日待辦\n- [x] 買**牛奶**\n* 去[銀行](https://www.example.com/)\n---\n~~打電話~~';
  expect(spokenFormOf(notes, 'cantonese')).toBe('今日待辦。 買牛奶。 去銀行。 打電話。');
  expect(spokenFormOf('**Note:** prices *exclude* `tax`.', 'english')).toBe('Note, prices exclude tax.');
});

test('a list number is part of its line', () => {
  expect(splitText('1. 洗米\n2. 煲水', 'cantonese').map(({ text }) => text)).toEqual(['1. 洗米\n', '2. 煲水']);
  expect(spokenFormOf('1. 洗米\n2. 煲水', 'cantonese')).toBe('一，洗米。 二，煲水。');
});

test('signs that are no markup stay', () => {
  for (const text of ['2 < 3 and 5 > 4', '5** 同 5*', '3*4*5', 'a_b_c', 'x <y> z', 'R&D', '10.5', '~30', '[1] a (b)']) {
    expect(withoutMarkup(text)).toBe(text);
  }
});

test('any text keeps its length and takes little time', async () => {
  const unit = fc.constantFrom(
    ...'<>/ab *_~`[]()|-\n#1.&;好!="',
    '<p>',
    '</b>',
    '<!--',
    '-->',
    '](http:',
    '**',
    '&amp;',
  );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit, maxLength: 120 }), fc.string({ unit: 'binary', maxLength: 60 })), (text) => {
      expect(withoutMarkup(text)).toHaveLength(text.length);
    }),
    { numRuns: 500 },
  );
  for (const hostile of ['<a ', '**a', '[a](http:', '<!--', '* a', '`', '|--', '<script>', '&a', '_ ', '*a ']) {
    const text = hostile.repeat(5000);
    expect([hostile, (await leastCpuTimeMs(() => withoutMarkup(text), 500)) < 500]).toEqual([hostile, true]);
  }
});

test.each([
  ['dashes between spaces', `${' '.repeat(5_000)}${'-'.repeat(5_000)}${' '.repeat(5_000)}x`],
  ['dashes and bars', `|${' '.repeat(5_000)}:${'-|: '.repeat(2_000)}x`],
])('a line of %s that is no rule takes time in proportion to its length', async (_, line) => {
  expect(await leastCpuTimeMs(() => expect(withoutMarkup(line)).toBe(line), 500)).toBeLessThan(500);
});
