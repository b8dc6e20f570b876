import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createDecoder } from './index.ts';
import { smallModel } from '#engines/builtin/testing/small-model.ts';
import { createRandom } from '@jyutsing/numeric/random';
import { type SimulationOptions, labelsFor, syntheticPosteriors } from './synthetic-posteriors.ts';

const folder = mkdtempSync(join(tmpdir(), 'mandarin-decoder-'));
afterAll(() => rmSync(folder, { recursive: true }));

const word = (text: string, count: number, ...readings: string[]) => ({ text, count, readings });
const languageModelPath = join(folder, 'language-model.bin');
writeFileSync(
  languageModelPath,
  smallModel(
    [
      word('的', 900, 'de5'),
      word('我', 700, 'wo3'),
      word('你', 600, 'ni3'),
      word('泥', 6, 'ni2'),
      word('好', 400, 'hao3'),
      word('很', 300, 'hen3'),
      word('不', 500, 'bu4'),
      word('是', 500, 'shi4'),
      word('四', 300, 'si4'),
      word('一', 500, 'yi1'),
      word('个', 300, 'ge4'),
      word('天', 200, 'tian1'),
      word('宗', 5, 'zong1'),
      word('国', 50, 'guo2'),
      word('丝', 5, 'si1'),
      word('女儿', 30, 'nv3 er2'),
      word('中国', 80, 'zhong1 guo2'),
      word('绿', 20, 'lv4'),
      word('老师', 50, 'lao3 shi1'),
      word('展览馆', 4, 'zhan3 lan3 guan3'),
      word('妈妈', 60, 'ma1 ma5'),
      word('知识', 40, 'zhi1 shi5'),
    ],
    [['中国', '老师']],
  ),
);
const labels = labelsFor('mandarin');
const decoder = createDecoder({ language: 'mandarin', labels, languageModelPath });

const ACCURATE = { toneAcuity: 5, segmentAcuity: 5, missedShare: 0, ghostShare: 0 };
const posteriorsOf = (pinyin: string, simulation: Partial<SimulationOptions> = {}) =>
  syntheticPosteriors(pinyin.split(' '), labels, { ...ACCURATE, random: createRandom(1), ...simulation });
const textOf = (pinyin: string, simulation: Partial<SimulationOptions> = {}): string =>
  decoder
    .decode(posteriorsOf(pinyin, simulation))
    .map(({ text }) => text)
    .join('');

describe('from Mandarin syllables to characters', () => {
  test('characters have the reading by which they were recognized', () => {
    const characters = decoder.decode(posteriorsOf('zhong1 guo2 lao3 shi1 de5 nv3 er2'));
    expect(characters.map(({ text }) => text).join('')).toBe('中国老师的女儿');
    expect(characters.map(({ reading }) => reading)).toEqual('zhong1 guo2 lao3 shi1 de5 nv3 er2'.split(' '));
  });

  test('a third tone spoken as a second before another third is recognized', () => {
    expect(textOf('ni2 hao3')).toBe('你好');
    expect(textOf('wo2 hen2 hao3')).toBe('我很好');
    expect(textOf('zhan2 lan2 guan3')).toBe('展览馆');
  });

  test('a second tone elsewhere stays a second tone', () => {
    expect(textOf('ni2 tian1')).toBe('泥天');
  });

  test('the tones of 一 and 不 follow the syllable after them', () => {
    expect(textOf('yi2 ge4')).toBe('一个');
    expect(textOf('yi4 tian1')).toBe('一天');
    expect(textOf('bu2 shi4')).toBe('不是');
  });

  test('a syllable may keep its tone or lose it', () => {
    expect(textOf('ma1 ma1')).toBe('妈妈');
    expect(textOf('zhi1 shi2')).toBe('知识');
    expect(textOf('yi2 ge5')).toBe('一个');
  });

  test('speech that merges zh- with z- is recognized', () => {
    expect(textOf('zong1 guo2 lao3 si1')).toBe('中国老师');
  });

  test('a syllable found only inside words does not break the sentence', () => {
    expect(textOf('wo3 lan3 hao3')).toMatch(/^我.好$/);
  });

  test('a syllable that no word uses gives a character with a similar sound', () => {
    const characters = decoder.decode(posteriorsOf('wo3 jiong3 hao3'));
    expect(characters).toHaveLength(3);
    expect(characters[1]?.confidence).toBeLessThan(0.5);
  });
});

describe('recognized Mandarin syllables', () => {
  test('clear syllables are returned in pinyin spelling', () => {
    const syllables = 'lv4 yuan2 er2 zhi1 zi5 you3 weng1 xue2';
    const recognized = decoder.decodeUnits(posteriorsOf(syllables));
    expect(recognized.map(({ reading }) => reading)).toEqual(syllables.split(' '));
    expect(recognized[1]).toMatchObject({ onset: '', rime: 'van', tone: 2 });
    expect(recognized[4]).toMatchObject({ onset: 'z', rime: 'iz', tone: 5 });
  });

  test('silence and no frames are an empty transcript', () => {
    const silence = { frameCount: 0, symbolLogp: new Float32Array(0), toneLogp: new Float32Array(0) };
    expect(decoder.decode(silence)).toEqual([]);
    expect(decoder.decode(posteriorsOf(''))).toEqual([]);
  });

  test('six tones where Mandarin has five are an engine error', () => {
    const wrong = { frameCount: 1, symbolLogp: new Float32Array(60), toneLogp: new Float32Array(6) };
    expect(() => decoder.decode(wrong)).toThrow(expect.objectContaining({ name: 'AppError', code: 'engine_failed' }));
  });
});
