import { expect, it } from 'vitest';
import { numberWordings } from './number-wordings.ts';

/** As written, as usually said, the next word; other usual forms, and after `-` what is none. */
const NUMBERS = `
23 二十三 歲: 廿三 -二三
35 三十五 歲: 卅五
20 二十 號: 廿
30 三十 號: -卅
11月29日 十一月二十九日 : 十一月廿九日 十一月二十九號
200 二百 人: 兩百 二百 -二零零
2000 兩千 人: 二千
22000 二萬二千 人: 兩萬二千 兩萬兩千 兩萬二
120000 十二萬 人: -十兩萬
128蚊 一百二十八蚊 : 一百廿八蚊 百二八蚊 一百二十八元
100 一百 人: -百
50% 百分之五十 : 五成 -百五十
20% 百分之二十 : 兩成
25% 百分之二十五 : -二成五
250 二百五十 蚊: 二百五 兩百五十 -二百五百
1500 一千五百 人: 一千五 千五
1505 一千五百零五 人: -一千五零五
968 九百六十八 去: 九六八
250 二百五十 個: -二五零
97 九十七 年: 九七
2026年 二零二六年 : 二千零二十六年 兩千零二十六年
2kg 兩公斤 : 二公斤
2 兩 個: -二
2.5 二點五 公斤: 兩公斤半+ 兩點五 -二公斤半+
1.5 一點五 小時: 一個半
2.5 二點五 小時: 兩個半
1/2 二分之一 個: 半 一半+
1/3 三分之一 個: -半
28℃ 攝氏二十八度 : 二十八度 廿八度
3-5 三至五 個: 三到五
$3.5 三個半 : 三蚊半 三元五角
$4.3 四個三 : 四蚊三 四元三角
$0.5 五毫 : 五角
$50 五十蚊 : 五十元
5/12 十二月五號 : 十二月五日 五月十二號
25/12 十二月二十五號 : 十二月廿五日 -二十五月十二號
2:30 兩點半 : 兩點三十分 兩點六 -兩蚊半
3:00 三點 : 三點正 三點鐘
8:15 八點十五分 : 八點一個骨 八點一刻 -八點三個骨
2:15 兩點十五分 : 兩點一刻 兩點個骨 -二點一刻
8:45 八點四十五分 : 八點三個骨 八點三刻 -八點一個骨
7:45 七點四十五分 : 七點四十五 七點九 七點九個字
14:05 十四點零五分 : 兩點零五分 下晝兩點一 下午兩點零五分 -上午兩點零五分
20:10 八點十分 : 八點兩個字
20:00 二十點 : 八點正 晚上八點 -廿點
18:30 十八點三十分 : 六點半 夜晚六點半
7am 朝早七點 : 上午七點 七點 -下午七點
二十三 二十三 歲: -廿三
`
  .trim()
  .split('\n');

it.each(NUMBERS)('%s', (row) => {
  const [head = '', forms = ''] = row.split(': ');
  const [written = '', usual = '', next = ''] = head.split(' ');
  const found = numberWordings(written, usual, next).map(
    ({ spokenForm, takesNext }) => spokenForm + (takesNext ? '+' : ''),
  );
  const isAsExpected = (form: string) => found.includes(form.replace(/^-/u, '')) !== form.startsWith('-');
  expect(forms.split(' ').filter((form) => form !== usual && !isAsExpected(form))).toEqual([]);
  expect(found).not.toContain(usual);
});

it('has few forms for numbers of any length', () => {
  expect(numberWordings('12,222,222', '一千二百二十二萬二千二百二十二', '人').length).toBeLessThanOrEqual(30);
});
