import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cpuTimeMs } from '#test/cpu-time.ts';
import { AppError } from '@jyutsing/contracts/errors';
import { createDecoder } from './index.ts';
import { createRandom } from '@jyutsing/numeric/random';
import { type SimulationOptions, labelsFor, syntheticPosteriors } from './synthetic-posteriors.ts';

const labels = labelsFor('cantonese');
const languageModelPath = join(import.meta.dirname, '../../../../models/yue/language-model.bin');
const decoder = createDecoder({ language: 'cantonese', labels, languageModelPath });

const ACCURATE = { toneAcuity: 5, segmentAcuity: 5, missedShare: 0, ghostShare: 0 };
const posteriorsOf = (jyutping: string, simulation: Partial<SimulationOptions> = {}) =>
  syntheticPosteriors(jyutping.split(' '), labels, { ...ACCURATE, random: createRandom(1), ...simulation });
const textOf = (jyutping: string, simulation: Partial<SimulationOptions> = {}): string =>
  decoder
    .decode(posteriorsOf(jyutping, simulation))
    .map(({ text }) => text)
    .join('');

describe('from posteriors to text', () => {
  test('a sentence survives the round trip', () => {
    expect(textOf('ngo5 dei6 ting1 jat6 heoi3 hoeng1 gong2 tai2 ji1 sang1')).toBe('我哋聽日去香港睇醫生');
    expect(textOf('nei5 sik6 zo2 faan6 mei6 aa3')).toMatch(/^你食咗飯未[啊呀]$/);
  });

  test('homophones are distinguished by their neighbors', () => {
    expect(textOf('ngo5 zung1 ji3 sik6 je5')).toBe('我鍾意食嘢');
    expect(textOf('jat1 dim2 zung1')).toBe('一點鐘');
    expect(textOf('keoi5 hai6 ngo5 tung4 si6')).toBe('佢係我同事');
    expect(textOf('ni1 go3 hai6 tung2')).toMatch(/^呢個/);
  });

  test('one wrong tone or one doubtful sound does not lose the word', () => {
    const texts = [1, 2, 3, 4, 5].map((seed) =>
      textOf('gam1 jat6 tin1 hei3 hou2 hou2', { toneAcuity: 2.2, segmentAcuity: 3, random: createRandom(seed) }),
    );
    expect(texts.filter((text) => text === '今日天氣好好').length).toBeGreaterThanOrEqual(4);
  });

  test('speech that merges n- with l- and drops ng- is recognized', () => {
    expect(textOf('o5 dei6 gam1 maan5 heoi3 lei5 uk1 kei2')).toBe('我哋今晚去你屋企');
  });

  test('every character has the reading by which it was recognized', () => {
    const characters = decoder.decode(posteriorsOf('hoeng1 gong2 jan4'));
    expect(characters.map(({ reading }) => reading)).toEqual(['hoeng1', 'gong2', 'jan4']);
  });

  test('a syllable that no word uses gives a character with a similar sound', () => {
    const characters = decoder.decode(posteriorsOf('ngo5 fet6 hai6'));
    expect(characters).toHaveLength(3);
    expect(characters[0]?.text).toBe('我');
    expect(characters[1]?.text).not.toBe('');
  });

  test('the same posteriors give the same text', () => {
    const posteriors = posteriorsOf('ngo5 soeng2 maai5 saam1', { toneAcuity: 1.5, segmentAcuity: 2 });
    expect(decoder.decode(posteriors)).toEqual(decoder.decode(posteriors));
  });
});

describe('times and confidence', () => {
  const long = Array.from({ length: 30 }, () => 'ngo5 dei6 hai2 hoeng1 gong2').join(' ');
  const noisy = posteriorsOf(long, { toneAcuity: 1.5, segmentAcuity: 1.8, missedShare: 0.1, ghostShare: 0.3 });

  test.each(['decode', 'decodeUnits'] as const)('times of %s go forward and stay within the sound', (method) => {
    const units = decoder[method](noisy);
    expect(units.length).toBeGreaterThan(100);
    let previousStartMs = -1;
    let previousEndMs = 0;
    for (const { startMs, endMs, confidence } of units) {
      expect(startMs).toBeGreaterThan(previousStartMs);
      expect(startMs).toBeGreaterThanOrEqual(previousEndMs);
      expect(endMs).toBeGreaterThan(startMs);
      expect(endMs).toBeLessThanOrEqual(noisy.frameCount * labels.frameMs);
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
      [previousStartMs, previousEndMs] = [startMs, endMs];
    }
  });

  function mean(simulation: Partial<SimulationOptions>): number {
    const characters = decoder.decode(posteriorsOf(long, simulation));
    return characters.reduce((sum, { confidence }) => sum + confidence, 0) / characters.length;
  }

  test('clear syllables give higher confidence than noisy ones', () => {
    expect(mean({})).toBeGreaterThan(0.8);
    expect(mean({ toneAcuity: 1, segmentAcuity: 1.5 })).toBeLessThan(mean({}));
  });
});

