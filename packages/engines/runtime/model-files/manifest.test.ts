import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findMissingFiles, installedNames, readManifest, verifyModel, writeManifest } from './manifest.ts';
import { installedModelDir, MANIFEST_FILE } from './installed.ts';

let modelsDir = '';
beforeEach(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'manifest-test-'));
});
afterEach(() => rm(modelsDir, { recursive: true, force: true }));

const FILES: Readonly<Record<string, string>> = { 'model.onnx': 'weights', 'lang/words.txt': '香港\n', empty: '' };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const never = new AbortController().signal;
const manifestOf = (files = FILES) => ({
  format: 1 as const,
  name: 'small',
  url: 'https://example.com/small.tar.gz',
  sha256: sha256('archive'),
  installedAt: '2026-01-01T00:00:00.000Z',
  files: Object.entries(files).map(([path, text]) => ({
    path,
    sizeBytes: Buffer.byteLength(text),
    sha256: sha256(text),
  })),
});

/** Installs the package and returns the path of one of its files. */
async function install(name = 'small'): Promise<(path: string) => string> {
  const folder = join(modelsDir, name);
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await writeManifest(folder, manifestOf());
  return (path) => join(folder, path);
}

describe('an installed package', () => {
  test('is intact', async () => {
    await install();
    expect(await verifyModel(modelsDir, 'small', never)).toEqual([]);
  });

  test('lacks a file', async () => {
    const pathOf = await install();
    await rm(pathOf('lang/words.txt'));
    expect(await verifyModel(modelsDir, 'small', never)).toEqual([{ path: 'lang/words.txt', problem: 'missing' }]);
  });

  test('has a folder in place of a file', async () => {
    const pathOf = await install();
    await rm(pathOf('model.onnx'));
    await mkdir(pathOf('model.onnx'));
    expect(await verifyModel(modelsDir, 'small', never)).toEqual([{ path: 'model.onnx', problem: 'missing' }]);
  });

  test('has a file of another size', async () => {
    const pathOf = await install();
    await truncate(pathOf('model.onnx'), 3);
    await writeFile(pathOf('empty'), 'x');
    expect(await verifyModel(modelsDir, 'small', never)).toEqual([
      { path: 'model.onnx', problem: 'damaged' },
      { path: 'empty', problem: 'damaged' },
    ]);
  });

  test('has a file of the same size with one other bit', async () => {
    const pathOf = await install();
    await writeFile(pathOf('model.onnx'), 'weightr');
    expect(await verifyModel(modelsDir, 'small', never)).toEqual([{ path: 'model.onnx', problem: 'damaged' }]);
  });

  test('may have other files', async () => {
    const pathOf = await install();
    await writeFile(pathOf('notes.txt'), 'mine');
    expect(await verifyModel(modelsDir, 'small', never)).toEqual([]);
  });

  test('with a damaged manifest is damaged as a whole', async () => {
    const pathOf = await install();
    await writeFile(pathOf(MANIFEST_FILE), '{"format": 1');
    expect(await verifyModel(modelsDir, 'small', never)).toEqual([{ path: MANIFEST_FILE, problem: 'damaged' }]);
  });

  test('is not verified to its end after an abort', async () => {
    await install();
    await expect(verifyModel(modelsDir, 'small', AbortSignal.abort())).rejects.toThrow(/abort/i);
  });

  test('that is not there is not found', async () => {
    await expect(verifyModel(modelsDir, 'other', never)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a manifest', () => {
  test('is read as it was written', async () => {
    await install();
    expect(await readManifest(join(modelsDir, 'small'))).toEqual(manifestOf());
  });

  test.each([
    '',
    'null',
    '[]',
    '{}',
    JSON.stringify({ ...manifestOf(), format: 2 }),
    JSON.stringify({ ...manifestOf(), files: [{ path: 'a' }] }),
  ])('that holds %j is none', async (text) => {
    await writeFile(join(modelsDir, MANIFEST_FILE), text);
    expect(await readManifest(modelsDir)).toBeNull();
  });

  test('that is missing is none', async () => {
    expect(await readManifest(join(modelsDir, 'nowhere'))).toBeNull();
  });

  test('tells sizes without reading contents', async () => {
    const pathOf = await install();
    await writeFile(pathOf('model.onnx'), 'weightr');
    expect(await findMissingFiles(join(modelsDir, 'small'), manifestOf())).toEqual([]);
  });
});

describe('installed packages', () => {
  test('are listed in order, without leftovers', async () => {
    await install('small');
    await install('large-2.0');
    await mkdir(join(modelsDir, 'half'));
    await install('.staging');
    expect(installedNames(modelsDir)).toEqual(['large-2.0', 'small']);
  });

  test('are none where no folder is', () => {
    expect(installedNames(join(modelsDir, 'nowhere'))).toEqual([]);
  });

  test.each(['..', '.', '', '../small', 'a/b', 'a\\b', 'A', 'a b', '-a', 'a..b', 'a-', '小'])(
    'are not found by the name %j',
    async (name) => {
      await install();
      await writeManifest(modelsDir, manifestOf());
      expect(installedModelDir(modelsDir, name)).toBeNull();
    },
  );
});
