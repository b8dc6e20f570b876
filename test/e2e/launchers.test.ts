import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { OWNER_KEY, request, submission, temporaryFolder } from '#testbed/service/service.ts';

const ROOT = join(import.meta.dirname, '../..');

type Launched = { launcher: ChildProcess; baseUrl: string; output(): string };

/** Starts a launcher of the service and waits until the service answers. */
async function launch(
  command: string,
  args: string[],
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Launched> {
  const launcher = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...baseEnvironment(),
      HOME: dataDir,
      PORT: '0',
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: OWNER_KEY,
      LOG_LEVEL: 'warn',
      ...settings,
    },
  });
  let output = '';
  const address = () => /listening on (http:\/\/\S+)/.exec(output)?.[1];
  for (const stream of [launcher.stdout, launcher.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  await expect.poll(async () => (await fetch(`${address()}/health`).catch(() => null))?.status, LONG).toBe(200);
  return { launcher, baseUrl: address() ?? '', output: () => output };
}

const LONG = { timeout: 60_000, interval: 50 };
const isReachable = (baseUrl: string) => fetch(`${baseUrl}/health`).then(Boolean, () => false);

it('SIGTERM to npm answers the calls that wait, and frees the port', async () => {
  await using folder = await temporaryFolder();
  // The recording is recognized within this time on a busy machine, too.
  const { launcher, baseUrl, output } = await launch('npm', ['start'], folder.path, { DRAIN_SECONDS: '100' });
  const spoken = await speak(toJyutping('圖書館星期一唔開門。'));
  const form = submission(wavBytes(joinSounds(Array<typeof spoken>(12).fill(spoken), 400)));
  const id = randomUUID();
  const answer = request(`${baseUrl}/speech-to-text`, { ...form, headers: { 'x-request-id': id } });
  const poll = { headers: { 'x-api-key': OWNER_KEY } };
  const isAccepted = async () =>
    (await request(`${baseUrl}/api/speech-to-text/get-result?id=${id}`, poll)).body['success'];
  await expect.poll(isAccepted, LONG).toBe(true);

  launcher.kill('SIGTERM');
  expect((await answer).status).toBe(200);
  await expect.poll(() => isReachable(baseUrl), LONG).toBe(false);
  expect(output()).toContain('SIGTERM, finishing running work');
});

it.each([
  ['npm', 'npm', ['start']],
  ['the command jyutsing', process.execPath, ['cli/jyutsing.js', 'serve']],
])('the service ends when %s is killed', async (_name, command, args) => {
  await using folder = await temporaryFolder();
  const { launcher, baseUrl } = await launch(command, args, folder.path);
  launcher.kill('SIGKILL');
  await expect.poll(() => isReachable(baseUrl), LONG).toBe(false);
});

it('SIGTERM to the command jyutsing ends the service with status 0', async () => {
  await using folder = await temporaryFolder();
  const { launcher, baseUrl } = await launch(process.execPath, ['cli/jyutsing.js', 'serve'], folder.path);
  launcher.kill('SIGTERM');
  expect(await once(launcher, 'exit')).toEqual([0, null]);
  expect(await isReachable(baseUrl)).toBe(false);
});

it('one Ctrl-C, which a terminal sends to all processes of the group, finishes running work', async () => {
  await using folder = await temporaryFolder();
  const { launcher } = await launch('setsid', ['--wait', process.execPath, 'cli/jyutsing.js', 'serve'], folder.path);
  process.kill(-(launcher.pid ?? Number.NaN), 'SIGINT');
  expect((await once(launcher, 'exit'))[0]).toBe(0);
});

it('the service goes on when the shell that started it in the background has ended', async () => {
  await using folder = await temporaryFolder();
  const command = `"${process.execPath}" cli/jyutsing.js serve & echo pid=$!`;
  const { launcher, baseUrl, output } = await launch('sh', ['-c', command], folder.path);
  try {
    expect(launcher.exitCode).toBe(0);
    // A synthesis takes longer than the checks for the death of a launcher.
    const speech = await request(`${baseUrl}/api/tts`, {
      method: 'POST',
      headers: { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ text: '今日天氣好好，我哋一齊去公園行下。'.repeat(10) }),
    });
    expect(speech.status).toBe(200);
    expect(await isReachable(baseUrl)).toBe(true);
  } finally {
    process.kill(Number(/pid=(\d+)/.exec(output())?.[1]), 'SIGTERM');
    await expect.poll(() => isReachable(baseUrl), LONG).toBe(false);
  }
});
