import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '#packages/numeric/random.ts';
import { FINISH_BANDS, openFinish } from '#packages/engines/syllable/finish.ts';
import { openLikenessJudges } from '../eval/tts/likeness-judges.ts';
import { writeMadeUpRecordings } from './testing/made-up-recordings.ts';
import { preloadPython, PYTHON } from './testing/preloaded-python.ts';

/** Whether the packages are installed. They are not loaded, which takes seconds. */
function hasInstalled(...names: string[]): boolean {
  const script = 'import sys; from importlib.util import find_spec; sys.exit(not all(map(find_spec, sys.argv[1:])))';
  return existsSync(PYTHON) && spawnSync(PYTHON, ['-c', script, ...names]).status === 0;
}
const hasPackages = hasInstalled('numpy', 'onnx', 'scipy', 'soundfile', 'torch');
const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;
const hasPrograms = hasInstalled('pocketsphinx') && ['opusenc', 'espeak-ng'].every(isInstalled);
const GPU = join(import.meta.dirname, 'gpu');
const settings = {
  ...process.env,
  OMP_NUM_THREADS: '1',
  // As in the README of training/speakers: with the settings of the service (scripts/run.js) for
  // freed memory, half of the time of PyTorch is spent in the system.
  MALLOC_MMAP_MAX_: '0',
  MALLOC_TRIM_THRESHOLD_: '8000000000',
  MALLOC_ARENA_MAX: '1',
  CHANNELS: '48',
  BLOCKS: '2',
  LOADERS: '1',
  NARROW_BATCHES: '4',
  SECONDS_BETWEEN_SAVES: '1',
  // Sentences of a set.
  COUNT: '2',
  TEST_COUNT: '2',
};

let env: NodeJS.ProcessEnv;
let endPython = async () => {};
beforeAll(async () => {
  if (hasPackages) ({ env, end: endPython } = await preloadPython(settings));
});
afterAll(() => endPython());

const runPython = (cwd: string, ...command: string[]) =>
  spawnSync(env['PYTHON']!, command, { cwd, env, encoding: 'utf8' });

/**
 * Small untrained weights: the real ones are in the history of the repository, which a clone may
 * lack.
 */
async function writeStartWeights(start: string): Promise<void> {
  await mkdir(start, { recursive: true });
  const script = `
import sys, torch
from average import average
from model import AcousticModel, pack
torch.manual_seed(1)
large = AcousticModel(channels=64, blocks=2, gates=True)
torch.save({'average': pack(average([large.state_dict()]))}, f'{sys.argv[1]}/weights-0.3.0-large.pt')
for name in ('0.3.0-english', '0.4.0-cantonese', '0.4.0-mandarin'):
    torch.save({'average': average([AcousticModel(channels=48, blocks=2).state_dict()])}, f'{sys.argv[1]}/weights-{name}.pt')
`;
  expect(runPython(join(GPU, '../acoustic'), '-c', script, start)).toMatchObject({ status: 0, stderr: '' });
}

test.skipIf(!hasPackages).each(['acoustic', 'speakers', 'likeness', 'listener'])(
  'the tests of training/%s pass',
  (folder) => {
    const { status, stderr } = runPython(join(import.meta.dirname, folder), '-m', 'unittest');
    expect(stderr).toMatch(/\nOK\n$/);
    expect(status).toBe(0);
  },
);

