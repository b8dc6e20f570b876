import { describe, expect, it } from 'vitest';
import { countWords, currentPages, findReadmeFaults, findWideRows } from './documents.ts';

const lines = (count: number) => Array.from({ length: count }, () => 'x').join('\n');

describe('currentPages', () => {
  it('are those of docs/ without the history', () => {
    const pages = ['docs/a.md', 'docs/b/c.md', 'docs/history/d.md', 'README.md'].map((path) => ({ path, text: '' }));
    expect(currentPages(pages).map(({ path }) => path)).toEqual(['docs/a.md', 'docs/b/c.md']);
  });
});

describe('countWords', () => {
  it('counts what stands between white space, over all pages', () => {
    const texts = ['# One two\n\nthree  four', '| five |\n'];
    expect(countWords(texts.map((text) => ({ path: 'docs/a.md', text })))).toBe(8);
  });
});

describe('findWideRows', () => {
  it('finds rows of tables over 160 columns, and no other lines', () => {
    const wide = 'x'.repeat(160);
    const text = `| narrow |\n|${wide}|\n${wide}x\n|${'字'.repeat(158)}|`;
    expect(findWideRows([{ path: 'docs/a.md', text }])).toEqual([{ path: 'docs/a.md', line: 2, text: '162 columns' }]);
  });
});

describe('findReadmeFaults', () => {
  it('finds top folders without a README or with one of more than 40 lines', () => {
    const pages = [
      { path: 'long/README.md', text: lines(41) },
      { path: 'short/README.md', text: `${lines(40)}\n` },
    ];
    const paths = ['long/a.ts', 'short/b.ts', 'bare/c/README.md', '.ci/run', 'README.md'];
    expect(findReadmeFaults(paths, pages).map(({ path, text }) => `${path} ${text}`)).toEqual([
      'bare no README.md',
      'long/README.md 41 lines',
    ]);
  });
});
