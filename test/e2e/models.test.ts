import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { testArchive } from '#test/test-archive.ts';
import { runCommandHere } from '#test/command-here.ts';
import { sha256, startDownloadHost, type DownloadHost, type ServedFile } from '#test/download-host.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';

const content = Buffer.from(
  Uint32Array.from({ length: 275_000 }, (_, index) => Math.imul(index, 2_654_435_761)).buffer,
);
/**
 * Packages of the test engine by name: how the file is served, and deviations in the declaration.
 */
const CATALOGUE: Record<string, { file?: Partial<ServedFile>; pack?: Partial<ModelPackage> }> = {
  'cut-ten-times': { file: { cutAfterBytes: 100_000 } },
  'wrong-checksum': { pack: { checksum: { kind: 'sha256', value: sha256(Buffer.alloc(1)) } } },
  'evil-archive': { file: { content: testArchive('dotdot') }, pack: { archive: 'tar.bz2' } },
  'good-archive': { file: { content: testArchive('good') }, pack: { archive: 'tar.bz2', files: ['data/tokens.txt'] } },
  'large-archive': { file: { content: testArchive('large') }, pack: { archive: 'tar.bz2' } },
  'too-large': { pack: { sizeBytes: 10 ** 16 } },
  gone: { pack: { url: 'https://github.com/not-served.onnx' } },
  'killed-sigkill': { file: { pieceDelayMs: 40 } },
  'killed-sigint': { file: { pieceDelayMs: 40 } },
  'two-at-once': { file: { pieceDelayMs: 40 } },
  'behind-proxy': { pack: { url: 'http://downloads.example/behind-proxy.onnx' } },
};

let host: DownloadHost;
let root: string;
beforeAll(async () => {
  host = await startDownloadHost();
  root = await mkdtemp(join(tmpdir(), 'models-e2e-'));
  const packages = Object.entries(CATALOGUE).map(([name, { file, pack }]): ModelPackage => {
    host.files.set(`/${name}.onnx`, { content, ...file });
    return {
      name,
      title: name,
      purpose: 'recognizer',
      languages: ['cantonese'],
      licence: 'MIT',
      homepage: 'https://github.com',
      url: `https://github.com/${name}.onnx`,
      archive: 'none',
      sizeBytes: content.length,
      files: ['model.onnx'],
      checksum: { kind: 'sha256', value: sha256(file?.content ?? content) },
      ...pack,
    };
  });
  await mkdir(join(root, 'engines/made-up'), { recursive: true });
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  await writeFile(
    join(root, 'engines/made-up/packages.ts'),
    `export const packages = ${JSON.stringify(packages)} as const;`,
  );
});
afterAll(async () => {
  await host.close();
  await rm(root, { recursive: true, force: true });
});

type Outcome = { code: number | null; output: string; errors: string };

/** The settings of a command with a separate MODELS_DIR and the packages of the catalogue. */
const settings = (folder: string) => ({
  MODELS_DIR: join(root, folder),
  MODELS_BASE_URL: host.url,
  MODELS_RETRIES: '1',
});
const catalogue = () => ({ TEST_ENGINES_DIR: join(root, 'engines') });

const modelsHere = (folder: string, ...args: string[]) => runCommandHere(args, { ...settings(folder), ...catalogue() });

