import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { sha256, startDownloadHost, type DownloadHost, type ServedFile } from '#test/download-host.ts';
import { modelState, pullModel, removeModel, type PullEvent, type PullOptions } from './install.ts';
import { modelPaths } from './layout.ts';
import { readManifest, verifyModel } from './manifest.ts';

let host: DownloadHost;
let modelsDir: string;
beforeAll(async () => {
  host = await startDownloadHost();
  modelsDir = await mkdtemp(join(tmpdir(), 'model-folders-'));
});
afterAll(async () => {
  await host.close();
  await rm(modelsDir, { recursive: true, force: true });
});

/** Makes bytes without repetition, so that a misplaced part changes the digest. */
const bytes = (length: number, seed = 1) =>
  Buffer.from(Uint32Array.from({ length: length / 4 }, (_, index) => Math.imul(index + seed, 2_654_435_761)).buffer);

const PATHS = ['manifest.json', 'graphs one/step.onnx', 'graphs one/shared.data', 'codec/decode.onnx'];
const contentOf = (path: string) => bytes(path.endsWith('.data') ? 3_000_000 : 40_000, PATHS.indexOf(path) + 1);

let count = 0;
/** Serves a package of several files in subfolders; the graph of the codec has a pinned digest. */
function serve(changes: Partial<Record<string, Partial<ServedFile>>> = {}): ModelPackage {
  const name = `folder-${(count += 1)}`;
  for (const path of PATHS) host.files.set(addressOf(name, path), { content: contentOf(path), ...changes[path] });
  return {
    name,
    title: name,
    purpose: 'synthesizer',
    languages: ['cantonese'],
    licence: 'Apache-2.0',
    homepage: host.url,
    url: `${host.url}/${name}/resolve/revision-1/`,
    archive: 'folder',
    sizeBytes: PATHS.reduce((sum, path) => sum + contentOf(path).length, 0),
    files: PATHS,
    checksum: { kind: 'files', values: { 'codec/decode.onnx': sha256(contentOf('codec/decode.onnx')) } },
  };
}
const addressOf = (name: string, path: string) => encodeURI(`/${name}/resolve/revision-1/${path}`);
const optionsOf = (changes: Partial<PullOptions> = {}): PullOptions => ({
  modelsDir,
  baseUrl: null,
  indexUrl: null,
  stallTimeoutMs: 20_000,
  retries: 1,
  acceptChange: false,
  signal: AbortSignal.timeout(50_000),
  onEvent: () => undefined,
  ...changes,
});
const remove = ({ name }: ModelPackage) =>
  removeModel(modelsDir, name, { signal: AbortSignal.timeout(50_000), onWaiting() {} });
const requestsFor = ({ name }: ModelPackage) =>
  host.requests
    .filter(({ path }) => path.startsWith(`/${name}/`))
    .map(({ path, range }) => [path.split('/').at(-1), range]);
const leftovers = async ({ name }: ModelPackage) => {
  const inDownloads = await readdir(join(modelsDir, '.downloads')).catch(() => []);
  return inDownloads.filter((entry) => entry.startsWith(`${name}.`));
};

