import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { PASS_MARKS, type PronunciationAssessment } from '@jyutsing/contracts/pronunciation';
import { type AcousticModel, openAcousticModel } from '#engines/builtin/acoustic-model.ts';
import { modelFiles } from '#engines/builtin/model-files.ts';
import type { AcousticAnalysis } from '#engines/builtin/pronunciation/types.ts';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { resample, speak } from '#testbed/sound/espeak-speech.ts';
import { cpuTimeMs } from '#test/cpu-time.ts';
import { createWordAssessor, type WordAssessor } from './assess-words.ts';
import type { EnglishTarget } from './compare-words.ts';

type Assessment = PronunciationAssessment & { language: 'english' };

let model: AcousticModel;
let assess: WordAssessor;
beforeAll(async () => {
  model = await openAcousticModel(modelFiles('models', 'english'));
  assess = createWordAssessor('models', model.labels);
});
afterAll(() => model.close());

async function analyze(spoken: string, voice = 'en-us'): Promise<AcousticAnalysis> {
  const { sampleRateHz, channels } = await speak(spoken, { voice });
  const samples = resample(channels[0]!, sampleRateHz, 16_000);
  return { samples, labels: model.labels, ...(await model.computeWithPitch(samples)) };
}

async function textOf(text: string): Promise<EnglishTarget> {
  const target = await readTarget(text, 'english');
  if (target.language !== 'english') throw new AppError('internal_error');
  return target;
}

async function score(spoken: string, text = spoken, voice?: string): Promise<Assessment> {
  return assess(await analyze(spoken, voice), await textOf(text));
}

const wordOf = ({ words }: Assessment, text: string) => words.find((word) => word.text === text)!;
const TEXT = 'My brother plays the piano very well.';

describe('the right text', () => {
  test.each([
    [TEXT, 'en-us'],
    [TEXT, 'en-gb+f3'],
    ['Where is the nearest train station?', 'en-us'],
    ['Well, I think, after all, that he is right.', 'en-gb'],
    ['tomato', 'en-us'],
    ['book', 'en-gb'],
    ['three', 'en-us'],
  ])('%s by %s passes with every word right', async (text, voice) => {
    const right = await score(text, text, voice);
    expect(right.score).toBeGreaterThanOrEqual(PASS_MARKS.english + 10);
    expect(right.fluencyScore).toBeGreaterThanOrEqual(80);
    expect(right.integrityScore).toBe(100);
    expect(right.words.map(({ verdict }) => verdict)).toEqual(right.words.map(() => 'right'));
    expect(right.heard.toLowerCase()).toBe(text.toLowerCase().replaceAll(/[^a-z ]/g, ''));
  });

  test('times of words and phones are in order and within the recording', async () => {
    const { words } = await score(TEXT);
    let lastMs = 0;
    for (const { startMs, endMs, phonemes } of words) {
      expect(startMs!).toBeGreaterThanOrEqual(lastMs - 1);
      expect(endMs!).toBeGreaterThan(startMs!);
      for (const phone of phonemes) expect(phone.endMs! - phone.startMs!).toBeLessThan(600);
      lastMs = startMs!;
    }
    expect(lastMs).toBeLessThan(3_500);
  });
});

describe('another text', () => {
  test.each([
    ['The weather is very nice today', 'I would like a cup of tea with milk'],
    ['We should finish this work before dinner', TEXT],
    ['cat', 'dog'],
    ['Thank you', 'Where is the nearest train station?'],
    ['Where is the nearest train station?', 'elephant'],
  ])('%s for %s fails, and the spoken word is reported', async (spoken, text) => {
    const wrong = await score(spoken, text);
    expect(wrong.score).toBeLessThan(40);
    expect(wrong.integrityScore).toBeLessThan(40);
    const words = spoken.toLowerCase().match(/[a-z]+/g)!;
    const recognized = wrong.heard.toLowerCase().split(' ');
    expect(words.filter((word) => recognized.includes(word)).length).toBeGreaterThanOrEqual(words.length * 0.6);
  });
});