/** Runs the command in a process of its own, which can be killed. */
function models(folder: string, args: string[], env: Record<string, string> = {}) {
  const entry = join(import.meta.dirname, '../support/cli-entry.ts');
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...baseEnvironment(), ...settings(folder), ...catalogue(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { promise: ended, resolve } = Promise.withResolvers<Outcome>();
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  child.on('close', (code) => resolve({ code, output, errors }));
  /** Resolves when the condition holds or the command has ended. */
  const until = async (holds: () => boolean | Promise<boolean>) => {
    while (!(await holds()) && child.exitCode === null) await sleep(10);
  };
  return { ended, until, kill: (signal: NodeJS.Signals) => child.kill(signal), errors: () => errors };
}
const installed = (folder: string, name: string) => readFile(join(root, folder, name, 'model.onnx'));
const rangesFor = (name: string) =>
  host.requests.filter(({ path }) => path === `/${name}.onnx`).map(({ range }) => range);
const visible = async (folder: string) => (await readdir(join(root, folder))).filter((name) => !name.startsWith('.'));

describe('npm run models', () => {
  it('pulls available models despite ten broken connections, and gives a reason for the others', async () => {
    const names = ['cut-ten-times', 'wrong-checksum', 'evil-archive', 'good-archive', 'too-large', 'gone'];
    const { code, output, errors } = await modelsHere('many', '--json', 'models', 'pull', ...names);
    expect(JSON.parse(output)).toMatchObject([
      { name: 'cut-ten-times', outcome: 'installed' },
      { name: 'wrong-checksum', outcome: 'failed', message: expect.stringContaining('not the pinned') },
      { name: 'evil-archive', outcome: 'failed', message: expect.stringContaining('outside its folder') },
      { name: 'good-archive', outcome: 'installed' },
      { name: 'too-large', outcome: 'failed', message: expect.stringMatching(/needs 10000 TB, [\d.]+ TB more/) },
      { name: 'gone', outcome: 'failed', message: expect.stringContaining('404') },
    ]);
    expect(code).toBe(1);
    expect(errors).toMatch(/cut-ten-times: downloading \d+ % of 1.1 MB/);
    expect(errors).toMatch(/4 of 6 could not be installed\.\n$/);
    expect(errors).not.toContain('    at ');

    expect((await installed('many', 'cut-ten-times')).equals(content)).toBe(true);
    expect(rangesFor('cut-ten-times')).toHaveLength(11);
    expect((await visible('many')).sort()).toEqual(['cut-ten-times', 'good-archive']);
    expect(await readdir(root)).not.toContain('evil');

    const real = await runCommandHere(['models', 'list'], settings('many'));
    expect(real.output).toMatch(/^wsyue-u2pp +recognizer +cantonese 92.36 +117 MB +Apache-2.0 +no +WSYue/m);
    expect(real.output).toMatch(/^Recognized now: cantonese by [\w-]+, a fallback; mandarin by .*\.$/m);

    // A changed byte on disk is found, and only that file is reported.
    const path = join(root, 'many/good-archive/data/tokens.txt');
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(3) ^ 1, 3);
    await writeFile(path, bytes);
    const verified = await modelsHere('many', 'models', 'verify');
    expect(verified.output).toMatch(/^cut-ten-times +good\ngood-archive +data\/tokens.txt +damaged$/m);
    expect(verified).toMatchObject({ code: 1, errors: 'Damaged: good-archive. Remove and pull again.\n' });

    expect((await modelsHere('many', 'models', 'remove', 'good-archive')).output).toBe('good-archive removed\n');
    const listed = await modelsHere('many', 'models', 'list');
    expect(listed.output).toMatch(/^name +for +languages and quality +size +licence +installed +title$/m);
    expect(listed.output).toMatch(/^cut-ten-times +recognizer +cantonese +1.1 MB +MIT +yes +cut-ten-times$/m);
    expect(listed.output).toMatch(/^good-archive .* no +good-archive$/m);
  });

  it.each(['SIGKILL', 'SIGINT'] as const)('a pull ended by %s resumes where it stopped', async (signal) => {
    const name = `killed-${signal.toLowerCase()}`;
    const partial = join(root, name, '.downloads', `${name}.part`);
    const first = models(name, ['models', 'pull', name]);
    await first.until(() =>
      stat(partial).then(
        ({ size }) => size > 100_000,
        () => false,
      ),
    );
    first.kill(signal);
    const { code, errors } = await first.ended;
    expect(code).toBe(signal === 'SIGINT' ? 130 : null);
    expect(errors).toMatch(signal === 'SIGINT' ? /Stopped\. Pull again to resume\.\n$/ : '');
    expect(await visible(name)).toEqual([]);
    const { size } = await stat(partial);

    expect((await modelsHere(name, 'models', 'pull', name)).output).toBe(`${name} installed (1.1 MB)\n`);
    expect(rangesFor(name)).toEqual([null, `bytes=${size}-`]);
    expect((await installed(name, name)).equals(content)).toBe(true);
  });

  it('a pull interrupted while unpacking is complete or absent, and downloads nothing twice', async () => {
    const first = models('large', ['models', 'pull', 'large-archive']);
    await first.until(() => first.errors().includes('unpacking'));
    first.kill('SIGINT');
    const { code } = await first.ended;
    expect(await visible('large')).toEqual(code === 0 ? ['large-archive'] : []);
    await modelsHere('large', 'models', 'pull', 'large-archive');
    expect(await installed('large', 'large-archive')).toHaveLength(10_000_000);
    expect(rangesFor('large-archive')).toEqual([null]);
  });

  it('two simultaneous pulls download once', async () => {
    const both = [1, 2].map(() => models('two', ['models', 'pull', 'two-at-once']));
    const outcomes = await Promise.all(both.map(({ ended }) => ended));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(outcomes.map(({ output }) => output).sort()).toEqual([
      'two-at-once installed (1.1 MB)\n',
      'two-at-once is already installed (1.1 MB)\n',
    ]);
    expect(rangesFor('two-at-once')).toHaveLength(1);
  });

  it('pulls through the proxy of the environment', async () => {
    const proxy = await startProxy(host.url);
    const env = { HTTP_PROXY: proxy.url, http_proxy: proxy.url };
    const { code, errors } = await models('proxy', ['models', 'pull', 'behind-proxy'], env).ended;
    expect({ code, errors }).toMatchObject({ code: 0 });
    expect(proxy.targets).toContain('downloads.example:80');
    expect((await installed('proxy', 'behind-proxy')).equals(content)).toBe(true);
    await proxy.close();
  });

  it('pulls a package of the real catalogue from a GitHub mirror', async () => {
    const folder = '/k2-fsa/sherpa-onnx/releases/download/speaker-recongition-models';
    const file = '3dspeaker_speech_campplus_sv_zh-cn_16k-common.onnx';
    host.files.set(`${folder}/${file}`, { content });
    const refused = await runCommandHere(['models', 'pull', 'campplus-speaker'], settings('real'));
    expect(refused.errors).toContain(
      `the publisher replaced this file: it has the SHA-256 ${sha256(content)}, not the pinned f682b514`,
    );
    const args = ['models', 'pull', '--accept-change', 'campplus-speaker'];
    const { code, output } = await runCommandHere(args, settings('real'));
    expect({ code, output }).toEqual({ code: 0, output: 'campplus-speaker installed (1.1 MB)\n' });
    expect(await readFile(join(root, 'real/campplus-speaker', file))).toHaveLength(content.length);
  });
});

/** A proxy that forwards every tunnel and request to the download host of the tests. */
async function startProxy(to: string) {
  const target = new URL(to);
  const targets: string[] = [];
  const server = createServer((_, response) => response.writeHead(501).end());
  server.on('connect', (request, socket: Socket) => {
    targets.push(request.url ?? '');
    const there = connect(Number(target.port), target.hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    for (const end of [socket, there]) end.on('error', () => end.destroy());
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    close: async () => void server.close(),
  };
}
