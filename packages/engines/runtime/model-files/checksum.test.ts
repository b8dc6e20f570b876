import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { expectedDigest, expectedDigests, findInChecksumList, rememberDigests } from './checksum.ts';
import { formatBytes } from './format-bytes.ts';
import { mirroredUrl } from './request.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

describe('a checksum list', () => {
  test.each([
    [`${A}  model.tar.gz\n${B}  other.tar.gz`, A],
    [`${B}  other.tar.gz\n${A}  model.tar.gz`, A],
    [`${A} *model.tar.gz`, A],
    [`model.tar.gz ${A}`, A],
    [`${A.toUpperCase()}  model.tar.gz`, A],
    [`${A}  ./folder/model.tar.gz`, A],
    [`# comment\r\n${A}\tmodel.tar.gz\r\n`, A],
    [`SHA256 (x) = ${B}\n${A}  model.tar.gz`, A],
  ])('%j has the digest', (list, digest) => {
    expect(findInChecksumList(list, 'model.tar.gz')).toBe(digest);
  });

  test.each([
    '',
    `${A}  model.tar.gz.old`,
    `${A}  my-model.tar.gz`,
    `${'a'.repeat(63)}  model.tar.gz`,
    `${'g'.repeat(64)}  model.tar.gz`,
    'model.tar.gz',
    `${A}\nmodel.tar.gz`,
  ])('%j has none', (list) => {
    expect(findInChecksumList(list, 'model.tar.gz')).toBeNull();
  });

  test('of a hundred thousand lines is searched', () => {
    const list = `${`${B}  other\n`.repeat(100_000)}${A}  model.tar.gz`;
    expect(findInChecksumList(list, 'model.tar.gz')).toBe(A);
  });
});

const pack = (checksum: ModelPackage['checksum'], url = 'https://example.com/model.tar.gz') =>
  ({ url, checksum }) as ModelPackage;

describe('the expected digest', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'checksum-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const options = {
    signal: new AbortController().signal,
    stallTimeoutMs: 1_000,
    retries: 0,
    onRetry: () => undefined,
    baseUrl: null,
  };
  const fileIn = (name = 'digest.json') => join(folder, '.digests', name);

  test('is that of the catalogue, in lower case', async () => {
    const digest = await expectedDigest(pack({ kind: 'sha256', value: A.toUpperCase() }), fileIn(), options);
    expect(digest).toEqual({ sha256: A, statedBy: 'catalogue' });
  });

  test('is that of the first download of the same address', async () => {
    await rememberDigests(fileIn(), { url: 'https://example.com/model.tar.gz', sha256: B });
    expect(await expectedDigest(pack(null), fileIn(), options)).toEqual({ sha256: B, statedBy: 'first-download' });
    expect(await expectedDigest(pack(null, 'https://example.com/model-2.tar.gz'), fileIn(), options)).toBeNull();
  });

  test('is unknown before the first download, and after its note was damaged', async () => {
    expect(await expectedDigest(pack(null), fileIn(), options)).toBeNull();
    await rememberDigests(fileIn(), { url: 'https://example.com/model.tar.gz', sha256: B });
    await writeFile(fileIn(), '{"url":');
    expect(await expectedDigest(pack(null), fileIn(), options)).toBeNull();
  });

  test('of each file of a folder is that of the catalogue, else of the first download', async () => {
    const url = 'https://example.com/revision/';
    const folderPack = pack({ kind: 'files', values: { 'a/pinned.onnx': A.toUpperCase() } }, url);
    expect(await expectedDigests(folderPack, fileIn())).toEqual(
      new Map([['a/pinned.onnx', { sha256: A, statedBy: 'catalogue' }]]),
    );
    await rememberDigests(fileIn(), { url, sha256: A, files: { 'a/pinned.onnx': B, 'a/other.data': B } });
    expect(await expectedDigests(folderPack, fileIn())).toEqual(
      new Map([
        ['a/pinned.onnx', { sha256: A, statedBy: 'catalogue' }],
        ['a/other.data', { sha256: B, statedBy: 'first-download' }],
      ]),
    );
    expect(await expectedDigests(pack(null, 'https://example.com/revision-2/'), fileIn())).toEqual(new Map());
  });

  test('is replaced by a later one', async () => {
    await rememberDigests(fileIn(), { url: 'https://example.com/1', sha256: A });
    await rememberDigests(fileIn(), { url: 'https://example.com/2', sha256: B });
    expect(JSON.parse(await readFile(fileIn(), 'utf8'))).toEqual({ url: 'https://example.com/2', sha256: B });
  });
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [9_940, '9.9 kB'],
  [128_000_000, '128 MB'],
  [999_499_999, '999 MB'],
  [999_500_000, '1.0 GB'],
  [1_600_000_000, '1.6 GB'],
  [25e12, '25 TB'],
  [25e15, '25000 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  ['https://github.com/a/b.tar.gz', null, 'https://github.com/a/b.tar.gz'],
  ['https://github.com/a/b.tar.gz', 'https://mirror.hk', 'https://mirror.hk/a/b.tar.gz'],
  ['https://github.com/a/b.tar.gz', 'https://mirror.hk/gh///', 'https://mirror.hk/gh/a/b.tar.gz'],
  ['https://huggingface.co/a', 'https://mirror.hk', 'https://huggingface.co/a'],
  ['http://github.com/a', 'https://mirror.hk', 'http://github.com/a'],
  ['https://github.com.evil.example/a', 'https://mirror.hk', 'https://github.com.evil.example/a'],
])('%s with the mirror %s is %s', (url, mirror, expected) => {
  expect(mirroredUrl(url, mirror)).toBe(expected);
});
