import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { wavBytes } from '#testbed/sound/audio.ts';
import { sha256, startDownloadHost, type DownloadHost, type ServedFile } from '#test/download-host.ts';
import { request, startService, submission } from '#testbed/service/service.ts';
import { enginesWith } from '#test/engines-with.ts';
import { hum } from '#test/sherpa-onnx/hum.ts';
import { testArchive } from '#test/test-archive.ts';

const NAME = 'wsyue-u2pp';
const PATH = '/made-up/recognizer.tar.bz2';
const archive = testArchive('recognizer');
/** The recommended package with the weights of a test model. */
const PACKAGE: ModelPackage = {
  name: NAME,
  title: 'made up',
  purpose: 'recognizer',
  languages: ['cantonese'],
  licence: 'Apache-2.0',
  homepage: 'https://github.com',
  isRecommended: true,
  url: `https://github.com${PATH}`,
  archive: 'tar.bz2',
  sizeBytes: archive.length,
  files: ['model.int8.onnx', 'tokens.txt'],
  checksum: { kind: 'sha256', value: sha256(archive) },
};

let host: DownloadHost;
let root: string;
let count = 0;
beforeAll(async () => {
  host = await startDownloadHost();
  root = await mkdtemp(join(tmpdir(), 'first-start-'));
});
beforeEach(() => serve({}));
afterAll(async () => {
  await host.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

const serve = (file: Partial<ServedFile>) => void host.files.set(PATH, { content: archive, ...file });

/** Starts the service; returns what a test does with it. */
async function start(env: Record<string, string> = {}, pack: Partial<ModelPackage> = {}) {
  const folder = join(root, `service-${(count += 1)}`);
  const modelsDir = env['MODELS_DIR'] ?? join(folder, 'models');
  const service = await startService(join(folder, 'data'), {
    MODELS_DIR: modelsDir,
    MODELS_BASE_URL: host.url,
    MODELS_AUTO_PULL: 'on',
    // A neural detector does not take humming for speech.
    STT_VAD: 'webrtc',
    MODELS_RETRIES: '1',
    WORKERS: '1',
    TEST_ENGINES_DIR: await enginesWith({ ...PACKAGE, ...pack }, join(root, `engines-${count}`)),
    ...env,
  });
  const health = async () => (await request(`${service.baseUrl}/health`)).body;
  const pull = async () => (await health())['model_pull'] as Record<string, unknown> | undefined;
  return {
    ...service,
    modelsDir,
    health,
    pull,
    /** The built-in recognizer in /health. */
    fallback: async () =>
      ((await health())['engines'] as Record<string, unknown>[]).find(({ quality }) => quality === 'fallback'),
    state: async () => (await pull())?.['state'],
    recognize: async () => {
      const sound = wavBytes(hum([null, 0, 1, 2, null]));
      const fields = { wait_for_completion: 'true', skip_fusion: 'true', lang: 'cantonese' };
      return (await request(`${service.baseUrl}/api/stt`, submission(sound, fields))).body['text'];
    },
  };
}

const requests = () => host.requests.filter(({ path }) => path === PATH);
const WITHIN = { timeout: 60_000, interval: 50 };

describe('a first start without a better recognizer', () => {
  it('pulls the recommended one in the background, which the next request uses', async () => {
    serve({ stallsAfterBytes: 300 });
    await using service = asDisposable(await start({ MODELS_STALL_SECONDS: '6' }));
    await expect.poll(service.state, WITHIN).toBe('downloading');
    expect(await service.recognize()).not.toContain('香港人');
    serve({});
    await expect.poll(service.pull, WITHIN).toEqual({
      name: NAME,
      state: 'installed',
      done_bytes: archive.length,
      total_bytes: archive.length,
    });
    expect(await service.recognize()).toContain('香港人');
    expect(await service.fallback()).not.toHaveProperty('message');
  });

  it('resumes a pull after a stop and after lost connections', async () => {
    serve({ cutAfterBytes: 300, pieceDelayMs: 300 });
    const modelsDir = join(root, 'resumed');
    const first = await start({ MODELS_DIR: modelsDir });
    await expect.poll(first.state, WITHIN).toBe('downloading');
    await first.stop();
    const before = requests().length;
    await using second = asDisposable(await start({ MODELS_DIR: modelsDir }));
    await expect.poll(second.state, WITHIN).toBe('installed');
    expect(requests()[before]?.range).toMatch(/^bytes=[1-9]/);
  });

  it.each<[string, Partial<ModelPackage>, RegExp]>([
    [
      'a wrong digest',
      { checksum: { kind: 'sha256', value: '0'.repeat(64) } },
      /has the SHA-256 .*, not the pinned 0000/,
    ],
    ['a full disk', { sizeBytes: 10 ** 16 }, /disk of MODELS_DIR is too full: this needs \d+ TB/],
  ])('keeps the fallback after %s, and says why', async (_name, pack, message) => {
    await using service = asDisposable(await start({}, pack));
    await expect.poll(service.state, WITHIN).toBe('failed');
    expect((await service.pull())?.['message']).toMatch(message);
    expect((await service.health())['status']).toBe('ok');
    expect(await readdir(service.modelsDir)).not.toContain(NAME);
  });

  it.each([
    ['MODELS_AUTO_PULL=off', { MODELS_AUTO_PULL: 'off' }, 1],
    ['an outside server', { STT_BASE_URL: 'http://127.0.0.1:1', STT_LANGUAGES: 'cantonese=95' }, 0],
    ['the fallback was chosen', { STT_ENGINE: 'builtin' }, 0],
  ])('pulls nothing with %s, and says once where a better model would help', async (_name, env, lines) => {
    const before = host.requests.length;
    await using service = asDisposable(await start({ ...env, LOG_LEVEL: 'info' }));
    expect(await service.pull()).toBeUndefined();
    expect(host.requests).toHaveLength(before);
    const advice = `install the recommended recognizer with: npm run models -- pull ${NAME}`;
    expect(service.output().split(advice)).toHaveLength(1 + lines);
    const message = 'This is a fallback that is inaccurate for most speakers: npm run models -- pull wsyue-u2pp';
    expect(await service.fallback()).toMatchObject({ quality: 'fallback', ...(lines === 1 ? { message } : {}) });
  });

  it('pulls nothing when a better recognizer is there', async () => {
    const modelsDir = join(root, 'there');
    const first = await start({ MODELS_DIR: modelsDir });
    await expect.poll(first.state, WITHIN).toBe('installed');
    await first.stop();
    await using second = asDisposable(await start({ MODELS_DIR: modelsDir }));
    expect(await second.pull()).toBeUndefined();
  });
});

it('an offline start is quick, works with the fallback, and costs one line in the log', async () => {
  const folder = join(root, 'offline');
  const gone = await startDownloadHost();
  await gone.close();
  const service = await startService(join(folder, 'data'), {
    MODELS_DIR: join(folder, 'models'),
    MODELS_AUTO_PULL: 'on',
    MODELS_BASE_URL: gone.url,
    MODELS_RETRIES: '0',
  });
  try {
    await vi.waitFor(() => expect(service.output()).toContain('was not pulled'), WITHIN);
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes('"level"'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\); behind a proxy, set HTTPS_PROXY/);
    expect(lines[0]).toContain(`npm run models -- pull ${NAME}`);
  } finally {
    await service.stop();
  }
});

/** Stops a service at the end of a block. */
function asDisposable<Thing extends { stop(): Promise<unknown> }>(thing: Thing): Thing & AsyncDisposable {
  return { ...thing, [Symbol.asyncDispose]: async () => void (await thing.stop()) };
}
