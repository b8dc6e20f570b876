import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { samplesOfWav } from '#packages/audio/wav.ts';
import { readCalibration } from '#packages/engines/builtin/pronunciation/calibration.ts';
import { readToneModel } from '#packages/engines/builtin/pronunciation/tones/tone-model.ts';
import { readVoiceFile } from '#packages/engines/syllable/voice-file.ts';
import { writeMadeUpRecordings } from './testing/made-up-recordings.ts';
import { run } from './testing/run-script.ts';

// Each command that fits something to recordings, run once with a few made-up ones. What they fit
// is of no use; that they run to their end, and what they write can be read, is what is tested.

const TRAINING = import.meta.dirname;
let folder: string;
let recordings: string;
let models: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fits-'));
  recordings = join(folder, 'recordings');
  models = join(folder, 'models');
  await writeMadeUpRecordings(recordings);
  await cp(join(TRAINING, '../models'), models, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

const readJson = async (...path: string[]) => JSON.parse(await readFile(join(models, ...path), 'utf8')) as unknown;

describe('with made-up recordings', { timeout: 180_000 }, () => {
  test('the language identifier is fitted', async () => {
    const out = join(models, 'language-identifier.json');
    const fitted = await run(
      'language-identifier/fit.ts',
      '--sets',
      recordings,
      '--clips',
      '1',
      '--seconds',
      '3',
      '--models',
      models,
      '--out',
      out,
    );
    expect(fitted).toMatchObject({ status: 0, stdout: expect.stringMatching(/^learners held out\t3\t1\t/m) });
    const weights = expect.arrayContaining([expect.any(Number)]);
    expect(await readJson('language-identifier.json')).toMatchObject({
      weights: { cantonese: weights, mandarin: weights, english: weights },
    });
  });

  test('the tones of both languages are fitted', async () => {
    expect(
      await run('pronunciation/tones/fit.ts', '--sets', recordings, '--models', models, '--sentences', '3'),
    ).toMatchObject({
      status: 0,
    });
    const tonesOf = (language: string) =>
      new Set(
        readToneModel(join(models, language))
          .shapesOf('alone', false)
          .map(({ tone }) => tone),
      );
    expect(tonesOf('yue')).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    expect(tonesOf('cmn').size).toBeGreaterThan(0);
  });

  test('the calibration of syllables is fitted', async () => {
    const fitted = await run(
      'pronunciation/syllables/fit.ts',
      '--sets',
      recordings,
      '--models',
      models,
      '--limit',
      '12',
    );
    expect(fitted).toMatchObject({ status: 0, stdout: expect.stringContaining('mandarin: {') });
    for (const language of ['yue', 'cmn']) {
      const { onset, rime, tone } = await readCalibration(join(models, language));
      expect(Math.min(onset.slope, rime.slope, tone.slope)).toBeGreaterThan(0);
    }
  });

  test('the scores of English are fitted', async () => {
    expect(await run('pronunciation/english/fit.ts', '--sets', recordings, '--models', models)).toMatchObject({
      status: 0,
    });
    const model = (await readJson('eng', 'pronunciation.json')) as Record<string, { weights: number[] }>;
    for (const part of ['phone', 'word', 'accuracy', 'fluency'])
      expect(model[part]!.weights.filter(Number.isFinite)).toEqual(model[part]!.weights);
  });

  test('the detector of speech is fitted, and not stored without being asked', async () => {
    const stored = join(TRAINING, '../packages/audio/speech/speech-network.json');
    const before = await readFile(stored, 'utf8');
    const options = ['--sets', recordings, '--share', '0.05', '--kinds', '1', '--spoken', '10'];
    const { status, stdout } = await run('pronunciation/speech-check/fit.ts', ...options);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^check, log odds \+ 0: .* of \d+$/m),
    });
    expect(await readFile(stored, 'utf8')).toBe(before);
  });

  test('voices are built of syllables and of words', async () => {
    const lexicon = join(folder, 'lexicon.tsv');
    await writeFile(lexicon, ['baa1', 'sou3', 'hei6'].map((reading) => `字\t${reading}\n`).join(''));
    const [syllables, words] = [join(folder, 'yue.voice'), join(folder, 'cmn.voice')];
    const cantonese = [
      '--recordings',
      join(recordings, 'yue-syllables-kt.tsv'),
      '--lexicon',
      lexicon,
      '--middle',
      '95',
      '--out',
      syllables,
    ];
    expect(await run('voices/syllables/build.ts', ...cantonese)).toMatchObject({ status: 0 });
    expect([...readVoiceFile(await readFile(syllables)).units.keys()].sort()).toEqual(['baa1', 'hei6', 'sou3']);
    const other = [
      '--recordings',
      join(recordings, 'yue-syllables-kt.tsv'),
      '--lexicon',
      lexicon,
      '--middle',
      '400',
      '--out',
      syllables,
    ];
    const failed = await run('voices/syllables/build.ts', ...other);
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('No recording is left') });
    expect((await readFile(syllables)).length).toBeGreaterThan(1_000);
    const mandarin = [
      '--recordings',
      join(recordings, 'cmn-words.tsv'),
      '--speaker',
      'yt',
      '--words',
      '10',
      '--limit',
      '25',
      '--out',
      words,
    ];
    expect(await run('voices/syllables/build-mandarin.ts', ...mandarin)).toMatchObject({ status: 0 });
    expect(readVoiceFile(await readFile(words)).units.size).toBeGreaterThan(10);
  });
});

test('a shipped voice is made again as it ships, and no other', { timeout: 60_000 }, async () => {
  const out = join(folder, 'shipped');
  expect(await run('voices/make-shipped-voices.ts', '--only', 'maria', '--out', out)).toMatchObject({ status: 0 });
  expect(await readdir(out)).toEqual(['maria']);
  const [made, shipped] = [join(out, 'maria'), join(TRAINING, '../voices/maria')];
  expect(await readFile(join(made, 'voice.json'), 'utf8')).toBe(await readFile(join(shipped, 'voice.json'), 'utf8'));
  const [madeSamples, shippedSamples] = (
    await Promise.all([made, shipped].map((voice) => readFile(join(voice, 'sample.wav'))))
  ).map(samplesOfWav) as [Float32Array, Float32Array];
  expect(madeSamples.length).toBe(shippedSamples.length);
  // Another processor may round otherwise.
  expect(
    madeSamples.reduce((most, sample, at) => Math.max(most, Math.abs(sample - shippedSamples[at]!)), 0),
  ).toBeLessThan(1e-4);
});

test('a voice that is not designed is refused with those that are', async () => {
  const out = join(folder, 'refused');
  expect(await run('voices/make-shipped-voices.ts', '--only', 'maria,nina', '--out', out)).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/^No such voice: nina\. .*jasmine,maria,/),
  });
  expect(existsSync(out)).toBe(false);
});

const SCRIPTS = [
  'language-identifier/fit.ts',
  'language-model/build.ts',
  'language-model/evaluate.ts',
  'language-model/tune.ts',
  'likeness/speak-others.ts',
  'likeness/make-clips.ts',
  'likeness/fit-statistics.ts',
  'pronunciation/tones/fit.ts',
  'pronunciation/english/fit.ts',
  'pronunciation/speech-check/fit.ts',
  'voices/syllables/build.ts',
  'voices/syllables/build-mandarin.ts',
];

test('scripts without recordings say what is missing', async () => {
  const { status, stdout, stderr } = await run('testing/print-refusals.ts', ...SCRIPTS);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const refusal = { status: 2, stderr: expect.stringMatching(/usage|--sets|--text/) };
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(SCRIPTS.map((script) => [script, refusal])));
});
