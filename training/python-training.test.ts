import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Debian's, which is the one that has the packages of training/acoustic/README.md.
const PYTHON = '/usr/bin/python3';
const NEEDED = 'import numpy, onnx, scipy, soundfile, torch';
const hasPackages = existsSync(PYTHON) && spawnSync(PYTHON, ['-c', NEEDED]).status === 0;
const hasOpusTools = spawnSync('opusenc', ['--version']).status === 0;
const GPU = join(import.meta.dirname, 'gpu');
const env = {
  ...process.env,
  PYTHON,
  OMP_NUM_THREADS: '1',
  CHANNELS: '48',
  BLOCKS: '2',
  LOADERS: '1',
  SECONDS_BETWEEN_SAVES: '1',
};

test.skipIf(!hasPackages).each(['acoustic', 'speakers', 'likeness'])('the tests of training/%s pass', (folder) => {
  const cwd = join(import.meta.dirname, folder);
  const { status, stderr } = spawnSync(PYTHON, ['-m', 'unittest'], { cwd, env, encoding: 'utf8' });
  expect(stderr).toMatch(/\nOK\n$/);
  expect(status).toBe(0);
});

describe.skipIf(!hasPackages || !hasOpusTools)('training/gpu/run on a processor, with made-up sounds', () => {
  let folder: string;
  let work: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'training-'));
    work = join(folder, 'work');
  });
  afterAll(() => rm(folder, { recursive: true }));

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

  test('without sounds it says what to do', async () => {
    expect(await start('1').ended).toEqual({
      status: 2,
      message: expect.stringContaining('run training/gpu/prepare first'),
    });
  });

  test('goes on after a kill, and makes weights, models and logs', { timeout: 400_000 }, async () => {
    const made = spawnSync(PYTHON, [join(GPU, 'testing/made_up_sounds.py'), folder, work], { env, encoding: 'utf8' });
    expect(made.stderr).toBe('');
    const killed = start('30');
    await expect.poll(() => existsSync(join(work, 'large/last.pt')), { timeout: 200_000, interval: 50 }).toBe(true);
    killed.kill();
    await killed.ended;
    expect(existsSync(join(work, 'large/finished'))).toBe(false);

    expect(await start('0.1').ended).toMatchObject({ status: 0 });
    const starts = (await logOf('large')).split('\n').filter((line) => line.includes('M parameters'));
    expect(starts.map((line) => Number(/step (\d+)/.exec(line)?.[1]))).toEqual([0, expect.any(Number)]);
    expect(Number(/step (\d+)/.exec(starts[1]!)?.[1])).toBeGreaterThan(0);
    expect(await logOf('small')).toContain(`${work}/narrowed.pt weights, ${work}/large/last.pt teacher`);
    expect(await logOf('english')).toContain(
      `mixture english, weights-0.3.0-english.pt weights, ${work}/large/last.pt`,
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

    // Nothing is trained twice.
    expect(await start('0.1').ended).toMatchObject({ status: 0 });
    expect((await logOf('large')).split('\n').filter((line) => line.includes('M parameters'))).toHaveLength(2);
  });
});
