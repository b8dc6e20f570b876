import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { normalize } from '#text/normalization/normalize.ts';
import { splitSentences } from '#text/normalization/split-text.ts';

const TABLE = join(import.meta.dirname, '../../testing/tables/numbers-in-context.tsv');

const spokenForm = (text: string) =>
  splitSentences(text, 'cantonese')
    .map((piece) => normalize(piece, 'cantonese')?.spokenForm ?? '')
    .join('')
    .replace(/[。.]$/u, '');

/** Texts with what is said, by kind. */
const KINDS: Readonly<Record<string, string>> = {
  'a day and a month': `
    5/12交功課 十二月五號交功課, 生日係6/9 生日係九月六號, 3/11-7/11放假 十一月三號至十一月七號放假, 1/7遊行 七月一號遊行, 4/8聚餐 八月四號聚餐,
    9/11去日本 十一月九號去日本, 聽日8/3返工 聽日三月八號返工, 截止日期30/6 截止日期六月三十號, 佢5/6結婚 佢六月五號結婚, 5/6至9/6 六月五號至六月九號,
    由3/4到8/4 由四月三號到四月八號, 改到2/12 改到十二月二號, 31/12除夕 十二月三十一號除夕, 放假24/12-26 放假十二月二十四號至二十六號, 25/12聖誕 十二月二十五號聖誕,
    2/14情人節 二月十四號情人節, 7/8開學 八月七號開學, 6/10派對 十月六號派對, 約咗8/9 約咗九月八號, 我哋6/8去旅行 我哋八月六號去旅行, 3/9考試 九月三號考試,
    4/10至6/10休息 十月四號至十月六號休息, 5/7嗰日 七月五號嗰日, 2/7放榜 七月二號放榜, 3/8婦女節 八月三號婦女節, 10/11演唱會 十一月十號演唱會,
    8/12之前交 十二月八號之前交, 1/10國慶 十月一號國慶, 喺3/4搬屋 喺四月三號搬屋, 生日係2/3 生日係三月二號, 交租日係1/5 交租日係五月一號, 改期到4/5 改期到五月四號,
    8.8父親節 八月八號父親節, 12.25聖誕 十二月二十五號聖誕, 5.1假期 五月一號假期`,
  'a day that names an event': `
    7.1遊行 七一遊行, 10.1國慶 十一國慶, 5.4運動 五四運動, 6.4晚會 六四晚會, 3.8婦女節 三八婦女節, 5.1勞動節 五一勞動節, 911事件 九一一事件, 721事件 七二一事件, 518大地震 五一八大地震,
    711便利店 七一一便利店, 228事件 二二八事件, 311地震 三一一地震`,
  'a share stays a share': `
    入咗2/3 入咗三分之二, 食咗1/2 食咗二分之一, 佔5/11 佔十一分之五, 佔1/4 佔四分之一, 3/4個 四分之三個, 3/4嘅人 四分之三嘅人, 5/11人 十一分之五人, 1/2杯 二分之一杯,
    得返1/6 得返六分之一, 大約1/8 大約八分之一, 飲咗3/8 飲咗八分之三, 有10/12嘅人 有十二分之十嘅人, 超過2/3 超過三分之二, 1/3左右 三分之一左右, 11分之3 十一分之三, 佔總數1/10 佔總數十分之一, 減到1/10 減到十分之一, 2.5節課 二點五節課, 機會率係1/6 機會率係六分之一`,
  'a decimal is no day': `
    彈咗2.5個小節 彈咗二點五個小節, 匯率由7.8回歸7.75 匯率由七點八回歸七點七五, 3.5個季節 三點五個季節, 放大1.5倍調節 放大一點五倍調節, 7.1回歸紀念日 七月一號回歸紀念日, 5.10母親節 五月十號母親節`,
  'an amount is no name': `
    日產300噸 日產三百噸, 日產5000件 日產五千件, 富豪500強 富豪五百強, 錄得365場火災 錄得三百六十五場火災, 125家便利店 一百二十五家便利店, 課室120間 課室一百二十間,
    房間200呎 房間二百呎, 巴士線600條 巴士線六百條, 311日本大地震 三一一日本大地震, 921台灣大地震 九二一台灣大地震, 波音747 波音七四七, 課室302號 課室三零二號, 搭104間中 搭一零四間中`,
  'the letter in a list and before a noun': `
    A,B,C,D四個選項 A,B,C,D四個選項, 買D類保險 買D類保險, D選項錯 D選項錯, D盤滿咗 D盤滿咗, D單位有人住 D單位有人住, D類似嘅嘢 啲類似嘅嘢, 呢D選項 呢啲選項, D單好貴 啲單好貴`,
  'two that counts': `
    OT2小時 O T兩小時, book2位 book兩位, 要2set 要兩set, 2餸1湯 兩餸一湯, 3男2女 三男兩女, 2大1細 兩大一細, 2pcs 兩pieces, 買2張飛 買兩張飛, 2日1夜 兩日一夜, 2房1廳 兩房一廳,
    2女1男 兩女一男, 2男生 兩男生, 2菜1湯 兩菜一湯, 2copies 兩copies, 等2日 等兩日, 2杯奶茶 兩杯奶茶, 訂2間房 訂兩間房, 2tickets 兩tickets, 2球雪糕 兩球雪糕, 2隻雞 兩隻雞,
    2支水 兩支水, 請2日假 請兩日假, 坐2個鐘 坐兩個鐘, 叫2set餐 叫兩set餐, 要2份 要兩份, 2老1嫩 兩老一嫩, 食2餐 食兩餐, 2盒蛋 兩盒蛋, 2味 兩味, 2煲湯 兩煲湯, 第一，2個人 第一兩個人`,
  'two that names': `
    2樓 二樓, 2號 二號, 2月 二月, 2人房 二人房, 買2送1 買二送一, 2對2 二對二, 第2個 第二個, 第1、2題 第一二題, 中2 中二, 星期2 星期二, 2B班 二B班, 2年級 二年級,
    第2、3日 第二三日, 卷2 卷二, 2座 二座, 百分之2 百分之二, 第一至2題 第一至二題`,
  'digits one by one': `
    訂單#10023 訂單一零零二三, #12345 一二三四五, 尾數5678 尾數五六七八, 輕鐵614 輕鐵六一四, 巴士104 巴士一零四, 密碼2468 密碼二四六八, 單號#4567 單號四五六七, 房號1203 房號一二零三,
    頻道801 頻道八零一, 電話尾4321 電話尾四三二一, 房間2106 房間二一零六, 課室302 課室三零二, 郵編518000 郵編五一八零零零, 收據#3321 收據三三二一, 學號12345 學號一二三四五`,
  'signs and letters': `
    12x12格 十二乘十二格, 3X歲 三十幾歲, 4X年 四十幾年, 400sq ft 四百平方呎, 呢D嘢 呢啲嘢, 快D啦 快啲啦, 有D人 有啲人, 嗰D 嗰啲, 好D未 好啲未, 選D 選D, C# C sharp,
    F# F sharp, C#大調 C sharp大調, 約翰福音3:16 約翰福音三章十六節, 詩篇23:1 詩篇二十三章一節, 馬太福音5:3 馬太福音五章三節, 羅馬書8:28 羅馬書八章二十八節, 時間3:16 時間三點十六分,
    二O二六年 二〇二六年, Iron Man3 Iron Man三, Pokemon Go2 Pokemon Go二, Jan3交貨 Jan三交貨`,
};

test.each(Object.entries(KINDS))('%s', (_, members) => {
  const wrong = members
    .trim()
    .split(/,\s+/u)
    .flatMap((member) => {
      const [, text = '', expected = ''] = /^(.*?(?<!Iron|Pokemon|sq)) (.+)$/su.exec(member.trim()) ?? [];
      const actual = spokenForm(text).replaceAll('，', '');
      return actual === expected ? [] : [`${text}: ${actual}, not ${expected}`];
    });
  expect(wrong).toEqual([]);
});

test('numbers, days and signs are said as people in Hong Kong say them', () => {
  const rows = readFileSync(TABLE, 'utf8').trim().split('\n').slice(1);
  const wrong = rows.flatMap((row) => {
    const [, text = '', expected = ''] = row.split('\t');
    const actual = spokenForm(text);
    return actual === expected ? [] : [`${text}: ${actual}, not ${expected}`];
  });
  expect(wrong).toEqual([]);
});
