import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/history/findings.md'), 'utf8');
/** A finding with its figures, and the lines below it that name what shows that it is mended. */
const findings = page
  .slice(page.indexOf('## Findings'))
  .split(/^- /m)
  .slice(1)
  .map((entry) => {
    const [summary = '', ...references] = entry.trimEnd().split('\n  - ');
    return { summary, references };
  });

/** Text of a page as it is written in code: Markdown escapes some characters. */
const plain = (text: string) => text.replace(/\\([*_`|<>[\]])/g, '$1');

it('docs/history/findings.md has a test or a command for each finding', () => {
  expect(findings).toHaveLength(40);
  for (const { summary, references } of findings) {
    expect(summary).toMatch(/^\*\*[^]+\*\*:\s[^]*→/);
    expect(references).not.toEqual([]);
    for (const reference of references) expect([summary, reference]).toEqual([summary, expect.stringMatching(/^`/)]);
  }
});

const references = findings.flatMap((finding) => finding.references);

it.each(references.filter((reference) => !reference.startsWith('`npm')))('%s exists', (reference) => {
  const [, path = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(reference) ?? [];
  expect([reference, existsSync(join(ROOT, path))]).toEqual([reference, true]);
  const code = readFileSync(join(ROOT, path), 'utf8').replaceAll("\\'", "'");
  expect(code).toContain(plain(name));
});

it.each(references.filter((reference) => reference.startsWith('`npm')))('%s is a command', (reference) => {
  const [, command = ''] = /^`npm run stress -- (\w+)`$/.exec(reference) ?? [];
  expect(readFileSync(join(ROOT, 'stress/main.ts'), 'utf8')).toContain(`\nadd(\n  '${command}',`);
});
