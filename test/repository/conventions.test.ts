import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportsOf, importsOf, isTest, readSourceFiles, ROOT } from '../../scripts/source-files.ts';

const files = readSourceFiles();
const product = files.filter(({ path }) => /^(?:packages|server|cli|console)\//.test(path) && !isTest(path));

/** Every line of the given files that matches, as `path:line text`. */
function linesMatching(pattern: RegExp, sources: readonly { path: string; text: string }[]): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  );
}

describe('source files', () => {
  it('read no variable before an await and write it after: parallel calls would lose updates', () => {
    // `sum += await f()` reads `sum` before it waits. The linter has no rule for it.
    const otherFiles = files.filter(({ path }) => path !== 'test/repository/conventions.test.ts');
    expect(linesMatching(/^(?!\s*(?:\/\/|\*)).*[\w\]] ?[+\-*|&]= \(?await /, otherFiles)).toEqual([]);
  });

  it('throw errors of the catalogue only', () => {
    expect(linesMatching(/throw new Error\(/, product)).toEqual([]);
  });

  it('have comments of at most 100 columns, but for tables and commands', () => {
    const isTableOrCommand = /^\s*(?:\/\/|\*) (?: {2}|\|)/;
    const wide = files.map(({ path, text }) => ({
      path,
      text: text.replaceAll(/^.*$/gm, (line) => (isTableOrCommand.test(line) ? '' : line)),
    }));
    expect(linesMatching(/^(?=\s*(?:\/\/|\/?\*)).{101,}$/, wide)).toEqual([]);
  });

  it('name who acts in their comments, not "nobody" or "whoever"', () => {
    // As words of test data they are legitimate, in comments they hide who acts.
    const otherFiles = files.filter(({ path }) => !path.startsWith('test/repository/'));
    expect(linesMatching(/^\s*(?:\/\/|\/?\*).*\b(?:[Nn]obody|[Ww]hoever)\b/, otherFiles)).toEqual([]);
  });
});

function isWithinPackage(from: string, to: string): boolean {
  return folderOf(from) === folderOf(to);
}

function folderOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

describe('packages', () => {
  const names = ['contracts', 'concurrency', 'numeric', 'system', 'text', 'audio', 'engines', 'client'];
  const imported = new Set(
    files.flatMap((file) => importsOf(file).filter((path) => !isWithinPackage(file.path, path))),
  );

  it.each(names)('%s has a README', (name) => {
    expect(existsSync(join(ROOT, 'packages', name, 'README.md'))).toBe(true);
  });

  // The client is published: others import it.
  it.each(names.filter((name) => name !== 'client' && exportsOf(name)['./*'] === undefined))(
    '%s exports only what others import',
    (name) => {
      const unused = Object.values(exportsOf(name)).filter((file) => !imported.has(join('packages', name, file)));
      expect(unused).toEqual([]);
    },
  );
});

describe('the repository', () => {
  it('has no tracked file of more than a megabyte outside models/ and voices/', () => {
    // Larger ones that only trainings and evaluations read are kept by training/kept-files.json.
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean);
    const large = tracked.filter((path) => !/^(?:models|voices)\//.test(path) && sizeBytesOf(path) > 1_000_000);
    expect(large).toEqual([]);
  });

  it('has a lock file without download addresses', () => {
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toContain('"resolved": "http');
  });

  it('has no broken link, and none to a missing heading, in its Markdown files', () => {
    const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    const headings = new Map(pages.map((page) => [page, headingsOf(proseOf(page))]));
    const broken = pages.flatMap((page) =>
      [...proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, path = '', heading]) => {
          const target = path === '' ? page : join(dirname(page), path);
          if (!existsSync(join(ROOT, target))) return true;
          return heading !== undefined && headings.get(target)?.has(heading) === false;
        })
        .map(([link]) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});

/** Zero for a file that was deleted and is still tracked. */
function sizeBytesOf(path: string): number {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.size ?? 0;
}

/** A Markdown page without its blocks of code. */
function proseOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
}

/** The anchors that GitHub gives to the headings of a page. */
function headingsOf(text: string): Set<string> {
  const titles = [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map((match) => match[1] ?? '');
  return new Set(
    titles.map((title) =>
      title
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
