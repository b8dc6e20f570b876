import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packages as nanoPackages } from '#packages/engines/canto-tts-nano/packages.ts';
import { packages as sherpaPackages } from '#packages/engines/sherpa-onnx/packages.ts';

const packages = [...sherpaPackages, ...nanoPackages];
const page = await readFile(join(import.meta.dirname, '../../docs/compatibility.md'), 'utf8');
const [comparisons = ''] = page.split('\n## Programs\n');
const entries = comparisons.split('\n').filter((line) => line.startsWith('- '));

it.each(packages.map((pack) => [pack.name, pack] as const))(
  '%s is listed with the source of its digest',
  (name, { checksum, files }) => {
    const comparison = entries.find((line) => line.startsWith(`- \`${name}\` (`)) ?? '';
    const pins = {
      files: `${checksum?.kind === 'files' ? Object.keys(checksum.values).length : 0} of ${files.length} files pinned`,
      sha256: '✓|pinned',
      list: 'list',
    };
    expect(comparison).toMatch(new RegExp(`\` \\((?:${pins[checksum?.kind ?? 'list']})\\): `));
  },
);

it('every comparison has a source and a date, and none is of a package that is gone', () => {
  for (const line of entries) expect(line).toMatch(/ Source: (?:the same|.+: `.+), \d{4}-\d{2}-\d{2}$/);
  const named = entries.flatMap((line) => /^- `([a-z0-9.-]+)`[ :]/.exec(line)?.[1] ?? []);
  expect(named.filter((name) => packages.every((pack) => pack.name !== name))).toEqual([]);
});
