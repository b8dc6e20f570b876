import { describe, expect, test } from 'vitest';
import { USUAL_FORMS, USUAL_PHRASES } from '#text/script/hong-kong-forms.ts';
import { usualHongKongForms } from '#text/script/convert-script.ts';
import { SPELLING_RULES } from './spelling-rules.ts';

/** Traditional text as recognizers write it, and Hong Kong's spelling of the same words. */
const TEXTS: Readonly<Record<string, readonly (readonly [recognized: string, written: string])[]>> = {
  'D and d for 啲': [
    ['呢D嘢', '呢啲嘢'],
    ['買D生果', '買啲生果'],
    ['快D啦', '快啲啦'],
    ['大d先', '大啲先'],
    ['維他命D片', '維他命D片'],
    ['D座三樓', 'D座三樓'],
    ['D班同學', 'D班同學'],
    ['Model D', 'Model D'],
  ],
  '係, 喺 and 系': [
    ['即系點呀', '即係點呀'],
    ['但系我唔去', '但係我唔去'],
    ['我系學生', '我係學生'],
    ['佢系香港出世', '佢喺香港出世'],
    ['我系屋企', '我喺屋企'],
    ['放系枱面', '放喺枱面'],
    ['我放系統入去', '我放系統入去'],
    ['屋企系噉', '屋企係噉'],
    ['佢讀中文系', '佢讀中文系'],
    ['操作系統壞咗', '操作系統壞咗'],
    ['太陽系有八大行星', '太陽系有八大行星'],
    ['冇關系', '冇關係'],
    ['保持聯繫', '保持聯繫'],
    ['同學系邊個', '同學係邊個'],
    ['同係度食飯', '同喺度食飯'],
    ['但係度假好貴', '但係度假好貴'],
  ],
  嘅: [
    ['我既書', '我嘅書'],
    ['佢既然唔嚟', '佢既然唔嚟'],
    ['既快又平', '既快又平'],
    ['既視感', '既視感'],
    ['謀殺既遂', '謀殺既遂'],
    ['今日既天氣', '今日嘅天氣'],
  ],
  咗: [
    ['食左飯', '食咗飯'],
    ['佢走左', '佢走咗'],
    ['轉左會', '轉咗會'],
    ['轉左行', '轉左行'],
    ['左手邊', '左手邊'],
    ['向左行', '向左行'],
    ['佢喺左邊', '佢喺左邊'],
    ['唔見左邊個銀包', '唔見咗邊個銀包'],
  ],
  哋: [
    ['我地去', '我哋去'],
    ['人地話', '人哋話'],
    ['佢地下個月嚟', '佢哋下個月嚟'],
    ['你地址係乜', '你地址係乜'],
    ['私人地方', '私人地方'],
  ],
  '瞓, 啱, 嘢': [
    ['去訓覺', '去瞓覺'],
    ['受訓練', '受訓練'],
    ['岩岩先食', '啱啱先食'],
    ['攀岩', '攀岩'],
    ['食野啦', '食嘢啦'],
    ['買野食', '買嘢食'],
    ['野生動物', '野生動物'],
    ['長野縣', '長野縣'],
    ['去野餐', '去野餐'],
  ],
  '嗰 and 呢': [
    ['果個人', '嗰個人'],
    ['果度有車', '嗰度有車'],
    ['如果個個都去', '如果個個都去'],
    ['食生果', '食生果'],
    ['個陣時', '嗰陣時'],
    ['依個係乜', '呢個係乜'],
    ['依據法例', '依據法例'],
    ['宜家好忙', '而家好忙'],
    ['去宜家買嘢', '去宜家買嘢'],
  ],
  '嚟 and 返': [
    ['過黎食飯', '過嚟食飯'],
    ['黎生話', '黎生話'],
    ['黎緊星期', '嚟緊星期'],
    ['巴黎好靚', '巴黎好靚'],
    ['我返來喇喎', '我返來喇喎'],
    ['佢返來咗', '佢返嚟咗'],
    ['我將來嘅事', '我將來嘅事'],
    ['番屋企', '返屋企'],
    ['番茄炒蛋', '番茄炒蛋'],
    ['行翻去', '行返去'],
    ['翻譯', '翻譯'],
  ],
  畀: [
    ['比我睇', '畀我睇'],
    ['比錢', '畀錢'],
    ['送比你', '送畀你'],
    ['比人打', '畀人打'],
    ['比較好', '比較好'],
    ['我比佢高', '我比佢高'],
    ['比你聽得多', '比你聽得多'],
  ],
  㗎: [
    ['係咁架', '係噉㗎'],
    ['唔係架', '唔係㗎'],
    ['一架車', '一架車'],
    ['唔好打架', '唔好打架'],
    ['好噶', '好㗎'],
    ['準噶爾盆地', '準噶爾盆地'],
  ],
  '晒 and 曬': [
    ['食曬飯', '食晒飯'],
    ['曬太陽', '曬太陽'],
    ['去晒太陽', '去曬太陽'],
    ['洗曬衫', '洗晒衫'],
    ['多謝曬', '多謝晒'],
    ['防晒', '防曬'],
  ],
  '吓, 嘩, 喂, 郁': [
    ['講嚇先', '講吓先'],
    ['嚇死我', '嚇死我'],
    ['譁好靚', '嘩好靚'],
    ['大譁然', '大譁然'],
    ['餵你好', '喂你好'],
    ['餵狗', '餵狗'],
    ['唔好鬱', '唔好郁'],
    ['抑鬱', '抑鬱'],
  ],
  '鍾 and 鐘, 隻, 齣': [
    ['鐘意', '鍾意'],
    ['五分鍾', '五分鐘'],
    ['幾點鍾', '幾點鐘'],
    ['呢只貓', '呢隻貓'],
    ['只係', '只係'],
    ['一只狗', '一隻狗'],
    ['睇一出戲', '睇一齣戲'],
    ['行齣去', '行出去'],
  ],
  surnames: [
    ['遊先生', '游先生'],
    ['導遊先生', '導遊先生'],
    ['由於太多人', '由於太多人'],
    ['阿塗', '阿涂'],
    ['嶽母', '岳母'],
  ],
  'other characters': [
    ['僕街', '仆街'],
    ['僕人', '僕人'],
    ['籤名', '簽名'],
    ['求籤', '求籤'],
    ['贊佢叻', '讚佢叻'],
    ['贊成', '贊成'],
    ['復返我', '覆返我'],
    ['藉錢', '借錢'],
    ['藉口', '藉口'],
    ['舍唔得', '捨唔得'],
    ['念住去', '諗住去'],
    ['概念', '概念'],
    ['唔準入', '唔准入'],
    ['唔準確', '唔準確'],
    ['去剪發', '去剪髮'],
    ['食面', '食麵'],
    ['一張台', '一張台'],
    ['呢張台', '呢張枱'],
    ['戴表', '戴錶'],
  ],
  '仲 and 噉': [
    ['佢重未食', '佢仲未食'],
    ['佢體重未減', '佢體重未減'],
    ['咁樣做', '噉樣做'],
    ['咁我走先', '噉我走先'],
    ['咁大', '咁大'],
    ['咁重', '咁重'],
    ['咁啱', '咁啱'],
    ['係咁。', '係噉。'],
  ],
};

