import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { testArchive } from '#test/test-archive.ts';
import { sha256, startDownloadHost, type DownloadHost, type ServedFile } from '#test/download-host.ts';
import { findInChecksumList } from './checksum.ts';
import { pullModel, removeModel, type PullEvent, type PullOptions } from './install.ts';
import { installedModelDir } from './installed.ts';
import { modelPaths } from './layout.ts';
import { redirectedAddress } from './request.ts';

let host: DownloadHost;
let modelsDir: string;
beforeAll(async () => {
  host = await startDownloadHost();
  modelsDir = await mkdtemp(join(tmpdir(), 'model-files-'));
});
afterAll(async () => {
  await host.close();
  await rm(modelsDir, { recursive: true, force: true });
});

/** Makes bytes without repetition, so that a misplaced part changes the digest. */
const bytes = (length: number, seed = 1) =>
  Buffer.from(Uint32Array.from({ length: length / 4 }, (_, index) => Math.imul(index + seed, 2_654_435_761)).buffer);
const content = bytes(400_000);

let count = 0;
/** Serves a package of one file, by default with a known digest. */
function serve(file: Partial<ServedFile> = {}, changes: Partial<ModelPackage> = {}): ModelPackage {
  const name = `model-${(count += 1)}`;
  const served = { content, ...file };
  host.files.set(`/${name}.onnx`, served);
  return {
    name,
    title: name,
    purpose: 'recognizer',
    languages: ['cantonese'],
    licence: 'MIT',
    homepage: host.url,
    url: `${host.url}/${name}.onnx`,
    archive: 'none',
    sizeBytes: served.content.length,
    files: ['model.onnx'],
    checksum: { kind: 'sha256', value: sha256(served.becomes ?? served.content) },
    ...changes,
  };
}
const unchecked = { checksum: null } as const;
const unpacked = { archive: 'tar.bz2', files: ['model.onnx', 'data/tokens.txt'] } as const;

