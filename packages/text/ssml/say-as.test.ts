import { expect, test } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { spokenSsml } from '#text/testing/spoken-ssml.ts';

/** `interpret-as`, its format, the text, and what is spoken. */
type Row = readonly [interpretAs: string, format: string, text: string, spoken: string];

async function wrongRows(language: Language, rows: readonly Row[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [interpretAs, format, text, expected] of rows) {
    const attributes = `interpret-as="${interpretAs}"${format === '' ? '' : ` format="${format}"`}`;
    const spoken = await spokenSsml(`<say-as ${attributes}>${text}</say-as>`, language);
    if (spoken !== expected) wrong.push(`${interpretAs} ${format} ${text}: ${spoken} instead of ${expected}`);
  }
  return wrong;
}

test('in Cantonese', async () => {
  expect(
    await wrongRows('cantonese', [
      ['characters', '', 'ABC123', 'A B C 一二三'],
      ['spell-out', '', 'héllo', 'H E L L O'],
      ['verbatim', '', '好-7@', '好 橫線 七 at'],
      ['characters', '', '3x4', '三 X 四'],
      ['digits', '', '2026', '二零二六'],
      ['digits', '', '1000', '一零零零'],
      ['number_digit', '', '12 34', '一二 三四'],
      ['telephone', '', '2345 6789', '二三四五 六七八九'],
      ['telephone', '1', '(852) 9123-4567', '八五二 九一二三 四五六七'],
      ['date', 'dmy', '5/12/2026', '二零二六年十二月五號'],
      ['date', 'mdy', '5/12/2026', '二零二六年五月十二號'],
      ['date', 'ymd', '2026-12-05', '二零二六年十二月五號'],
      ['date', 'yyyymmdd', '20261205', '二零二六年十二月五號'],
      ['date', '', '????1205', '十二月五號'],
      ['date', 'yyyymmdd', '????1205', '十二月五號'],
      ['date', 'md', '1/2', '一月二號'],
      ['date', 'dm', '1/2', '二月一號'],
      ['date', 'ym', '2026/2', '二零二六年二月'],
      ['date', 'y', '1997', '一九九七年'],
      ['date:dmy', '', '5/12/2026', '二零二六年十二月五號'],
      ['vxml:date', 'dmy', '5-12-97', '九七年十二月五號'],
      ['date', '', '2026年12月5日', '二零二六年十二月五日'],
      ['date', 'mdy', '13/13/2026', '十三 十三 二零二六'],
      ['time', 'hms24', '14:05', '十四點零五分'],
      ['time', 'hms12', '2:30pm', '下晝兩點半'],
      ['time', 'hms12', '2:30:15', '兩點三十分十五秒'],
      ['time', '', '1\'21"', '一分鐘 二十一秒'],
      ['duration', 'hms', '01:18:30', '一小時 十八分鐘 三十秒'],
      ['duration', '', '2:05', '兩分鐘 五秒'],
      ['duration', 'hm', '1:30', '一小時 三十分鐘'],
      ['duration', '', '1:30:00', '一小時 三十分鐘'],
      ['duration', '', '0:00', '零秒'],
      ['cardinal', '', '1234', '一千二百三十四'],
      ['cardinal', '', '1 234 567', '一百二十三萬四千五百六十七'],
      ['number', '', '-3.5', '負三點五'],
      ['cardinal', '', '999', '九百九十九'],
      ['number', 'ordinal', '2', '第二'],
      ['number:digits', '', '12', '一二'],
      ['ordinal', '', '2', '第二'],
      ['ordinal', '', '第12', '第十二'],
      ['fraction', '', '3/4', '四分之三'],
      ['fraction', '', '1 1/2', '一又二分之一'],
      ['currency', '', 'HK$12', '十二蚊'],
      ['currency', 'HKD', '12', '十二蚊'],
      ['currency', '', '99.9 USD', '九十九點九美元'],
      ['unit', '', '10kg', '十公斤'],
      ['address', '', '彌敦道123號', '彌 敦 道 一百二十三 號'],
      ['unheard-of', '', '12', '十二'],
      ['date', 'dmy', '聽日', '聽日'],
      ['telephone', '', '冇', '冇'],
    ]),
  ).toEqual([]);
});

test('in Mandarin and English', async () => {
  expect(
    await wrongRows('mandarin', [
      ['characters', '', 'A1.', 'A 一 点'],
      ['digits', '', '110', '一一零'],
      ['date', 'mdy', '5/12/2026', '二零二六年五月十二日'],
      ['ordinal', '', '2', '第二'],
      ['cardinal', '', '2000', '两千'],
    ]),
  ).toEqual([]);
  expect(
    await wrongRows('english', [
      ['characters', '', 'BBC1', 'B B C one'],
      ['digits', '', '110', 'one one zero'],
      ['telephone', '', '555 1234', 'five five five one two three four'],
      ['date', 'mdy', '5/12/2026', 'the twelfth of May twenty twenty-six'],
      ['time', 'hms12', '2:30pm', 'two thirty P M'],
      ['ordinal', '', '21', 'twenty-first'],
      ['cardinal', '', '2000', 'two thousand'],
      ['fraction', '', '2/5', 'two fifths'],
      ['currency', '', '$3.50', 'three dollars fifty'],
    ]),
  ).toEqual([]);
});
