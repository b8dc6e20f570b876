import { expect, test } from 'vitest';
import { createSpokenJyutping } from '#text/readings/spoken-jyutping.ts';

const read = createSpokenJyutping();
/** The reading of the sign before the second number. */
const signOf = (text: string) => read(text).find(({ character }) => /^[-–—－~～]/u.test(character))?.jyutping ?? null;

const SPANS = `
3月-5月 10月-12月送貨 3月–5月 3月~5月 二月-四月 3月8日-10日 3月8日-4月2日 1月1日－1月3日 4月底-5月初 5日-7日
星期一-星期五 星期一-五 週一-週五 禮拜六-日 初一-初三 第3週-第5週 第3名-第5名 中一-中三 小一-小六
早上9時-下午5時 上午9:00-下午5:00 九點半-十點 1樓-3樓 5歲-8歲 10分鐘-15分鐘 1號-5號 2人-4人 3個-5個 1座-3座 兩人-四人
`;
test('the sign between two ends with their units is "to"', () => {
  const spans = SPANS.trim().split(/\s+/);
  expect(spans.filter((text) => signOf(text) !== 'zi3')).toEqual([]);
});

test('a sign before one number with a unit is no span', () => {
  const signless = '今日-5度 最低-5度 今日係星期一-好累 第3季-5% 2樓-茶餐廳 三四個—真係 第一——第二 星期一-五個人'.split(
    ' ',
  );
  expect(signless.filter((text) => signOf(text) === 'zi3')).toEqual([]);
});

test('years with their unit are read as years on both ends', () => {
  const [span] = read('2024年-2026年');
  expect(span?.jyutping).toBe('ji6 ling4 ji6 sei3 nin4 zi3 ji6 ling4 ji6 luk6 nin4');
});
