import { describe, expect, it } from 'vitest';
import { buildGraph, findCycles, findUnusedExports } from './module-graph.ts';
import { parseSource } from './parse-source.ts';

const parse = (texts: Record<string, string>) =>
  Object.entries(texts).map(([path, text]) => ({ path, text, lines: 1, facts: parseSource(path, text) }));
const cyclesOf = (texts: Record<string, string>) => findCycles(buildGraph(parse(texts)));
const unusedOf = (texts: Record<string, string>) =>
  findUnusedExports(parse(texts)).map(({ path, line, text }) => `${path}:${line} ${text}`);

describe('findCycles', () => {
  it.each([
    ['static imports', `import { b } from './b.ts';`],
    ['dynamic imports', `const { b } = await import('./b.ts');`],
    ['imports of types', `import type { B } from './b.ts';`],
    ['types of modules', `type B = typeof import('./b.ts').b;`],
    ['re-exports', `export { b } from './b.ts';`],
  ])('counts %s', (_name, text) => {
    expect(cyclesOf({ 'cli/a.ts': text, 'cli/b.ts': `import { a } from './a.ts';` })).toEqual([
      ['cli/b.ts', 'cli/a.ts'],
    ]);
  });

  it('follows aliases into screens', () => {
    const cycles = cyclesOf({
      'console/registry.tsx': `const { Home } = await import('#console/screens/home.tsx');`,
      'console/screens/home.tsx': `import { screens } from '#console/registry.tsx';`,
    });
    expect(cycles).toHaveLength(1);
  });

  it('finds none where files share an import', () => {
    const imported = { 'cli/c.ts': '' };
    expect(
      cyclesOf({ 'cli/a.ts': `import './b.ts';import './c.ts';`, 'cli/b.ts': `import './c.ts';`, ...imported }),
    ).toEqual([]);
  });
});

describe('findUnusedExports', () => {
  it('finds an export that no other file imports, although another file has the same word', () => {
    expect(unusedOf({ 'cli/a.ts': 'export const a = 1;\nexport function b() {}', 'cli/b.ts': 'const a = 1;' })).toEqual(
      ['cli/a.ts:1 a', 'cli/a.ts:2 b'],
    );
  });

  it('accepts exports that are imported by name, as a whole or dynamically', () => {
    expect(
      unusedOf({
        'cli/a.ts': 'export const a = 1, b = 2, c = 3, d = 4;',
        'cli/b.ts': `import { a } from './a.ts'; import * as all from './a.ts'; const { c } = await import('./a.ts'); all.b;`,
        'cli/c.ts': `export { d } from './a.ts';`,
      }),
    ).toEqual([]);
  });

  it('accepts a type that describes another export of its file, and no other', () => {
    expect(unusedOf({ 'cli/a.ts': 'export type A = 1;\nexport type B = 1;', 'cli/b.ts': '' })).toEqual([
      'cli/a.ts:1 A',
      'cli/a.ts:2 B',
    ]);
    const text = `export type A = 1;\nexport function f(): A { return 1; }`;
    expect(unusedOf({ 'cli/a.ts': text, 'cli/b.ts': `import { f } from './a.ts';` })).toEqual([]);
  });

  it('accepts engines and tasks, which are found by their folder', () => {
    expect(
      unusedOf({
        'packages/engines/new/recognizer.ts': 'export const engine = 1;',
        'server/workers/tasks/new.ts': 'export const task = 1;',
      }),
    ).toEqual([]);
  });
});
