import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkCommits, messageFaults } from './check-commits.ts';

describe('messageFaults', () => {
  it.each([
    { subject: 'text: move dictionaries into readings/', body: '', fileCount: 3 },
    { subject: 'server/queue: retry after an outage', body: 'A job was lost.', fileCount: 4 },
    { subject: 'engines: load SAPI voices', body: '', fileCount: 1 },
    { subject: `docs: ${'x'.repeat(66)}`, body: '', fileCount: 1 },
    { subject: `docs: ${'x'.repeat(66)} (#12)`, body: '', fileCount: 1 },
    { subject: 'Revert "engines: load SAPI voices"', body: 'This reverts commit 0123456.', fileCount: 9 },
  ])('accepts $subject', (commit) => {
    expect(messageFaults(commit)).toEqual([]);
  });

  it.each([
    ['Move dictionaries into readings/', 1, 'is not `area: verb object`'],
    ['text:', 1, 'is not `area: verb object`'],
    ['text: Move dictionaries', 1, 'is written as a sentence'],
    ['text: move dictionaries.', 1, 'is written as a sentence'],
    [`docs: ${'x'.repeat(67)}`, 1, 'has over 72 characters'],
    ['text: move dictionaries', 4, 'changes 4 files without a body that says why'],
  ])('refuses %s of %i files', (subject, fileCount, fault) => {
    expect(messageFaults({ subject, body: ' \n', fileCount })).toEqual([fault]);
  });
});

function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgSign=false'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function commit(folder: string, message: string, files: readonly string[] = ['a']): string {
  for (const file of files) writeFileSync(join(folder, file), message);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', message);
  return git(folder, 'rev-parse', 'HEAD');
}

describe('checkCommits', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  function makeFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'jyutsing-commits-'));
    folders.push(folder);
    return folder;
  }

  function makeRepository(): { folder: string; base: string } {
    const folder = makeFolder();
    git(folder, 'init', '--quiet', '--initial-branch=main');
    return { folder, base: commit(folder, 'Begin') };
  }

  it('names the commits after the base that break the rule', () => {
    const { folder, base } = makeRepository();
    commit(folder, 'text: add a dictionary');
    const wrong = commit(folder, 'Add a dictionary', ['b']);
    const bare = commit(folder, 'text: add four dictionaries', ['c', 'd', 'e', 'f']);
    expect(checkCommits(folder, base)).toEqual([
      `${bare.slice(0, 8)} text: add four dictionaries: changes 4 files without a body that says why`,
      `${wrong.slice(0, 8)} Add a dictionary: is not \`area: verb object\``,
    ]);
  });

  it('leaves merges out', () => {
    const { folder, base } = makeRepository();
    git(folder, 'checkout', '--quiet', '-b', 'side');
    commit(folder, 'text: add a dictionary', ['b']);
    git(folder, 'checkout', '--quiet', 'main');
    commit(folder, 'docs: add a page', ['c']);
    git(folder, 'merge', '--quiet', '--no-edit', 'side');
    expect(git(folder, 'log', '-1', '--format=%s')).toMatch(/^Merge/);
    expect(checkCommits(folder, base)).toEqual([]);
  });

  it('checks nothing in a shallow clone that ends after the base, nor in an unrelated history', () => {
    const { folder, base } = makeRepository();
    commit(folder, 'Add a dictionary');
    const clone = makeFolder();
    git(clone, 'clone', '--quiet', '--depth=1', `file://${folder}`, '.');
    expect(checkCommits(clone, base)).toBeNull();
    const unrelated = makeFolder();
    git(unrelated, 'init', '--quiet');
    commit(unrelated, 'Begin elsewhere');
    expect(checkCommits(unrelated, base)).toBeNull();
  });
});