async function pull(pack: ModelPackage, options: Partial<PullOptions> = {}) {
  const events: PullEvent[] = [];
  const pulled = await pullModel(pack, {
    modelsDir,
    baseUrl: null,
    indexUrl: null,
    stallTimeoutMs: 20_000,
    retries: 1,
    acceptChange: false,
    signal: AbortSignal.timeout(50_000),
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { ...pulled, events };
}
const requestsFor = ({ name }: ModelPackage) => host.requests.filter(({ path }) => path === `/${name}.onnx`);
const installedFile = ({ name }: ModelPackage) => readFile(join(modelsDir, name, 'model.onnx'));
const leftovers = async ({ name }: ModelPackage) => {
  const { partial, staging, discarded, folder } = modelPaths(modelsDir, name);
  const stats = await Promise.all([partial, staging, discarded, folder].map((path) => stat(path).catch(() => null)));
  return stats.filter((entry) => entry !== null).length;
};

describe.concurrent('a pull installs the right file', () => {
  it.for<[string, Partial<ServedFile>]>([
    ['from a well-behaved host', {}],
    ['from a host that sends no content length', { withoutLength: true }],
    ['when connections are lost', { cutAfterBytes: 70_000 }],
    ['when connections are lost and the host sends no version', { cutAfterBytes: 70_000, withoutVersion: true }],
    ['when connections are lost and the host ignores ranges', { cutAfterBytes: 390_000, cuts: 1, ignoresRanges: true }],
    ['when connections are lost in a body of unknown length', { cutAfterBytes: 150_000, withoutLength: true }],
    ['when the first response is a server error', { failsFirstWith: [503] }],
    ['when the host loses the connections that it keeps open', { losesIdle: true }],
    ['when the file changes during the download', { cutAfterBytes: 100_000, cuts: 1, becomes: bytes(300_000, 7) }],
    [
      'when the file changes and the host sends no version',
      { cutAfterBytes: 100_000, cuts: 1, becomes: bytes(400_000, 9), withoutVersion: true },
    ],
  ])('%s', async ([, file], { expect }) => {
    const pack = serve(file);
    const { outcome, sha256: actualSha256 } = await pull(pack);
    const right = file.becomes ?? content;
    expect({ outcome, found: actualSha256 }).toEqual({ outcome: 'installed', found: sha256(right) });
    expect((await installedFile(pack)).equals(right)).toBe(true);
    expect(installedModelDir(modelsDir, pack.name)).toBe(join(modelsDir, pack.name));
  });

  it('parts are not joined without a digest and a version', async ({ expect }) => {
    const pack = serve({ cutAfterBytes: 100_000, cuts: 1, withoutVersion: true }, unchecked);
    await pull(pack);
    expect(requestsFor(pack).map(({ range }) => range)).toEqual([null, null]);
    expect((await installedFile(pack)).equals(content)).toBe(true);
  });

  it('a second pull sends no request', async ({ expect }) => {
    const pack = serve();
    await pull(pack);
    expect((await pull(pack)).outcome).toBe('already-installed');
    expect(requestsFor(pack)).toHaveLength(1);
  });

  it('a complete partial file of unknown length is reused', async ({ expect }) => {
    const pack = serve({ content: testArchive('good'), withoutLength: true }, unpacked);
    const stop = new AbortController();
    const onEvent = ({ type }: PullEvent) => type === 'unpacking' && stop.abort(new AppError('client_closed_request'));
    await expect(pull(pack, { signal: stop.signal, onEvent })).rejects.toMatchObject({ code: 'client_closed_request' });
    await pull(pack);
    expect(requestsFor(pack).map(({ range }) => range)).toEqual([null, expect.stringMatching(/^bytes=\d+-$/)]);
  });

  it('a new version in the catalogue replaces the installed one', async ({ expect }) => {
    const old = serve();
    await pull(old);
    const newer = { ...serve({ content: bytes(1_000, 3) }), name: old.name };
    expect((await pull(newer)).outcome).toBe('installed');
    expect(await installedFile(old)).toHaveLength(1_000);
  });
});

describe.concurrent('a failed pull is an error and leaves no partial installation', () => {
  it.for<[string, Partial<ServedFile>, Partial<ModelPackage>, RegExp]>([
    ['a wrong checksum', {}, { checksum: { kind: 'sha256', value: sha256(bytes(4)) } }, /not the pinned/],
    ['an archive with a parent path', { content: testArchive('dotdot') }, unpacked, /outside its folder/],
    ['an archive with absolute paths', { content: testArchive('absolute') }, unpacked, /outside its folder/],
    ['an archive with a symbolic link', { content: testArchive('symbolicLink') }, unpacked, /other than files/],
    ['an archive with a hard link', { content: testArchive('hardLink') }, unpacked, /other than files/],
    ['an archive with a duplicate path', { content: testArchive('twice') }, unpacked, /a file twice/],
    ['an archive of folders alone', { content: testArchive('folders') }, unpacked, /too many files/],
    ['an archive that grows beside its files', { content: testArchive('attributes') }, unpacked, /far larger/],
    [
      'a file without end',
      { content: bytes(1_000_000), endless: true, withoutLength: true },
      {},
      /68 MB or more where the catalogue says 1/,
    ],
    ['a file of an absurd length', { announcedBytes: 10 ** 13 }, {}, /10 TB.* catalogue/],
    ['a truncated archive', { content: testArchive('good').subarray(0, 150) }, unpacked, /damaged/],
    ['a file that is not an archive', { content: Buffer.from('<html>Sign in</html>') }, unpacked, /damaged/],
    ['an archive without the model', { content: testArchive('good') }, { ...unpacked, files: ['x'] }, /not contain x/],
    ['a file larger than the disk', {}, { sizeBytes: 10 ** 16 }, /too full: this needs 10000 TB, [\d.]+ TB more/],
  ])('%s', async ([, file, changes, message], { expect }) => {
    const pack = serve(file, changes);
    await expect(pull(pack)).rejects.toThrow(message);
    expect(await leftovers(pack)).toBe(0);
  });

  it('a host that always closes the connection at the same position is given up', async ({ expect }) => {
    const pack = serve({ cutAfterBytes: 100_000, ignoresRanges: true });
    await expect(pull(pack)).rejects.toThrow('the connection was lost');
    expect(requestsFor(pack)).toHaveLength(3);
    expect(installedModelDir(modelsDir, pack.name)).toBe(null);
  });

  it('a stalled download is given up and resumed by the next pull', async ({ expect }) => {
    const pack = serve({ stallsAfterBytes: 100_000, ignoresRanges: true });
    await expect(pull(pack, { stallTimeoutMs: 200 })).rejects.toThrow('sent nothing for too long');
    host.files.set(`/${pack.name}.onnx`, { content });
    await pull(pack);
    expect(requestsFor(pack).at(-1)?.range).toMatch(/^bytes=[1-9]\d+-$/);
    expect((await installedFile(pack)).equals(content)).toBe(true);
  });

  it.for<[string, Partial<ServedFile>, string]>([
    ['sends a byte now and then', { pieceBytes: 1, pieceDelayMs: 20 }, 'sends too slowly'],
    ['closes the connection after every few bytes', { cutAfterBytes: 500 }, 'the connection was lost'],
    ['sends the rest of another file', { cutAfterBytes: 100_000, restOf: bytes(400_000, 8) }, 'not the pinned'],
    ['sends a part that was not asked for', { claims: [206, 'bytes 5-9/10'] }, 'refused the download (206)'],
    ['sends a part of a wrong length', { cutAfterBytes: 500, announcedBytes: 400_400 }, 'the connection was lost'],
    ['finds no part where none was asked for', { claims: [416, 'bytes */7'] }, 'refused the download (416)'],
  ])('a host that %s is given up', async ([, file, message], { expect }) => {
    const pack = serve(file);
    const stopped = AbortSignal.timeout(10_000);
    await expect(pull(pack, { stallTimeoutMs: 300, signal: stopped })).rejects.toThrow(message);
    expect(requestsFor(pack).length).toBeLessThan(10);
    expect(installedModelDir(modelsDir, pack.name)).toBe(null);
  });

  it('a redirect leads from https to https alone', ({ expect }) => {
    const from = 'https://models.example/a/model.onnx';
    expect(redirectedAddress(from, '/b')).toBe('https://models.example/b');
    expect(redirectedAddress('http://mirror.example/', 'http://10.0.0.1/b')).toBe('http://10.0.0.1/b');
    const refused = ['http://169.254.169.254/latest/meta-data', 'http://models.example/b', 'file:///etc/passwd', '//['];
    for (const location of refused) expect(() => redirectedAddress(from, location)).toThrow('without encryption');
  });

  it.for<[string, Partial<ServedFile>, RegExp, number]>([
    ['server errors are retried', { failsFirstWith: [500, 500, 500] }, /answered 500/, 2],
    ['a refusal is not retried', { failsFirstWith: [403] }, /refused the download \(403\)/, 1],
  ])('%s', async ([, file, message, times], { expect }) => {
    const pack = serve(file);
    await expect(pull(pack)).rejects.toThrow(message);
    expect(requestsFor(pack)).toHaveLength(times);
  });

  it('a deleted file and an unreachable host are errors', async ({ expect }) => {
    await expect(pull({ ...serve(), url: `${host.url}/gone.onnx` })).rejects.toThrow(/no longer has this file \(404\)/);
    await expect(pull({ ...serve(), url: 'http://127.0.0.1:1/model.onnx' })).rejects.toThrow(/cannot be reached/);
  });

  it('a file as MODELS_DIR is an error', async ({ expect }) => {
    const file = join(modelsDir, 'a-file');
    await writeFile(file, '');
    await expect(pull(serve(), { modelsDir: file })).rejects.toThrow('MODELS_DIR is not writable (ENOTDIR)');
  });

  it('a folder that was not pulled is not replaced', async ({ expect }) => {
    const pack = serve();
    await mkdir(join(modelsDir, pack.name));
    await writeFile(join(modelsDir, pack.name, 'mine.txt'), 'mine');
    await expect(pull(pack)).rejects.toThrow('was not pulled');
    expect(await readFile(join(modelsDir, pack.name, 'mine.txt'), 'utf8')).toBe('mine');
  });
});

describe.concurrent('digests', () => {
  const digest = sha256(content);

  it('are parsed from checksum lists in both orders', () => {
    const list = `${digest}  a.onnx\r\n${sha256(bytes(4))} *dir/b c.bz2\nd.tar.bz2\t${digest.toUpperCase()}\nbad line\n`;
    expect(findInChecksumList(list, 'a.onnx')).toBe(digest);
    expect(findInChecksumList(list, 'd.tar.bz2')).toBe(digest);
    expect(findInChecksumList(list, 'tar.bz2')).toBe(null);
  });

  it('a mismatch names both digests', async ({ expect }) => {
    const pinned = sha256(bytes(4));
    const pack = serve({}, { checksum: { kind: 'sha256', value: pinned } });
    await expect(pull(pack)).rejects.toThrow(`it has the SHA-256 ${digest}, not the pinned ${pinned}`);
  });

  it.for<[string, Buffer | null]>([
    ['empty', Buffer.from('')],
    ['without the file', Buffer.from(`${digest}  another.onnx\n`)],
    ['missing', null],
  ])('of the first download are used while the list is %s', async ([name, listed], { expect }) => {
    const path = `/checksums-${name.replaceAll(' ', '-')}.txt`;
    if (listed !== null) host.files.set(path, { content: listed });
    const pack = serve({}, { checksum: { kind: 'list', url: `${host.url}${path}` } });
    const { events, sha256: actualSha256 } = await pull(pack);
    expect(actualSha256).toBe(digest);
    expect(events.map(({ type }) => type)).toContain('unverified');

    const remove = () => removeModel(modelsDir, pack.name, { signal: AbortSignal.timeout(50_000), onWaiting() {} });
    await remove();
    host.files.set(`/${pack.name}.onnx`, { content: bytes(800, 5) });
    await expect(pull(pack)).rejects.toThrow('the publisher replaced this file since its first download');
    // The publisher's list takes precedence over the first download.
    host.files.set(path, { content: Buffer.from(`${pack.name}.onnx\t${sha256(bytes(800, 5))}\n`) });
    expect((await pull(pack)).sha256).toBe(sha256(bytes(800, 5)));
    await remove();
    host.files.set(`/${pack.name}.onnx`, { content: bytes(1_200, 6) });
    await expect(pull(pack)).rejects.toThrow(/not the .* of the publisher's list/);
  });

  it('of first downloads are used for later ones without a published digest', async ({ expect }) => {
    const file: ServedFile = { content };
    const pack = serve({}, unchecked);
    host.files.set(`/${pack.name}.onnx`, file);
    await pull(pack);
    const remove = () => removeModel(modelsDir, pack.name, { signal: AbortSignal.timeout(50_000), onWaiting() {} });
    await remove();
    file.content = bytes(800, 5);
    await expect(pull(pack)).rejects.toThrow('--accept-change');
    expect((await pull(pack, { acceptChange: true })).sha256).toBe(sha256(file.content));
    await remove();
    expect((await pull(pack)).sha256).toBe(sha256(file.content));
  });
});

it.each(['good', 'macos'] as const)('the archive %s is unpacked without its top folder', async (archive) => {
  const pack = serve({ content: testArchive(archive) }, unpacked);
  const { events } = await pull(pack);
  expect(await readFile(join(modelsDir, pack.name, 'data/tokens.txt'), 'utf8')).toBe('a 0\nb 1\n');
  expect(events.map(({ type }) => type)).toEqual(['downloading', 'unpacking']);
  expect((await readdir(join(modelsDir, pack.name), { recursive: true })).toSorted()).toEqual([
    'data',
    'data/tokens.txt',
    'installed.json',
    'model.onnx',
  ]);
});
