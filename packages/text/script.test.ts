import { expect, test } from 'vitest';
import { toHongKong, toSimplified, usualHongKongForms } from './script.ts';

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