describe.each(Object.entries(TEXTS))('%s', (_group, rows) => {
  test.each(rows)('%s is written %s', (recognized, written) => {
    expect(usualHongKongForms(recognized)).toBe(written);
  });
});

describe('every rule', () => {
  test('replaces one character by another one', () => {
    for (const { from, to } of SPELLING_RULES) {
      expect([from, to].map((text) => text.length)).toEqual([1, 1]);
      expect(from).not.toBe(to);
    }
  });

  test('can apply: it has words or a context', () => {
    for (const { words, before, after, from } of SPELLING_RULES)
      expect([from, words ?? before ?? after]).not.toContain(undefined);
  });

  test('lists only words with its character, none of them in both lists', () => {
    for (const { from, to, keep = [], words = [] } of SPELLING_RULES) {
      expect([...keep, ...words].filter((word) => !word.includes(from))).toEqual([]);
      expect([from, to, words.filter((word) => keep.includes(word))]).toEqual([from, to, []]);
    }
  });

  test('has patterns that end or begin at the character', () => {
    for (const { before, after } of SPELLING_RULES) {
      // A global or sticky pattern remembers its last match, and would miss every second one.
      for (const pattern of [before, after]) expect(pattern?.flags.replace('u', '') ?? '').toBe('');
      expect(after?.source.startsWith('^') ?? true).toBe(true);
      expect(before === undefined || before.source.endsWith('$') || before.source === '^').toBe(true);
    }
  });
});

/** The texts of a set of words that the rules change although they must not. */
const changed = (words: readonly string[]) =>
  words.flatMap((word) => (usualHongKongForms(word) === word ? [] : [`${word}: ${usualHongKongForms(word)}`]));

test('a word that a rule keeps is kept by all of them, except where another one corrects it', () => {
  const later = new Set(['聯系', ...SPELLING_RULES.flatMap(({ words = [] }) => words)]);
  const kept = SPELLING_RULES.flatMap(({ keep = [] }) => keep);
  expect(kept.length).toBeGreaterThan(700);
  expect(changed(kept.filter((word) => !later.has(word)))).toEqual([]);
});

describe('Hong Kong forms', () => {
  test('words have the same length in both spellings', () => {
    for (const [from, to] of USUAL_PHRASES) expect([from, from.length]).toEqual([from, to.length]);
    for (const [from, to] of Object.entries(USUAL_FORMS)) expect([from, [...to].length]).toEqual([from, 1]);
  });

  test('every listed word gets its form', () => {
    const wrong = USUAL_PHRASES.filter(([from, to]) => usualHongKongForms(from) !== usualHongKongForms(to));
    expect(wrong).toEqual([]);
  });

  test('a converted word stays as it is', () => {
    expect(changed(USUAL_PHRASES.map(([from]) => usualHongKongForms(from)))).toEqual([]);
    expect(changed(Object.keys(USUAL_FORMS).map(usualHongKongForms))).toEqual([]);
  });

  test('no word is listed twice', () => {
    const listed = USUAL_PHRASES.map(([from]) => from);
    expect(listed.filter((word, index) => listed.indexOf(word) !== index)).toEqual([]);
  });
});