describe('a package of several files', () => {
  it('is installed with its subfolders, and its digests are kept', async () => {
    const pack = serve();
    const events: PullEvent[] = [];
    const { outcome, sizeBytes } = await pullModel(pack, optionsOf({ onEvent: (event) => events.push(event) }));
    expect([outcome, sizeBytes]).toEqual(['installed', pack.sizeBytes]);
    for (const path of PATHS) expect(await readFile(join(modelsDir, pack.name, path))).toEqual(contentOf(path));
    const manifest = await readManifest(join(modelsDir, pack.name));
    expect(manifest?.files.map(({ path, sha256: digest }) => [path, digest])).toEqual(
      PATHS.map((path) => [path, sha256(contentOf(path))]),
    );
    expect(events[0]).toEqual({ type: 'unverified' });
    const progress = events.flatMap((event) => (event.type === 'downloading' ? [event.doneBytes] : []));
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(pack.sizeBytes);
    expect(await leftovers(pack)).toEqual([]);
    expect((await modelState(pack, modelsDir)).state).toBe('installed');
    expect((await pullModel(pack, optionsOf())).outcome).toBe('already-installed');
  });

  it('that was damaged on the disk is noticed', async () => {
    const pack = serve();
    await pullModel(pack, optionsOf());
    await writeFile(join(modelsDir, pack.name, 'codec/decode.onnx'), bytes(40_000, 99));
    expect(await verifyModel(modelsDir, pack.name, AbortSignal.timeout(50_000))).toEqual([
      { path: 'codec/decode.onnx', problem: 'damaged' },
    ]);
  });

  it('is refused with a sentence where one file is not the pinned one, and nothing is installed', async () => {
    const pack = serve({ 'codec/decode.onnx': { content: bytes(40_000, 99) } });
    await expect(pullModel(pack, optionsOf())).rejects.toThrow(
      /^codec\/decode\.onnx: the publisher replaced this file: it has the SHA-256 .* not the pinned .*--accept-change$/,
    );
    expect((await modelState(pack, modelsDir)).state).toBe('unfinished');
    expect((await pullModel(pack, optionsOf({ acceptChange: true }))).outcome).toBe('installed');
  });

  it('names a file that the publisher deleted', async () => {
    const pack = serve();
    host.files.delete(addressOf(pack.name, 'graphs one/shared.data'));
    await expect(pullModel(pack, optionsOf())).rejects.toThrow(/^graphs one\/shared\.data: .* no longer has this file/);
  });

  it('must have the digests of its first download later', async () => {
    const pack = serve();
    await pullModel(pack, optionsOf());
    await remove(pack);
    host.files.set(addressOf(pack.name, 'manifest.json'), { content: bytes(40_000, 98) });
    await expect(pullModel(pack, optionsOf())).rejects.toThrow(
      /^manifest\.json: the publisher replaced this file since its first download/,
    );
  });

  it('does not mix the files of two revisions', async () => {
    const pack = serve({ 'codec/decode.onnx': { content: bytes(40_000, 99) } });
    await expect(pullModel(pack, optionsOf())).rejects.toThrow('replaced');
    const url = pack.url.replace('revision-1', 'revision-2');
    const newer = { ...pack, url, checksum: null };
    for (const path of PATHS) {
      host.files.set(addressOf(pack.name, path).replace('revision-1', 'revision-2'), { content: bytes(4_000, 50) });
    }
    await pullModel(newer, optionsOf());
    expect(await readFile(join(modelsDir, pack.name, 'manifest.json'))).toEqual(bytes(4_000, 50));
  });

  it('is outdated where the catalogue pins other digests', async () => {
    const pack = serve();
    await pullModel(pack, optionsOf());
    const changed = { ...pack, checksum: { kind: 'files', values: { 'manifest.json': sha256(bytes(4)) } } } as const;
    expect((await modelState(changed, modelsDir)).state).toBe('outdated');
  });

  it('is resumed where the process was killed: complete files are not downloaded again', async () => {
    const pack = serve({
      'graphs one/shared.data': { content: contentOf('graphs one/shared.data'), pieceDelayMs: 20 },
    });
    const child = fork(join(import.meta.dirname, '../../../../server/models/pull-entry.ts'), { stdio: 'ignore' });
    const { signal: _signal, onEvent: _onEvent, acceptChange: _acceptChange, ...options } = optionsOf();
    child.send({ packs: [pack], options });
    const { partial } = modelPaths(modelsDir, pack.name);
    for await (const [report] of iterate(child)) {
      if (report.type === 'downloading' && report.doneBytes > 300_000) break;
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    const begun = await readFile(partial);
    host.files.set(addressOf(pack.name, 'graphs one/shared.data'), { content: contentOf('graphs one/shared.data') });
    expect(await modelState(pack, modelsDir)).toMatchObject({ state: 'unfinished' });
    await pullModel(pack, optionsOf());
    expect(requestsFor(pack)).toEqual([
      ['manifest.json', null],
      ['step.onnx', null],
      ['shared.data', null],
      ['shared.data', `bytes=${begun.length}-`],
      ['decode.onnx', null],
    ]);
    expect(await readFile(join(modelsDir, pack.name, 'graphs one/shared.data'))).toEqual(
      contentOf('graphs one/shared.data'),
    );
  });

  it('that is unfinished can be removed', async () => {
    const pack = serve({ 'codec/decode.onnx': { content: bytes(40_000, 99) } });
    await expect(pullModel(pack, optionsOf())).rejects.toThrow('replaced');
    expect(await remove(pack)).toBe('unfinished-removed');
    expect(await leftovers(pack)).toEqual([]);
  });
});

type Report = { type: string; doneBytes: number };
/** The messages of a child. */
async function* iterate(child: ReturnType<typeof fork>): AsyncGenerator<[Report]> {
  for (;;) yield (await once(child, 'message')) as [Report];
}
