import { expect, it } from 'vitest';
import { mandarinNumberWordings } from './number-wordings.ts';

/** As written, as usually said, the next word; other usual forms, and after `-` what is none. */
const NUMBERS = `
200 两百 人: 二百 -两零零
2000 两千 块: 二千
22000 两万二千 人: 两万两千 二万二千
1500 一千五百 人: -一千五 -一千六百
120元 一百二十元 : 一百二十块 一百二十块钱 -一百二元钱
105 一百零五 个: -一百五
2 两 个: 俩+ -二
3 三 个: 仨+
2 两 米: 二
2kg 两千克 : 两公斤 二公斤
2.5 二点五 小时: 两个半 两点五
2.5 二点五 公斤: 两公斤半+
1/2 二分之一 : 一半 半
50% 百分之五十 : 五成 -五十成
3-5 三到五 天: 三至五
28℃ 二十八摄氏度 : 二十八度 摄氏二十八度
-5℃ 零下五摄氏度 : 零下五度 负五度
60km/h 六十公里每小时 : 时速六十公里 每小时六十公里
138 幺三八 : 一三八 -幺三七
101 幺零幺 路: 一零一 一百零一
2026年 二零二六年 : 两千零二十六年 二千零二十六年
¥12.5 十二块五 : 十二元五角 十二点五元 十二块五毛
¥49.99 四十九块九毛九 : 四十九点九九元 四十九元九角九分
¥99 九十九块 : 九十九元 九十九块钱
100元 一百元 : 一百块 一百块钱
5港元 五港元 : -五港块
2024-12-25 二零二四年十二月二十五日 : 二零二四年十二月二十五号
12月25日 十二月二十五日 : 十二月二十五号
3:05 三点零五分 : 三点零五 三点五分 三点过五分 -三点五十分
8:15 八点十五分 : 八点一刻 八点十五
1200 一千二百 人: 一千两百 -一千二两
22200 二万二千二百 人: 两万二千二百 两万两千两百
8:45 八点四十五分 : 八点三刻 差一刻九点 -差一刻八点
12:45 十二点四十五分 : 差一刻一点
8:30 八点三十分 : 八点半 八点三十
14:00 十四点 : 两点 下午两点 十四点整 -上午两点
20:30 二十点三十分 : 八点半 晚上八点半
2:00 两点 : 两点钟 两点整 -二点
二十三 二十三 岁: -廿三
`
  .trim()
  .split('\n');

it.each(NUMBERS)('%s', (row) => {
  const [head = '', forms = ''] = row.split(': ');
  const [written = '', usual = '', next = ''] = head.split(' ');
  const found = mandarinNumberWordings(written, usual, next).map(
    ({ spokenForm, takesNext }) => spokenForm + (takesNext ? '+' : ''),
  );
  const isAsExpected = (form: string) => found.includes(form.replace(/^-/u, '')) !== form.startsWith('-');
  expect(forms.split(' ').filter((form) => form !== usual && !isAsExpected(form))).toEqual([]);
  expect(found).not.toContain(usual);
});
