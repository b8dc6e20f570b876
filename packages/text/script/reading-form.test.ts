import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { leastCpuTimeMs } from '#test/cpu-time.ts';
import { normalize } from '#text/normalization/normalize.ts';
import { splitText } from '#text/normalization/split-text.ts';
import { createSpokenJyutping } from '#text/readings/spoken-jyutping.ts';
import { readingForm } from './reading-form.ts';

const FILLER = /\uFE00/g;

/** Texts with characters of Simplified writing, and the words that they are read as. */
const SIMPLIFIED = `
还有几多钱 還有幾多錢|胜利 勝利|银行行长 銀行行長|样样都会 樣樣都會|萝卜糕 蘿蔔糕|一只猫 一隻貓|还有一只 還有一隻
头发干净 頭髮乾淨|干部好能干 幹部好能幹|饼干 餅乾|若干 若干|松一口气 鬆一口氣|舍唔得 捨唔得|宿舍 宿舍|斗气 鬥氣|茶几 茶几
皇后 皇后|以后 以後|公里 公里|里面 裏面|面试 面試|拉面 拉麵|台风 颱風|平台 平台|发现白发 發現白髮|关系 關係|联系 聯繫
山谷 山谷|稻谷 稻穀|小丑好丑 小丑好醜|试卷 試卷|困难 困難|占领 佔領|占卜 占卜|准备 準備|批准 批准|剩余 剩餘|余先生 余先生
范围 範圍|姜先生 姜先生|生姜 生薑|复杂 複雜|恢复 恢復|历史 歷史|日历 日曆|手表 手錶|表示 表示|限制 限制|制造 製造|精致 精緻
冲突 衝突|冲凉 沖涼|种类 種類|呼吁 呼籲|愿望 願望|旅游 旅遊|防御 防禦|向往 嚮往|胡须 鬍鬚|胡说 胡說|仆人 僕人|启蒙 啟蒙
轻蔑 輕蔑|苹果 蘋果|技术 技術|万一 萬一|秋天 秋天|签名 簽名|抽签 抽籤|沾染 沾染|团结 團結|咸鱼 鹹魚|赞美 讚美|肮脏 骯髒|内脏 內臟
存折 存摺|折扣 折扣|征服 征服|征求 徵求|采购 採購|上吊 上吊|厌恶 厭惡|公布 公布|政党 政黨|规划 規劃|划船 划船|获得 獲得|收获 收穫
饥荒 饑荒|强奸 強姦|根据 根據|夸张 誇張|卤水 滷水|发霉 發霉|宁愿 寧願|适合 適合|吞咽 吞嚥|佣金 佣金|注册 註冊|注意 注意|闹钟 鬧鐘|钟意 鍾意
`;

/** Traditional texts, with characters that Simplified writing uses for others. */
const TRADITIONAL = `
大動干戈 斗室 北斗星 茶几 皇后大道 太后 松樹 行咗三公里 鄰里關係 面色好差 見面 人云亦云 山谷 小丑 子丑寅卯 試卷 困難 占卜
準備 批准 准考證 余先生 范小姐 姜太公 濃郁 郁達夫 唔好郁 只係 只不過 唔只 宿舍 退避三舍 了解 沈先生 朴先生 涂小姐 于先生 岳父 系統 中文系
制度 表示 游水 周先生 台灣 后羿 胡先生 仆街 杰撻撻 冬天 出門 回家 向前 折扣 征服 咸豐年 適合 佣金 致意 御用 朱先生 曲線 恒指
俾我睇 裡面 臺灣 綫上 説話 衞生 爲咗 峯會 羣眾 啓發 教育 戶口 化粧 鷄蛋 麪包 鈎針 鏽 畫畫
`;

/** Words in Simplified characters that Traditional writing has as well: their neighbors decide. */
const OPEN =
  '一只狗 一隻狗|船只 船隻|只身 隻身|只有 只有|放松啲 放鬆啲|舍不得 捨不得|嗰只雀 嗰隻雀|三只碗 三隻碗|只係 只係|好舍得 好捨得';

const pairs = (table: string) =>
  table
    .trim()
    .split(/[|\n]/u)
    .map((pair) => pair.split(' ') as [string, string]);
const words = (table: string) => table.trim().split(/\s+/u);

test('Simplified characters are read as the words that they stand for', () => {
  const wrong = [...pairs(SIMPLIFIED), ...pairs(OPEN)].filter(([text, word]) => readingForm(text) !== word);
  expect(wrong.map(([text, word]) => `${text}: ${readingForm(text)}, not ${word}`)).toEqual([]);
});

test('Traditional text stays as it is', () => {
  expect(words(TRADITIONAL).filter((word) => readingForm(word) !== word)).toEqual([]);
});

test('the other characters of a sentence tell its script', () => {
  expect(readingForm('这里有只松鼠。')).toBe('這裏有隻松鼠。');
  expect(readingForm('呢位係後羿嘅皇后，佢喺斗室裏面。')).toBe('呢位係後羿嘅皇后，佢喺斗室裏面。');
  expect(readingForm('佢話：「我们几时出发？」我答：「後日。」')).toBe('佢話：「我們幾時出發？」我答：「後日。」');
});

test('Japanese characters are read as the Chinese ones', () => {
  expect(readingForm('渋谷駅、桜井、広島、横浜、鉄板焼')).toBe('澀谷驛、櫻井、廣島、橫濱、鐵板燒');
});

test('what comes back is what was sent, in any script', () => {
  const text = '𩠌菜几多钱？（还有一只𫚭）OK，2万个!';
  const pieces = splitText(text, 'cantonese');
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  const spoken = pieces.flatMap((piece) => normalize(piece, 'cantonese')?.phrases ?? []).flatMap((one) => one.words);
  expect(spoken.map(({ written }) => written).join('')).toBe('𩠌菜几多钱还有一只𫚭OK2万个');
  const parts = createSpokenJyutping()('一只狗，还有几多钱。');
  expect(parts.map(({ character }) => character).join('')).toBe('一只狗，还有几多钱。');
  expect(parts.map(({ jyutping }) => jyutping ?? '').join(' ')).toBe('jat1 zek3 gau2  waan4 jau5 gei2 do1 cin2 ');
});

test('every UTF-16 unit of any text keeps its place', () => {
  const character = oneof(
    constantFrom(...'系发頭头后里臺着只干𩠌𠮶餸a1 。\uFE00\uD800'),
    string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const moved: string[] = [];
  assert(
    property(array(character, { maxLength: 30 }), (characters) => {
      const text = characters.join('');
      const read = readingForm(text);
      const lengths = [read, text].map((one) => Array.from(one.replaceAll(FILLER, '')).length);
      if (read.length !== text.length || lengths[0] !== lengths[1]) moved.push(text);
    }),
    { numRuns: 500 },
  );
  expect(moved).toEqual([]);
});

test('the time grows with the text', async () => {
  for (const unit of ['只', '干系里面', '还有几多钱', '佢哋喺度', '发'.repeat(7)]) {
    const text = unit.repeat(20_000 / unit.length);
    expect([unit, (await leastCpuTimeMs(() => void readingForm(text), 1_500)) < 1_500]).toEqual([unit, true]);
  }
});
