// `node scripts/run.js scripts/check-commits.ts`: the messages of the commits since the rule for
// them (CONTRIBUTING.md), run by .ci/run.
import { execFileSync } from 'node:child_process';
import { ROOT } from './source-files.ts';

/** The last commit before the rule. */
const BASE = '1cc034b8c871ea9941026a3d2140eaaa6ee17bd4';
const MAX_SUBJECT_CHARACTERS = 72;
/** Commits of more files need a body that says why. */
const MAX_FILES_WITHOUT_BODY = 3;

type Commit = { subject: string; body: string; fileCount: number };

/** Describes how the message of a commit breaks the rule; empty when it follows it. */
export function messageFaults({ subject: wholeSubject, body, fileCount }: Commit): string[] {
  // Git writes the subjects of reverts, and hosts add the number of a pull request.
  if (wholeSubject.startsWith('Revert "')) return [];
  const subject = wholeSubject.replace(/ \(#\d+\)$/, '');
  const faults: string[] = [];
  if (!/^[a-z][a-z0-9 ,./-]*: \S/.test(subject)) faults.push('is not `area: verb object`');
  if (/^[^:]*: [A-Z][a-z]/.test(subject) || subject.endsWith('.')) faults.push('is written as a sentence');
  if ([...subject].length > MAX_SUBJECT_CHARACTERS) faults.push(`has over ${MAX_SUBJECT_CHARACTERS} characters`);
  if (fileCount > MAX_FILES_WITHOUT_BODY && body.trim() === '') {
    faults.push(`changes ${fileCount} files without a body that says why`);
  }
  return faults;
}

/**
 * The faults of the commits after `base` in a repository, merges apart. Null: the history does not
 * reach back to `base`, as in a shallow clone, or has nothing in common with it.
 */
export function checkCommits(folder: string, base: string): string[] | null {
  if (!hasAncestor(folder, base)) return null;
  const hashes = git(folder, 'rev-list', '--no-merges', `${base}..HEAD`).split('\n').filter(Boolean);
  return hashes.flatMap((hash) => {
    const [subject = '', ...body] = git(folder, 'show', '--no-patch', '--format=%s%n%b', hash).split('\n');
    const files = git(folder, 'show', '--format=', '--name-only', '--no-renames', hash).split('\n').filter(Boolean);
    const faults = messageFaults({ subject, body: body.join('\n'), fileCount: files.length });
    return faults.map((fault) => `${hash.slice(0, 8)} ${subject}: ${fault}`);
  });
}

function hasAncestor(folder: string, base: string): boolean {
  try {
    git(folder, 'merge-base', '--is-ancestor', base, 'HEAD');
    return true;
  } catch {
    return false;
  }
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 ** 2,
  });
}

if (import.meta.main) {
  const faults = checkCommits(ROOT, BASE);
  if (faults === null)
    console.log(`The messages of commits were not checked: ${BASE.slice(0, 8)} is not in this history.`);
  for (const fault of faults ?? []) console.log(fault);
  process.exitCode = (faults ?? []).length === 0 ? 0 : 1;
}
