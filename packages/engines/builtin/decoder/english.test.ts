import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cpuTimeMs } from '#test/cpu-time.ts';
import { createDecoder } from './index.ts';
import { smallModel } from '#engines/builtin/testing/small-model.ts';
import { createRandom } from '@jyutsing/numeric/random';
import { type SimulationOptions, labelsFor, syntheticPosteriors } from './synthetic-posteriors.ts';

const folder = mkdtempSync(join(tmpdir(), 'english-decoder-'));
afterAll(() => rmSync(folder, { recursive: true }));

const word = (text: string, count: number, ...readings: string[]) => ({ text, count, readings });
const languageModelPath = join(folder, 'language-model.bin');
writeFileSync(
  languageModelPath,
  smallModel(
    [
      word('the', 900, 'DH AX', 'DH IY'),
      word('a', 800, 'AX', 'EY'),
      word('I', 700, 'AY'),
      word('scream', 5, 'S K R IY M'),
      word('ice', 20, 'AY S'),
      word('cream', 20, 'K R IY M'),
      word('their', 300, 'DH EH R'),
      word('there', 320, 'DH EH R'),
      word('house', 60, 'HH AW S'),
      word('is', 500, 'IH Z'),
      word("it's", 200, 'IH T S'),
      word('book', 50, 'B UH K'),
      word('case', 40, 'K EY S'),
      word('bookcase', 8, 'B UH K K EY S'),
      word('cat', 45, 'K AE T'),
      word('catalogue', 3, 'K AE T AX L AO G'),
      word('hello', 30, 'HH AX L OW', 'HH EH L OW'),
      word('world', 30, 'W ER L D'),
      word('London', 10, 'L AH N D AX N'),
    ],
    [
      ['their', 'house'],
      ['there', 'is'],
      ['ice', 'cream'],
      ['hello', 'world'],
    ],
  ),
);
const labels = labelsFor('english');
const decoder = createDecoder({ language: 'english', labels, languageModelPath });

const ACCURATE = { toneAcuity: 5, segmentAcuity: 5, missedShare: 0, ghostShare: 0 };
const posteriorsOf = (phones: string, simulation: Partial<SimulationOptions> = {}) =>
  syntheticPosteriors(phones.split(' '), labels, { ...ACCURATE, random: createRandom(1), ...simulation });
const textOf = (phones: string, simulation: Partial<SimulationOptions> = {}): string =>
  decoder
    .decode(posteriorsOf(phones, simulation))
    .map(({ text }) => text)
    .join(' ');

describe('from phones to words', () => {
  test('words have their spelling and the reading by which they were recognized', () => {
    const words = decoder.decode(posteriorsOf('HH EH L OW W ER L D IH T S L AH N D AX N'));
    expect(words.map(({ text }) => text)).toEqual(['hello', 'world', "it's", 'London']);
    expect(words.map(({ reading }) => reading)).toEqual(['HH EH L OW', 'W ER L D', 'IH T S', 'L AH N D AX N']);
  });

  test('homophones are distinguished by their neighbors', () => {
    expect(textOf('DH EH R HH AW S')).toBe('their house');
    expect(textOf('DH EH R IH Z')).toBe('there is');
  });

  test('where one word ends is decided by the sentence', () => {
    expect(textOf('AY S K R IY M')).toBe('ice cream');
    expect(textOf('K AE T AX')).toBe('cat a');
    expect(textOf('K AE T AX L AO G')).toBe('catalogue');
  });

  test('the same phone twice in a row is two phones', () => {
    expect(textOf('B UH K K EY S')).toMatch(/^(bookcase|book case)$/);
    expect(textOf('B UH K EY')).not.toContain('case');
  });

  test('a doubtful phone does not lose the word', () => {
    const texts = [1, 2, 3, 4, 5].map((seed) =>
      textOf('HH AX L OW W ER L D', { segmentAcuity: 2.5, missedShare: 0.05, random: createRandom(seed) }),
    );
    expect(texts.filter((text) => text === 'hello world').length).toBeGreaterThanOrEqual(4);
  });
});