describe.skipIf(!hasPackages || !hasPrograms)('training/gpu on a processor, with made-up recordings', () => {
  let folder: string;
  let work: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'training-'));
    work = join(folder, 'work');
    await writeMadeUpRecordings(folder, { onsets: 3, words: 20, readers: 1 });
    await writeStartWeights(join(work, 'start'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const prepare = () => spawnSync(join(GPU, 'prepare'), [folder, work], { env, encoding: 'utf8' });

  /** In a process group of its own, so that it can be killed with all its processes. */
  const start = (minutes: string) => {
    const child = spawn(join(GPU, 'run'), [folder, work, minutes], { env, detached: true });
    let message = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (message += text));
    child.stdout.resume();
    const ended = once(child, 'close').then(([status]) => ({ status: status as number | null, message }));
    return { kill: () => process.kill(-child.pid!, 'SIGKILL'), ended };
  };
  const logOf = (name: string) => readFile(join(work, name, 'log.txt'), 'utf8');

  test('run says what to do without sounds', async () => {
    expect(await start('1').ended).toEqual({
      status: 2,
      message: expect.stringContaining('run training/gpu/prepare first'),
    });
  });

  test('prepare packs all sounds and sentences, and keeps what is there', { timeout: 400_000 }, () => {
    const first = prepare();
    expect(first.stderr).not.toContain('Traceback');
    expect(first.status).toBe(0);
    for (const name of [
      'kt-train',
      'kt-test',
      'cmn',
      'eng',
      'eng-native',
      'noise',
      'rendered',
      'rendered-cmn',
      'syn-yue-1',
      'syn-eng-test',
    ])
      expect(first.stdout).toMatch(new RegExp(`^${name}: [1-9]\\d* recordings`, 'm'));
    expect(first.stdout).toMatch(/^languages.tsv [1-9]/m);
    const again = prepare();
    expect(again).toMatchObject({ status: 0, stdout: first.stdout.split('\n').slice(-2).join('\n') });
  });

  test('run goes on after a kill, and makes weights, models, logs and figures', { timeout: 400_000 }, async () => {
    const killed = start('30');
    await expect.poll(() => existsSync(join(work, 'large/last.pt')), { timeout: 200_000, interval: 50 }).toBe(true);
    killed.kill();
    await killed.ended;
    expect(existsSync(join(work, 'large/finished'))).toBe(false);

    const trained = start('0.03');
    await expect.poll(() => existsSync(join(work, 'result/large.pt')), { timeout: 200_000, interval: 50 }).toBe(true);
    trained.kill();
    await trained.ended;

    // Finished trainings are not repeated, and the others are done.
    expect(await start('0.03').ended).toMatchObject({ status: 0 });
    const starts = (await logOf('large')).split('\n').filter((line) => line.includes('M parameters'));
    expect(starts.map((line) => Number(/step (\d+)/.exec(line)?.[1]))).toEqual([0, expect.any(Number)]);
    expect(Number(/step (\d+)/.exec(starts[1]!)?.[1])).toBeGreaterThan(0);
    expect(await logOf('small')).toContain(`${work}/narrowed.pt weights, ${work}/large/last.pt teacher`);
    expect(await logOf('english')).toContain(
      `mixture english, ${work}/start/weights-0.3.0-english.pt weights, ${work}/large/last.pt`,
    );
    const sizes = new Map<string, number>();
    for (const file of [
      'large.pt',
      'small.pt',
      'english.pt',
      'models/yue/acoustic.onnx',
      'models/cmn/acoustic.onnx',
      'models/eng/acoustic.onnx',
    ]) {
      sizes.set(file, (await stat(join(work, 'result', file))).size);
    }
    expect(sizes.get('small.pt')).toBeLessThan(sizes.get('large.pt')!);
    expect(Math.min(...sizes.values())).toBeGreaterThan(10_000);
    const figures = await readFile(join(work, 'result/figures.txt'), 'utf8');
    for (const set of ['kt-held-out', 'cmn-other-voice', 'eng-learners-held-out', 'synthetic-yue-unseen'])
      expect(figures.match(new RegExp(`^\\w+ ${set} `, 'gm'))).toHaveLength(3);
    for (const name of ['small', 'english']) expect((await logOf(name)).match(/M parameters/g)).toHaveLength(1);
  });

  test('continue trains the shipped models of both Chinese languages further', { timeout: 400_000 }, () => {
    const script = join(GPU, 'continue');
    const wrong = spawnSync(script, [folder, work, '0.05', 'english'], { env, encoding: 'utf8' });
    expect(wrong).toMatchObject({ status: 2, stderr: 'not a language of this script: english\n' });
    const { status, stderr } = spawnSync(script, [folder, work, '0.02', 'mandarin', 'cantonese'], {
      env,
      encoding: 'utf8',
    });
    expect(stderr).not.toContain('Traceback');
    expect(status).toBe(0);
    const start = join(work, 'start');
    for (const language of ['mandarin', 'cantonese']) {
      const log = readFileSync(join(work, 'result', `${language}.log`), 'utf8');
      expect(log).toContain(
        `mixture ${language}, ${start}/weights-0.4.0-${language}.pt weights, ${start}/weights-0.3.0-large.pt teacher`,
      );
      expect(statSync(join(work, 'result', `${language}.pt`)).size).toBeGreaterThan(10_000);
    }
  });
});

