import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSourceFiles, ROOT } from '../source-files.ts';
import { parseFiles, type ParsedSource } from './cached-facts.ts';

/** A Markdown page; `path` is relative to the root. */
export type Page = { path: string; text: string };

/** The files that every figure is counted from. */
export type Repository = {
  sources: readonly ParsedSource[];
  pages: readonly Page[];
  /** The files of a checkout, new ones that git does not ignore included. */
  files: readonly { path: string; sizeBytes: number }[];
};

export function readRepository(): Repository {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  // A deleted file stays listed until the deletion is staged.
  const paths = [...new Set(listed.split('\0'))].filter((path) => path !== '' && existsSync(join(ROOT, path)));
  return {
    sources: parseFiles(readSourceFiles()),
    pages: paths
      .filter((path) => path.endsWith('.md'))
      .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
    files: paths.map((path) => ({ path, sizeBytes: statSync(join(ROOT, path)).size })),
  };
}
