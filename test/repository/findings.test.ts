import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/findings.md'), 'utf8');
const rows = page
  .slice(page.indexOf('## Findings'))
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

/** Text of a page as it is written in code: Markdown escapes some characters. */
const plain = (text: string) => text.replace(/\\([*_`|<>[\]])/g, '$1');

it('docs/findings.md has a test or a command for each finding', () => {
  expect(rows).toHaveLength(40);
  for (const [, finding, figures, shownBy] of rows) {
    expect([finding, figures, shownBy]).toEqual([
      expect.stringMatching(/./),
      expect.stringContaining('→'),
      expect.stringMatching(/^`/),
    ]);
  }
});

const references = rows.flatMap(([, , , shownBy = '']) => shownBy.split('<br>'));

it.each(references.filter((each) => !each.startsWith('`npm')))('%s exists', (reference) => {
  const [, path = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(reference) ?? [];
  expect([reference, existsSync(join(ROOT, path))]).toEqual([reference, true]);
  const code = readFileSync(join(ROOT, path), 'utf8').replaceAll("\\'", "'");
  expect(code).toContain(plain(name));
});

it.each(references.filter((each) => each.startsWith('`npm')))('%s is a command', (reference) => {
  const [, command = ''] = /^`npm run stress -- (\w+)`$/.exec(reference) ?? [];
  expect(readFileSync(join(ROOT, 'stress/main.ts'), 'utf8')).toMatch(new RegExp(`^ {2}${command}: \\{`, 'm'));
});