test.skipIf(!hasPackages)(
  'a finish is trained on words of the Mandarin voice, and can be opened',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'finish-'));
    try {
      const [scripts, out] = [join(import.meta.dirname, 'voices/finish'), join(folder, 'finish.onnx')];
      const voice = join(import.meta.dirname, '../models/cmn/syllables.voice');
      const pairs = [join(scripts, 'make-pairs.ts'), voice, folder, '--words', '15'];
      const made = spawnSync(process.execPath, pairs, { encoding: 'utf8' });
      expect(made).toMatchObject({ status: 0, stderr: expect.stringMatching(/^\d+ pairs of 15 words$/m) });
      const trained = runPython(scripts, 'train.py', folder, out, '--minutes', '0.02');
      expect(trained).toMatchObject({ status: 0, stdout: expect.stringMatching(/^step \d+: [\d.]+ -> [\d.]+ dB/m) });
      const finish = await openFinish(out);
      const changes = await finish.changes(new Float32Array(FINISH_BANDS * 20), new Float32Array(20).fill(1));
      await finish.close();
      expect(changes).toHaveLength(FINISH_BANDS * 20);
      expect(changes.every(Number.isFinite)).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  120_000,
);

describe.skipIf(!hasPackages)('training/speakers with made-up recordings', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'speakers-'));
    await writeMadeUpRecordings(folder, { onsets: 1, words: 10 });
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('every command of its README runs to its end', { timeout: 300_000 }, async () => {
    const cwd = join(import.meta.dirname, 'speakers');
    const [data, embedding, activity, first, continued] = ['data', 'embedding', 'activity', 'first', 'continued'].map(
      (name) => join(folder, name),
    ) as [string, string, string, string, string];
    const figures = join(folder, 'figures.json');
    const short = ['--minutes', '0.001', '--seconds', '16'];
    const commands = [
      ['sounds.py', folder, '--files'],
      ['sounds.py', folder, data],
      ['train_embedding.py', data, embedding, ...short],
      ['train_activity.py', data, activity, ...short, '--mixtures', '4'],
      ['export_models.py', `${embedding}/last.pt`, `${activity}/last.pt`, first],
      ['train_embedding.py', data, continued, ...short, '--start', `${first}/embedding.onnx`],
      ['export_models.py', `${continued}/last.pt`, `${activity}/last.pt`, first],
      ['evaluate.py', first, data, '--mixtures', '4', '--json', figures],
    ];
    for (const command of commands) {
      const { status, stderr } = runPython(cwd, ...command);
      expect({ command, status, stderr: status === 0 ? '' : stderr }).toEqual({ command, status: 0, stderr: '' });
    }
    for (const model of ['embedding.onnx', 'activity.onnx'])
      expect((await stat(join(first, model))).size).toBeGreaterThan(10_000);
    expect(JSON.parse(await readFile(figures, 'utf8'))).toEqual(expect.objectContaining({}));
  });
});

describe.skipIf(!hasPackages || !isInstalled('espeak-ng'))('training/likeness with made-up recordings', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'likeness-'));
    await writeMadeUpRecordings(folder, { onsets: 1, words: 1 });
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('every command of its README runs to its end', { timeout: 120_000 }, async () => {
    const cwd = join(import.meta.dirname, 'likeness');
    const [othersFolder, clips, judges] = ['others', 'clips', 'judges'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(judges);
    const engines = ['espeak-ng', 'flite'].filter(isInstalled).join(',');
    let stdout = '';
    for (const [program, ...command] of [
      [
        process.execPath,
        'speak-others.ts',
        '--sets',
        folder,
        '--out',
        othersFolder,
        '--share',
        '0.02',
        '--engines',
        engines,
      ],
      [
        process.execPath,
        'make-clips.ts',
        '--sets',
        folder,
        '--synthetic',
        othersFolder,
        '--out',
        clips,
        '--limit',
        '12',
      ],
      [process.execPath, 'fit-statistics.ts', clips, join(judges, 'statistics.json')],
      [env['PYTHON']!, 'train.py', clips, join(judges, 'network.onnx'), '--minutes', '0.02', '--tempi'],
    ] as const) {
      const done = spawnSync(program, command, { cwd, env, encoding: 'utf8' });
      expect({ command, status: done.status, stderr: done.status === 0 ? '' : done.stderr }).toEqual({
        command,
        status: 0,
        stderr: '',
      });
      stdout = done.stdout;
    }
    // The last line of a training, however short.
    expect(stdout).toMatch(/^\d+ \d+\.\d+ loss \d\.\d+ .*formants \d\.\d+\/\d\.\d+/m);
    const opened = await openLikenessJudges(judges);
    const noise = createRandom(1);
    const clip = Float32Array.from({ length: 24_000 }, () => noise() - 0.5);
    for (const judge of opened) {
      expect(await judge.score(clip)).toBeGreaterThanOrEqual(0);
      await judge.close();
    }
  });
});
