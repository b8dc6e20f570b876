import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeMadeUpRecordings } from '../testing/made-up-recordings.ts';
import { run, runWith } from '../testing/run-script.ts';
import { FESTIVAL_VOICES, FLITE_VOICES, writeSynthesizers } from '../testing/stand-in-synthesizers.ts';

// The commands of README.md but for train.py, which training/python-training.test.ts runs.

let folder: string;
let recordings: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-'));
  recordings = join(folder, 'recordings');
  await writeMadeUpRecordings(recordings, { onsets: 1, words: 1 });
});
afterAll(() => rm(folder, { recursive: true }));

const programs = async (name: string, installed: Omit<Parameters<typeof writeSynthesizers>[1], 'sound' | 'log'>) => {
  const [reader] = await readdir(join(recordings, 'eng-speakers'));
  const [bin, log] = [join(folder, name), join(folder, `${name}.log`)];
  await writeSynthesizers(bin, { sound: join(recordings, 'eng-speakers', reader!), log, ...installed });
  // The scripts find no other synthesizers, whatever is installed.
  return { env: { ...process.env, PATH: bin }, log };
};
const speakOthers = (env: NodeJS.ProcessEnv, out: string, ...options: string[]) =>
  runWith(env, 'likeness/speak-others.ts', '--sets', recordings, '--out', out, '--share', '0.02', ...options);
/** Rows of a table, without its header. */
const rowsOf = async (path: string) =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t') as [file: string, speaker: string, kind: string]);

test('the judge of statistics learns from people and from other synthesizers', async () => {
  const { env } = await programs('synthesizers', {});
  const [othersFolder, clips, judge] = [join(folder, 'others'), join(folder, 'clips'), join(folder, 'statistics.json')];
  expect(await speakOthers(env, othersFolder)).toEqual({ status: 0, stdout: '40 utterances\n', stderr: '' });
  const [learnt, tests] = [
    await rowsOf(join(othersFolder, 'synthetic.tsv')),
    await rowsOf(join(othersFolder, 'synthetic-test.tsv')),
  ];
  const engines = [...learnt, ...tests].map(([, speaker]) => speaker.split('/')[0]);
  expect(Object.groupBy(engines, (engine) => engine!)).toMatchObject({
    'espeak-ng': { length: 13 },
    flite: { length: 11 },
    festival: { length: 16 },
  });
  expect(new Set(learnt.map(([, , kind]) => kind))).toEqual(new Set(['formants', 'diphones', 'statistical']));
  expect(new Set(tests.map(([, , kind]) => kind))).toEqual(new Set(['diphones', 'statistical', 'units']));
  const sounds = (await readdir(othersFolder)).filter((name) => name.endsWith('.wav')).sort();
  expect([...learnt, ...tests].map(([file]) => file).sort()).toEqual(sounds);

  const options = ['--sets', recordings, '--synthetic', othersFolder, '--out', clips, '--limit', '12'];
  const made = await run('likeness/make-clips.ts', ...options);
  expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[1-9]\d+ clips\n$/) });
  const fitted = await run('likeness/fit-statistics.ts', clips, judge);
  expect(fitted).toMatchObject({ status: 0, stdout: expect.stringMatching(/^formants: mean 0\.\d+, .* of \d+$/m) });
  expect(fitted.stdout).toMatch(/^cmn-words: none held out$/m);
  expect(fitted.stdout).not.toContain('NaN');
  const model = JSON.parse(await readFile(judge, 'utf8')) as Record<string, number[]>;
  expect(model.weights!.length).toBe(model.means!.length + 1);
  expect(Object.values(model).flat().every(Number.isFinite)).toBe(true);
});

test('nothing is spoken while a synthesizer or a voice is missing', async () => {
  const { env, log } = await programs('incomplete', {
    flite: null,
    festival: FESTIVAL_VOICES.filter((voice) => voice !== 'lp_diphone'),
  });
  const refused = await speakOthers(env, join(folder, 'refused'));
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('apt-get install flite festvox-italp16k'),
  });
  expect(refused.stderr).toContain('--engines espeak-ng');
  const older = await programs('older', { flite: FLITE_VOICES.filter((voice) => voice !== 'rms') });
  // It would speak with another voice, without an error.
  expect(await speakOthers(older.env, join(folder, 'refused'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('flite/rms'),
  });
  expect([log, older.log].filter((path) => existsSync(path))).toEqual([]);
});

test('espeak-ng can speak alone, and speaks the same into any folder', async () => {
  const { env, log } = await programs('one', { flite: null, festival: null });
  for (const out of ['a', 'another-folder']) {
    const spoken = await speakOthers(env, join(folder, out), '--engines', 'espeak-ng');
    expect(spoken).toMatchObject({ status: 0, stdout: '13 utterances\n' });
  }
  const calls = (await readFile(log, 'utf8')).trim().split('\n');
  const spokenCalls = calls.map((line) => line.replace(/ -w \S+\/(?=\d+\.wav)/, ' -w '));
  expect(spokenCalls.slice(13)).toEqual(spokenCalls.slice(0, 13));
});

test('options without meaning and folders without people are refused', async () => {
  const { env } = await programs('one', { flite: null, festival: null });
  for (const options of [
    ['--engines', 'festvox'],
    ['--engines', 'espeak-ng', '--share', 'half'],
    ['--engines', 'espeak-ng', '--share', '0'],
  ])
    expect(await speakOthers(env, join(folder, 'refused'), ...options)).toMatchObject({ status: 2, stdout: '' });
  const [empty, machines] = [join(folder, 'empty'), join(folder, 'machines')];
  await mkdir(empty);
  await mkdir(machines);
  const recording = join('..', 'recordings', 'yue-sentences-dev', 'sentence-0.wav');
  await writeFile(join(machines, 'synthetic.tsv'), `file\tspeaker\tkind\n${recording}\tespeak-ng/de\tformants\n`);
  const clips = ['--synthetic', machines, '--out', join(folder, 'no-clips')];
  expect(await run('likeness/make-clips.ts', '--sets', empty, ...clips)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no recording of people'),
  });
});
