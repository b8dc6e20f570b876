import { expect, test } from 'vitest';
import { parsePinyin } from '#text/syllables/pinyin.ts';
import { readTarget } from '#text/pronunciation/read-target.ts';
import { rowsOf, spokenSyllables } from '#test/pronunciation-targets.ts';

const spoken = (text: string) => spokenSyllables(text, 'mandarin');

/** Text and expected units. The first reading is the spoken one. */
const TEXTS = `
你好: ni2/ni3 hao3
我很好: wo3/wo2 hen2/hen3 hao3
好久不见: hao2/hao3 jiu3 bu2 jian4
展览馆: zhan2/zhan3 lan2/lan3 guan3
小姐: xiao2/xiao3 jie3/jie5
可以: ke2/ke3 yi3/yi5
不是: bu2 shi4
不好: bu4 hao3
不去: bu2 qu4
好不好: hao3 bu5/bu4 hao3
是不是: shi4 bu5/bu2 shi4
对不起: dui4 bu5/bu4 qi3
一个: yi2/yi1 ge4/ge5
一个人: yi2/yi1 ge4/ge5 ren2
两个: liang3 ge4/ge5
三個月: san1 ge4/ge5 yue4
我个人: wo3 ge4 ren2
个个: ge4 ge4
一天: yi4/yi1 tian1
一样: yi2/yi1 yang4
第一: di4 yi1
第一个: di4 yi1 ge4/ge5
一月一日: yi1 yue4 yi1 ri4
统一: tong3 yi1
东西: dong1 xi5/xi1
東西: dong1 xi5/xi1
朋友: peng2 you5/you3
知道: zhi1 dao4/dao5
妈妈: ma1 ma5/ma1
谢谢: xie4 xie5/xie4
看看: kan4 kan5/kan4
想想: xiang2 xiang5/xiang3
桌子: zhuo1 zi5
我们: wo3 men5
头发: tou2 fa5/fa4
早上好: zao3 shang5/shang4 hao3
银行: yin2 hang2
銀行: yin2 hang2
行: xing2/hang2
长: chang2/zhang3
长大: zhang3 da4
乐: le4/yue4
音乐: yin1 yue4
快乐: kuai4 le4
重庆: chong2 qing4
重要: zhong4 yao4
还书: huan2 shu1
还有: hai2 you3
首都: shou3 du1
角色: jue2 se4
出差: chu1 chai1
空调: kong1 tiao2
爱好: ai4 hao4
谁: shui2/shei2
垃圾: la1/le4 ji1/se4
花儿: hua1 (儿)
一点儿: yi4/yi1 dian3 (儿)
女儿: nv3 er2
儿子: er2 zi5
旅游: lv3 you2
2024: er4 ling2 er4 si4
12:30: shi2 er4 dian3 ban4
50%: bai3 fen1 zhi1 wu3 shi2
1/2: er4 fen1 zhi1 yi1
第1名: di4 yi1 ming2
T恤: (T) xu4
我有3个apple: wo2/wo3 you3 san1 ge4/ge5 (apple)
我長大了: wo2/wo3 zhang3 da4 le5
你好！再见: ni2/ni3 hao3 | zai4 jian4
他说：“你好。”: ta1 shuo1 | ni2/ni3 hao3
nǐ hǎo: ni2/ni3 hao3
Nǐhǎo!: ni2/ni3 hao3
ni3 hao3: ni2/ni3 hao3
ni3hao3, ma5: ni2/ni3 hao3 | ma5
ní hǎo: ni2 hao3
nǐ, hǎo: ni3 | hao3
wo3 xiang3 mai3 shui3 guo3: wo2/wo3 xiang2/xiang3 mai2/mai3 shui2/shui3 guo3
wǒ xiǎng mǎi shuǐguǒ: wo2/wo3 xiang2/xiang3 mai2/mai3 shui2/shui3 guo3
bù shì: bu4/bu2 shi4
bu4 hao3: bu4 hao3
bú shì: bu2 shi4
hao3 bu4 hao3: hao3 bu4/bu5 hao3
shì bu shì: shi4 bu5/bu2 shi4
duìbuqǐ: dui4 bu5/bu4 qi3
dui4 bu4 qi3: dui4 bu4/bu5 qi3
yī tiān: yi1/yi4 tian1
yi1 nian2: yi1/yi4 nian2
yìqǐ: yi4 qi3
yī gè: yi1/yi2 ge4/ge5
yī gè rén: yi1/yi2 ge4/ge5 ren2
liǎng gè: liang3 ge4/ge5
liǎng ge: liang3 ge5/ge4
gè gè: ge4 ge4
wǒ gèrén: wo3 ge4 ren2
yī ge: yi1/yi2 ge5/ge4
dì yī: di4 yi1
dì yī kè: di4 yi1 ke4
dì-yī gè: di4 yi1 ge4/ge5
yīshēng: yi1/yi4 sheng1
yī shēng: yi1/yi4 sheng1
yi1yuan4: yi1 yuan4
yīxià: yi1/yi2 xia4
bùduì: bu4/bu2 dui4
bùwèi: bu4 wei4
bù duì: bu4/bu2 dui4
bùfen: bu4 fen5/fen1/fen4
duìbùduì: dui4 bu4/bu2/bu5 dui4
yījùhuà: yi1/yi2 ju4 hua4
bùshì: bu4/bu2 shi4
kan4 yi1 kan4: kan4 yi1/yi2/yi5 kan4
yīfu: yi1 fu5/fu2
xièxie: xie4 xie5/xie4
xie4 xie4: xie4 xie4/xie5
xie4 xie5: xie4 xie5/xie4
péngyou: peng2 you5/you3
peng2 you3: peng2 you3/you5
zhi1 dao4: zhi1 dao4/dao5
zhè gè: zhe4 ge4/ge5
tian1 tian1: tian1 tian1
kàn kan: kan4 kan5/kan4
xiǎng xiang: xiang3/xiang2 xiang5/xiang3
xiang3 xiang3: xiang2/xiang3 xiang3/xiang5
jiějie: jie3 jie5/jie3
jiě jiě: jie3 jie3/jie5
nǎi nǎi: nai3 nai3/nai5
wǒ nǎinai: wo2/wo3 nai3 nai5/nai3
nǎli: na3/na2 li5/li3
lǎohu: lao3/lao2 hu5/hu3
shǒuli: shou3/shou2 li5/li3
zuǐli: zui3/zui2 li5/li3
xiǎojie: xiao3/xiao2 jie5/jie3
kěyi: ke3/ke2 yi5/yi3
ěrduo: er3 duo5/duo3
mǎhu: ma3 hu5/hu3
wǒmen: wo3 men5
zhuōzi: zhuo1 zi5
lǜ chá: lv4 cha2
nv3 er2: nv3 er2
lu:4: lv4
xī’ān: xi1 an1
wǒ xǐhuan nǐ: wo2/wo3 xi3 huan5/huan1 ni3
nǎr: na3
你好 ni3 hao3: ni2/ni3 hao3
`;

test.each(rowsOf(TEXTS))('%s is read %s', async (text, expected) => {
  expect(await spoken(text)).toBe(expected);
});

test('characters are those of the request', async () => {
  const { units } = await readTarget('我們去銀行，好嗎？', 'mandarin');
  expect(units.map(({ text }) => text).join('')).toBe('我們去銀行好嗎');
});

test('every reading is a syllable with a tone', async () => {
  const text = '嗯，小明昨天去图书馆还了三本书，然后跟同学们一起喝了点儿咖啡。哟，你怎么还没睡着呢？呣。';
  const target = await readTarget(text, 'mandarin');
  const readings = target.units.flatMap((unit) => (unit.kind === 'syllable' ? unit.readings : []));
  expect(readings.length).toBeGreaterThan(30);
  for (const reading of readings) expect([reading, parsePinyin(reading)]).not.toContain(null);
  for (const reading of readings) expect(reading).toMatch(/[1-5]$/);
});
