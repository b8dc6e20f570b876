// `npm run advisories`: asks the registry about the locked packages; where it answers no such
// questions, compares them with the stored list. Exit status 1: a package has one that is not
// accepted with a reason.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import stored from './advisories.json' with { type: 'json' };
import { ROOT } from './source-files.ts';

type Advisory = { package: string; below: string | null; id: string; title: string; accepted?: string };

/** The advisories of the stored list that concern these packages. */
export function findAdvisories(
  installed: readonly { name: string; version: string }[],
  advisories: readonly Advisory[] = stored.advisories,
): (Advisory & { version: string })[] {
  return advisories.flatMap((advisory) =>
    installed
      .filter(({ name, version }) => name === advisory.package && isBelow(version, advisory.below))
      .map(({ version }) => ({ ...advisory, version })),
  );
}

/** The packages of package-lock.json. */
export function lockedPackages(): { name: string; version: string }[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; link?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, { version = '' }]) => ({ name: path.replace(/^.*node_modules\//, ''), version }));
}

const numbers = (version: string) => version.split('-', 1)[0]?.split('.').map(Number) ?? [];

/** With null every version is below. */
function isBelow(version: string, limit: string | null): boolean {
  if (limit === null) return true;
  const [a, b] = [numbers(version), numbers(limit)];
  const at = [0, 1, 2].find((index) => a[index] !== b[index]);
  return at !== undefined && (a[at] ?? 0) < (b[at] ?? 0);
}

type Via = string | { title: string; url: string };
type Audit = { vulnerabilities: Record<string, { range: string; severity: string; via: readonly Via[] }> };

/**
 * The lines of an audit in JSON; null when the registry gave none. What npm says of its failure
 * differs by its version, and `npm run --silent` hides it.
 */
export function linesOfAudit(json: string): string[] | null {
  let audit: Partial<Audit>;
  try {
    audit = JSON.parse(json) as Partial<Audit>;
  } catch {
    return null;
  }
  if (audit.vulnerabilities === undefined) return null;
  return Object.entries(audit.vulnerabilities).map(([name, { range, severity, via }]) => {
    const reasons = via.map((reason) =>
      typeof reason === 'string' ? `by ${reason}` : `${reason.title} ${reason.url}`,
    );
    return `${name} ${range}: ${severity}, ${reasons.join('; ')}`;
  });
}

if (import.meta.main) {
  const question = ['audit', '--json', '--package-lock-only', '--omit=dev'];
  const lines = linesOfAudit(spawnSync('npm', question, { cwd: ROOT, encoding: 'utf8' }).stdout);
  if (lines !== null) {
    console.log(lines.length === 0 ? 'The registry knows no advisories.' : lines.join('\n'));
    process.exit(lines.length === 0 ? 0 : 1);
  }
  console.log(
    `The registry answers no audits; compared with a list written by hand on ${stored.written}, which lacks newer ones.`,
  );
  const found = findAdvisories(lockedPackages());
  for (const { package: name, version, id, title, accepted } of found) {
    console.log(`${name} ${version}: ${id}, ${title}. ${accepted ?? 'Not accepted.'}`);
  }
  process.exit(found.every(({ accepted }) => accepted !== undefined) ? 0 : 1);
}
