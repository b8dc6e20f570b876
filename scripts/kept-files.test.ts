import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bringKeptFile, readKeptFiles, type KeptFiles } from './kept-files.ts';

const PATH = 'training/weights.pt';
const CONTENT = Buffer.from([0, 255, 10, 13, 128]);

let folder: string;
let origin: string;
let kept: KeptFiles;

const git = async (cwd: string, ...args: string[]) => {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];
  const { stdout } = await promisify(execFile)('git', [...identity, ...args], { cwd });
  return stdout.trim();
};

/** Clones the repository, whose last commit no longer has the file. */
async function clone(name: string, ...options: string[]): Promise<string> {
  await git(folder, 'clone', '--quiet', ...options, `file://${origin}`, name);
  return join(folder, name);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-files-'));
  origin = join(folder, 'origin');
  await mkdir(join(origin, 'training'), { recursive: true });
  await git(origin, 'init', '--quiet');
  await writeFile(join(origin, PATH), CONTENT);
  await git(origin, 'add', '.');
  await git(origin, 'commit', '--quiet', '-m', 'add weights');
  const sha256 = createHash('sha256').update(CONTENT).digest('hex');
  const blob = await git(origin, 'rev-parse', `HEAD:${PATH}`);
  kept = {
    commit: await git(origin, 'rev-parse', 'HEAD'),
    files: [{ path: PATH, sizeBytes: CONTENT.length, sha256, blob }],
  };
  await git(origin, 'rm', '--quiet', PATH);
  await git(origin, 'commit', '--quiet', '-m', 'remove weights');
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['a complete clone', []],
  ['a shallow clone', ['--depth=1']],
])('%s brings a file of the history', async (name, options) => {
  const root = await clone(name.replaceAll(' ', '-'), ...options);
  expect(await bringKeptFile(PATH, { root, kept })).toBe(join(root, PATH));
  expect(await readFile(join(root, PATH))).toEqual(CONTENT);
  expect(await git(root, 'rev-list', '--count', 'HEAD')).toBe(options.length === 0 ? '2' : '1');
});

test('a file with another digest is replaced', async () => {
  const root = await clone('changed');
  await mkdir(join(root, 'training'));
  await writeFile(join(root, PATH), 'half of it');
  await bringKeptFile(PATH, { root, kept });
  expect(await readFile(join(root, PATH))).toEqual(CONTENT);
});

test('a file that is there needs neither git nor a network', async () => {
  const root = join(folder, 'no-clone');
  await mkdir(join(root, 'training'), { recursive: true });
  await writeFile(join(root, PATH), CONTENT);
  expect(await bringKeptFile(PATH, { root, kept })).toBe(join(root, PATH));
});

test('without the history the message names the commit and what to do', async () => {
  const root = await clone('no-remote', '--depth=1');
  await git(root, 'remote', 'remove', 'origin');
  await expect(bringKeptFile(PATH, { root, kept })).rejects.toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringMatching(new RegExp(`unpack the source archive of commit ${kept.commit} and copy ${PATH}`)),
  });
});

test('an object with another digest is refused, and nothing is written', async () => {
  const root = await clone('wrong-digest');
  const files = kept.files.map((file) => ({ ...file, sha256: '0'.repeat(64) }));
  await expect(bringKeptFile(PATH, { root, kept: { ...kept, files } })).rejects.toThrow('The history has another');
  await expect(readFile(join(root, PATH))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a path that is not listed is refused with the listed ones', async () => {
  await expect(bringKeptFile('README.md')).rejects.toThrow(
    /does not list "README.md"\. It lists: .*weights-0\.4\.0-cantonese\.pt/,
  );
});

test('every listed path is ignored by git, and none is tracked', async () => {
  const { files } = await readKeptFiles();
  const paths = files.map(({ path }) => path);
  const root = join(import.meta.dirname, '..');
  expect((await git(root, 'check-ignore', ...paths)).split('\n')).toEqual(paths);
  expect(await git(root, 'ls-files', ...paths)).toBe('');
});