describe('times and confidence of words', () => {
  const long = Array.from({ length: 30 }, () => 'DH AX K AE T IH Z AX W ER L D').join(' ');
  const noisy = posteriorsOf(long, { segmentAcuity: 1.8, missedShare: 0.1, ghostShare: 0.3 });

  test.each(['decode', 'decodeUnits'] as const)('times of %s go forward and stay within the sound', (method) => {
    const units = decoder[method](noisy);
    expect(units.length).toBeGreaterThan(100);
    let previousEndMs = 0;
    for (const { startMs, endMs, confidence } of units) {
      expect(startMs).toBeGreaterThanOrEqual(previousEndMs);
      expect(endMs).toBeGreaterThan(startMs);
      expect(endMs).toBeLessThanOrEqual(noisy.frameCount * labels.frameMs);
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
      previousEndMs = endMs;
    }
  });

  test('a word has the time of its phones', () => {
    const quiet = Array.from({ length: labels.phones.length + 1 }, (_, column) => (column === 0 ? 0.999 : 1e-5));
    const phone = (name: string) =>
      quiet.map((p, column) => (column === labels.phones.indexOf(name) + 1 ? 0.99 : p / 99));
    // The word "cat" spans frames 20 to 29 of 60.
    const rows = Array.from({ length: 60 }, (_, frame) =>
      frame === 20 ? phone('K') : frame === 24 ? phone('AE') : frame === 28 || frame === 29 ? phone('T') : quiet,
    );
    const symbolLogp = Float32Array.from(rows.flat(), Math.log);
    const [cat] = decoder.decode({ frameCount: 60, symbolLogp, toneLogp: new Float32Array(0) });
    expect(cat?.text).toBe('cat');
    // A symbol appears up to two frames after its sound begins.
    expect(cat?.startMs).toBeGreaterThanOrEqual(540);
    expect(cat?.startMs).toBeLessThanOrEqual(600);
    expect(cat?.endMs).toBeGreaterThanOrEqual(900);
    expect(cat?.endMs).toBeLessThanOrEqual(1_020);
  });

  function mean(simulation: Partial<SimulationOptions>): number {
    const words = decoder.decode(posteriorsOf(long, simulation));
    return words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
  }

  test('clear phones give higher confidence than noisy ones', () => {
    expect(mean({})).toBeGreaterThan(0.8);
    expect(mean({ segmentAcuity: 1.5 })).toBeLessThan(mean({}));
  });
});

describe('recognized phones', () => {
  test('clear phones are all recognized, whether or not they form a word', () => {
    const recognized = decoder.decodeUnits(posteriorsOf('ZH OY B UH K K'));
    expect(recognized.map(({ reading }) => reading)).toEqual(['ZH', 'OY', 'B', 'UH', 'K', 'K']);
    expect(recognized[0]).toMatchObject({ onset: '', rime: 'ZH', tone: null, toneConfidence: null });
  });
});

describe('odd input', () => {
  const width = 1 + labels.phones.length;

  test('silence and no frames are an empty transcript', () => {
    const silence = { frameCount: 0, symbolLogp: new Float32Array(0), toneLogp: new Float32Array(0) };
    expect(decoder.decode(silence)).toEqual([]);
    expect(decoder.decodeUnits(silence)).toEqual([]);
    expect(decoder.decode(posteriorsOf(''))).toEqual([]);
  });

  test.each([
    ['uniform', () => -Math.log(width)],
    ['random', createRandom(3)],
    ['minus infinity', () => -Infinity],
    ['not a number', () => NaN],
  ])('%s posteriors neither throw nor hang', (_, draw) => {
    const frameCount = 400;
    const symbolLogp = Float32Array.from({ length: frameCount * width }, () => -8 * draw());
    const posteriors = { frameCount, symbolLogp, toneLogp: new Float32Array(0) };
    const startedMs = cpuTimeMs();
    expect(decoder.decode(posteriors).length).toBeLessThanOrEqual(frameCount);
    expect(decoder.decodeUnits(posteriors).length).toBeLessThanOrEqual(frameCount);
    expect(cpuTimeMs() - startedMs).toBeLessThan(20_000);
  });

  test('tone posteriors in a language without tones are an engine error', () => {
    const wrong = { frameCount: 1, symbolLogp: new Float32Array(width), toneLogp: new Float32Array(6) };
    expect(() => decoder.decode(wrong)).toThrow(expect.objectContaining({ name: 'AppError', code: 'engine_failed' }));
  });
});