describe('recognized syllables', () => {
  test('clear syllables are all recognized, whether or not a word uses them', () => {
    const recognized = decoder.decodeUnits(posteriorsOf('gwong2 dung1 waa2 fet6 m4 ng5 aa3'));
    expect(recognized.map(({ reading }) => reading)).toEqual(['gwong2', 'dung1', 'waa2', 'fet6', 'm4', 'ng5', 'aa3']);
    expect(recognized[0]).toMatchObject({ onset: 'gw', rime: 'ong', tone: 2 });
    expect(recognized[4]).toMatchObject({ onset: '', rime: 'm', tone: 4 });
    for (const { confidence, toneConfidence } of recognized) {
      expect(confidence).toBeGreaterThan(0.5);
      expect(toneConfidence).toBeGreaterThan(0.5);
    }
  });
});

describe('alternatives of syllables', () => {
  const spoken = 'gwong2 dung1 waa2 m4 ng5 aa3'.split(' ');
  const doubtful = posteriorsOf(spoken.join(' '), { toneAcuity: 1.5, segmentAcuity: 2, random: createRandom(4) });

  test('alternatives include the spoken syllable, most probable first, and sum to at most one', () => {
    const { syllables } = decoder.decodeWithAlternatives(doubtful);
    expect(syllables).toHaveLength(spoken.length);
    for (const [index, { alternatives }] of syllables.entries()) {
      const probabilities = alternatives.map(({ probability }) => probability);
      expect(alternatives.map(({ reading }) => reading)).toContain(spoken[index]);
      expect(probabilities).toEqual(probabilities.toSorted((a, b) => b - a));
      expect(probabilities.length).toBeLessThanOrEqual(16);
      expect(probabilities.reduce((sum, probability) => sum + probability, 0)).toBeLessThanOrEqual(1 + 1e-9);
    }
  });

  test('alternatives are the same with and without the text', () => {
    const { units, syllables } = decoder.decodeWithAlternatives(doubtful);
    expect(units).toEqual(decoder.decode(doubtful));
    expect(syllables).toEqual(decoder.recognizeSyllables(doubtful));
  });

  test('a clear syllable has one alternative with nearly all the probability', () => {
    for (const { alternatives } of decoder.recognizeSyllables(posteriorsOf(spoken.join(' ')))) {
      expect(alternatives[0]?.probability).toBeGreaterThan(0.7);
    }
  });
});

describe('odd input', () => {
  const width = 1 + labels.onsets.length + labels.rimes.length;

  test('no frames are an empty transcript', () => {
    const silence = { frameCount: 0, symbolLogp: new Float32Array(0), toneLogp: new Float32Array(0) };
    expect(decoder.decode(silence)).toEqual([]);
    expect(decoder.decodeUnits(silence)).toEqual([]);
  });

  test('silence is an empty transcript', () => {
    expect(decoder.decode(posteriorsOf(''))).toEqual([]);
    expect(decoder.decodeUnits(posteriorsOf(''))).toEqual([]);
  });

  test.each(['uniform', 'random', 'minus infinity', 'not a number'])('%s posteriors neither throw nor hang', (kind) => {
    const random = createRandom(3);
    const frameCount = 400;
    const value: Record<string, () => number> = {
      uniform: () => -Math.log(width),
      random: () => -8 * random(),
      'minus infinity': () => -Infinity,
      'not a number': () => NaN,
    };
    const fill = value[kind] ?? (() => 0);
    const posteriors = {
      frameCount,
      symbolLogp: Float32Array.from({ length: frameCount * width }, fill),
      toneLogp: Float32Array.from({ length: frameCount * 6 }, fill),
    };
    const startedMs = cpuTimeMs();
    for (const { endMs, confidence } of decoder.decode(posteriors)) {
      expect(endMs).toBeLessThanOrEqual(frameCount * labels.frameMs);
      expect(confidence).toBeGreaterThanOrEqual(0);
    }
    expect(decoder.decodeUnits(posteriors).length).toBeLessThanOrEqual(frameCount);
    expect(cpuTimeMs() - startedMs).toBeLessThan(20_000);
  });

  test('arrays that do not fit the labels are an engine error', () => {
    const wrong = { frameCount: 2, symbolLogp: new Float32Array(5), toneLogp: new Float32Array(12) };
    const expected = expect.objectContaining({ name: 'AppError', code: 'engine_failed' });
    expect(() => decoder.decode(wrong)).toThrow(expected);
    expect(() => decoder.decodeUnits(wrong)).toThrow(expected);
  });

  test('a missing model is named as such', () => {
    expect(() =>
      createDecoder({ language: 'cantonese', labels, languageModelPath: '/nowhere/language-model.bin' }),
    ).toThrow(AppError);
  });
});
