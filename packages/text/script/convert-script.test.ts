import { expect, test } from 'vitest';
import { isTraditional, toHongKong, toSimplified, usualHongKongForms } from './convert-script.ts';

test('Simplified becomes Hong Kong Traditional', () => {
  expect(toHongKong('台湾的头发干净')).toBe('台灣的頭髮乾淨');
  expect(toHongKong('里面出发')).toBe('裏面出發');
});

test('common Hong Kong forms take precedence over the glyph list', () => {
  expect(toHongKong('一群人起床找卫生纸')).toBe('一群人起床找衛生紙');
  expect(usualHongKongForms('揾嘢做，裡面好多羣')).toBe('搵嘢做，裏面好多群');
});

test('Cantonese words spelled by sound get their own characters', () => {
  expect(toHongKong('系咪佢地既')).toBe('係咪佢哋嘅');
  expect(usualHongKongForms('食左飯，俾我')).toBe('食咗飯，畀我');
  expect(usualHongKongForms('我鐘意依個')).toBe('我鍾意呢個');
  expect(usualHongKongForms('返黎果個')).toBe('返嚟嗰個');
  expect(usualHongKongForms('係咁樣架')).toBe('係噉樣㗎');
});

test.each(['系統', '中文系', '既然', '左手', '向左', '地方', '我地盤', '如果', '結果', '書架', '黎明', '著名'])(
  'the same character in its own meaning stays: %s',
  (text) => {
    expect(usualHongKongForms(text)).toBe(text);
  },
);

test.each([
  ['我系屋企', '我喺屋企'],
  ['我系公司', '我喺公司'],
  ['我系公司嘅经理', '我係公司嘅經理'],
  ['我系旺角等你', '我喺旺角等你'],
  ['我系旺角', '我喺旺角'],
  ['首都系北京', '首都係北京'],
  ['你系边度呀', '你喺邊度呀'],
  ['医院系边', '醫院喺邊'],
  ['放系台面', '放喺枱面'],
  ['住系沙田', '住喺沙田'],
  ['我系学生', '我係學生'],
  ['我系主任', '我係主任'],
  ['我系屋企人', '我係屋企人'],
  ['跟住系问佢', '跟住係問佢'],
  ['游先生同于小姐', '游先生同于小姐'],
  ['姓范嘅涂老师', '姓范嘅涂老師'],
  ['对于先生嚟讲', '對於先生嚟講'],
  ['老百姓游行', '老百姓遊行'],
  ['模范先生', '模範先生'],
  ['岳华去五岳', '岳華去五嶽'],
  ['准考证', '准考證'],
  ['准唔准我去', '准唔准我去'],
  ['预报准唔准', '預報準唔準'],
])('OpenCC takes one character for another word: %s becomes %s', (recognized, written) => {
  expect(toHongKong(recognized)).toBe(written);
});

test('Latin letters, digits and punctuation pass unchanged', () => {
  expect(toHongKong('OK 3.5 ABC，！?')).toBe('OK 3.5 ABC，！?');
  expect(toHongKong('')).toBe('');
});

test('Traditional of any region becomes Simplified, and 么 is no 幺', () => {
  expect(toSimplified('臺灣的頭髮與乾淨的裏面')).toBe('台湾的头发与干净的里面');
  expect(toSimplified('什么、那么、怎么')).toBe('什么、那么、怎么');
  expect(toSimplified('么這么说')).toBe('么这么说');
  expect(toSimplified('什麼、麼')).toBe('什么、么');
  expect(toSimplified('幺妹吆喝')).toBe('幺妹吆喝');
});

test('the script of a text is told by characters that only one script has', () => {
  for (const text of ['我們', '顯著', '後天', '由於', '乾淨', '瞭解這個'])
    expect([text, isTraditional(text)]).toEqual([text, true]);
  const undecided = ['显著', '著名', '乾坤', '乾隆皇帝', '瞭望', '你好', 'ABC', ''];
  for (const text of undecided) expect([text, isTraditional(text)]).toEqual([text, false]);
});