describe('parts of the text', () => {
  test('a substituted word scores low and is reported as recognized', async () => {
    const exchanged = await score('My brother plays the guitar very well', TEXT);
    expect(wordOf(exchanged, 'piano').score).toBeLessThan(60);
    expect(wordOf(exchanged, 'piano').verdict).toBe('wrong');
    expect(wordOf(exchanged, 'brother').score).toBeGreaterThan(80);
    expect(exchanged.heard).toContain('guitar');
    expect(exchanged.score).toBeLessThan((await score(TEXT)).score);
  });

  test('a word left out is omitted and lowers integrity in proportion', async () => {
    const omitted = await score('My brother plays very well', TEXT);
    expect(wordOf(omitted, 'piano')).toMatchObject({ verdict: 'omitted', score: 0, startMs: null, endMs: null });
    expect(wordOf(omitted, 'piano').phonemes[0]).toMatchObject({ expected: 'P', heard: null, score: 0 });
    expect(omitted.integrityScore).toBeCloseTo((100 * 5) / 7, 0);
    expect(omitted.score).toBeLessThan(70);
    expect(omitted.heard).not.toContain('piano');
  });

  test('a repeated word costs fluency, not integrity', async () => {
    const repeated = await score('My brother plays the, plays the piano very well', TEXT);
    expect(repeated.integrityScore).toBe(100);
    expect(repeated.fluencyScore).toBeLessThan((await score(TEXT)).fluencyScore - 5);
    expect(wordOf(repeated, 'plays').score).toBeGreaterThan(80);
  });

  test('words outside the text are reported', async () => {
    const inserted = await score('My brother plays the grand piano very well', TEXT);
    expect(inserted.heard).toContain('grand');
    expect(inserted.words.every(({ verdict }) => verdict === 'right')).toBe(true);
  });

  test('a wrong phone is found in its word', async () => {
    const { words } = await score('light', 'right');
    expect(words[0]!.phonemes.map(({ verdict }) => verdict)).toEqual(['wrong', 'right', 'right']);
    expect(words[0]!.phonemes[0]).toMatchObject({ expected: 'R', heard: 'L' });
    expect(words[0]!.score).toBeLessThan(60);
  });

  test.each([
    ['It was built in nineteen ninety nine', 'It was built in 1989', 'eighty'],
    ['He is eighty years old', 'He is 90 years old', 'ninety'],
    ['Two hundred and fifteen dollars', '$250', 'fifty'],
    ['She was born in nineteen seventy eight', 'She was born in 1977', 'seven'],
    ['The fourteenth of July', 'The fortieth of July', 'fortieth'],
    ['eighty', 'ninety', 'ninety'],
  ])('%s for %s: the other number is wrong', async (spoken, text, number) => {
    const misread = await score(spoken, text);
    expect(wordOf(misread, number).verdict).not.toBe('right');
    expect(misread.score).toBeLessThan((await score(spoken)).score - 15);
  });

  test.each([
    'It was built in 1989',
    'He is 90 years old',
    'Two hundred and fifty dollars',
    'She was born in 1977',
    'Line 8, gate 14, seat 40',
    'The first of May, the 30th of June',
    'Half of a quarter',
  ])('%s: every number is right', async (text) => {
    const right = await score(text);
    expect(right.words.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
    expect(right.score).toBeGreaterThanOrEqual(PASS_MARKS.english);
  });

  test('a word of another language is accepted and not judged', async () => {
    const mixed = await score('We met at the Star Ferry pier', 'We met 喺 the Star Ferry pier');
    expect(mixed.words.map(({ text }) => text)).toEqual(['We', 'met', 'the', 'Star', 'Ferry', 'pier']);
    expect(mixed.score).toBeGreaterThan(80);
  });
});

describe('every accepted pronunciation is right', () => {
  test.each([
    ['eether way', 'either way', 'IY'],
    ['eye-ther way', 'either way', 'AY'],
    ['tomayto', 'tomato', 'EY'],
    ['tomahto', 'tomato', 'AA'],
  ])('%s for %s', async (spoken, text, phone) => {
    const { words, score: totalScore } = await score(spoken, text);
    expect(totalScore).toBeGreaterThan(80);
    expect(words[0]!.phonemes.map(({ expected }) => expected)).toContain(phone);
  });
});

const posteriorsOf = (frameCount: number, value: number) => ({
  frameCount,
  symbolLogp: new Float32Array(frameCount * 41).fill(value),
  toneLogp: new Float32Array(0),
});

const analysisOf = (frameCount: number, value: number): AcousticAnalysis => ({
  samples: new Float32Array(0),
  labels: model.labels,
  posteriors: posteriorsOf(frameCount, value),
  pitch: new Float32Array(frameCount * 2),
});

describe('odd input', () => {
  test('zero frames mean that nothing was read', async () => {
    const { words, ...summary } = assess(analysisOf(0, 0), await textOf(TEXT));
    expect(summary).toMatchObject({ score: 0, accuracyScore: 0, fluencyScore: 0, integrityScore: 0, heard: '' });
    expect(words.every(({ verdict }) => verdict === 'omitted')).toBe(true);
  });

  test.each([
    [1, -3.7],
    [40, -3.7],
    [40, -Infinity],
    [40, Number.NaN],
    [3, 0],
  ])('%i frames of %d are scored low without an error', async (frameCount, value) => {
    const { score: totalScore } = assess(analysisOf(frameCount, value), await textOf(TEXT));
    expect(totalScore).toBeGreaterThanOrEqual(0);
    expect(totalScore).toBeLessThan(40);
  });

  test('an analysis by another model is an engine error', async () => {
    const target = await textOf('book');
    const wrong = { ...analysisOf(10, -3), posteriors: { ...posteriorsOf(10, -3), frameCount: 9 } };
    expect(() => assess(wrong, target)).toThrow(expect.objectContaining({ code: 'engine_failed' }));
  });

  test('a text of two hundred words against a minute of sound is answered in a moment', async () => {
    const target = await textOf(Array.from({ length: 30 }, () => TEXT).join(' '));
    const analysis = await analyze(Array.from({ length: 4 }, () => TEXT).join(' '));
    const startedMs = cpuTimeMs();
    expect(assess(analysis, target).integrityScore).toBeLessThan(40);
    expect(cpuTimeMs() - startedMs).toBeLessThan(5_000);
  });
});
