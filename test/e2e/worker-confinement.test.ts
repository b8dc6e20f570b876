import { readFileSync, readlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openSandbox } from '@jyutsing/system/sandbox';
import { startTranscriptionServer } from '#test/openai/transcription-server.ts';
import { descendants } from '#testbed/service/process-tree.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { whistle } from '#test/audio-whistled.ts';

/** Marks the values of variables that no worker process may have in its environment. */
const SECRET = 'secret-of-the-operator-';
const SECRETS = [
  'LLM_API_KEY',
  'TTS_API_KEY',
  'STT_API_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'POSTGRES_PASSWORD',
  'PGPASSWORD',
  'GITHUB_TOKEN',
  'A_VARIABLE_OF_ANOTHER_PROGRAM',
];
const isLinux = process.platform === 'linux';

/** Starts a service, lets it transcribe, speak and score, and looks at its processes. */
async function lookAtWorkers(env: Record<string, string>) {
  await using folder = await temporaryFolder();
  const secrets = Object.fromEntries(SECRETS.map((name) => [name, `${SECRET}${name}`]));
  // Without a folder for compiled modules there is no process that fills it, which sees no input.
  const settings = { LOG_LEVEL: 'info', NODE_COMPILE_CACHE: '', ...env };
  const service = await startService(folder.path, { ...secrets, ...settings });
  try {
    const submitted = await request(
      `${service.baseUrl}/api/stt`,
      submission(wavBytes(whistle([null, 'hoeng1', 'gong2', 'jan4', null])), { lang: 'cantonese' }),
    );
    const record = await waitForResult(service.baseUrl, requestIdOf(submitted), { timeoutMs: 150_000 });
    const spoken = await fetch(`${service.baseUrl}/api/tts`, {
      method: 'POST',
      headers: { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ text: '早晨', output_extension: 'mp3' }),
    });
    const workers = descendants(service.process.pid!).map((pid) => ({
      environment: readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean),
      network: readlinkSync(`/proc/${pid}/ns/net`),
      mounts: readFileSync(`/proc/${pid}/mountinfo`, 'utf8'),
    }));
    return { record, spoken: spoken.status, workers, output: service.output(), dataDir: folder.path };
  } finally {
    await service.stop();
  }
}

it.runIf(isLinux)('no secret reaches processes that read files, and they are kept from network and disk', async () => {
  // A folder of its own: in that of all temporary files other tests mount disks, which is refused.
  await using probed = await temporaryFolder();
  const { refusal } = await openSandbox({ writable: probed.path, read: [], environment: { PATH: '/usr/bin:/bin' } });
  const { record, spoken, workers, output, dataDir } = await lookAtWorkers({});
  expect([record['status'], spoken, workers.length > 1]).toEqual(['completed', 200, true]);
  const variables = workers.flatMap(({ environment }) => environment);
  expect(variables.filter((variable) => variable.includes(SECRET) || variable.includes(OWNER_KEY))).toEqual([]);
  expect(variables.some((variable) => variable.startsWith('PATH='))).toBe(true);
  const here = readlinkSync('/proc/self/ns/net');
  const isKept = workers.every(({ network }) => network !== here);
  const written = [...new Set(workers.flatMap(({ mounts }) => writablePoints(mounts)))];
  expect([isKept, refusal !== null || written.join() === `${dataDir}/incoming`]).toEqual([refusal === null, true]);
  expect(output).toContain(refusal === null ? '"network":"none","files":"read-only"' : '"reason":');
});

/** Mount points whose uppermost file system can be written. */
function writablePoints(mounts: string): string[] {
  const points = mounts
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([, , , , point = '', options = '']) => [point, options.split(',').includes('ro')] as const);
  return [...new Map(points)].flatMap(([point, isReadOnly]) => (isReadOnly ? [] : [point]));
}

it.runIf(isLinux)('workers that call another server still reach it', async () => {
  const server = await startTranscriptionServer();
  const { workers, output } = await lookAtWorkers({ STT_BASE_URL: server.baseUrl, STT_ENGINE: 'openai-compatible' });
  await server.close();
  expect(workers.some(({ network }) => network === readlinkSync('/proc/self/ns/net'))).toBe(true);
  expect(output).not.toContain('"network":"none"');
  expect(server.uploads.length).toBeGreaterThan(0);
});
