import { describe, expect, it } from 'vitest';
import { parseSource } from './parse-source.ts';

const bindingsOf = (text: string) => parseSource('a.ts', text).bindings.map(({ name, line }) => `${line} ${name}`);

describe('parseSource', () => {
  it('finds variables, parameters, destructured names and caught errors with their lines', () => {
    const text = `const a = 1;
let { b, c: { d }, ...e } = x;
for (const [f, , g = 2] of x) h((i) => i);
function j(k: number, { l }: T, ...m: T[]) { try {} catch (n) {} }
class O { constructor(private p: number) {} q(r: number) {} }`;
    expect(bindingsOf(text)).toEqual([
      '1 a',
      '2 b',
      '2 d',
      '2 e',
      '3 f',
      '3 g',
      '3 i',
      '4 k',
      '4 l',
      '4 m',
      '4 n',
      '5 p',
      '5 r',
    ]);
  });

  it('counts no property, type or member as a name', () => {
    expect(bindingsOf('type T = { each: number }; const a = { own: 1 }; a.own = 2; b(() => c.sent);')).toEqual(['1 a']);
  });

  it('counts the parameters of a function', () => {
    const { functions } = parseSource('a.ts', '\nfunction f(a, b, { c, d }, ...e) {}');
    expect(functions).toEqual([{ line: 2, parameterCount: 4 }]);
  });

  it('joins lines of comment that follow one another, and no others', () => {
    const text = `// One
// two.
const a = 1; // Three.
// Four.

// Five.
/** Six
 * seven. */
const b = '// none';`;
    expect(parseSource('a.ts', text).comments).toEqual([
      { line: 1, text: 'One two.' },
      { line: 3, text: 'Three.' },
      { line: 4, text: 'Four.' },
      { line: 6, text: 'Five.' },
      { line: 7, text: 'Six\n seven.' },
    ]);
  });

  it('reads comments and names of .tsx files', () => {
    const { bindings, comments } = parseSource('a.tsx', 'const A = ({ each }) => <p>{/* Note. */}{each}</p>;');
    expect(bindings.map(({ name }) => name)).toEqual(['A', 'each']);
    expect(comments).toEqual([{ line: 1, text: 'Note.' }]);
  });

  it('finds every kind of import', () => {
    const text = `import a, { b as c, type D } from './a.ts';
import type { E } from './b.ts';
import * as f from './c.ts';
export { g } from './d.ts';
export * from './e.ts';
import './f.ts';
const { h, i: j } = await import('./g.ts');
const k = await import('./h.ts');
const l = (await import('./i.ts')).m;
type N = import('./j.ts').O;
await import(\`./\${l}.ts\`);`;
    const found = parseSource('a.ts', text).imports.map(({ specifier, isType, names }) => [specifier, isType, names]);
    expect(found).toEqual([
      ['./a.ts', false, ['default', 'b', 'D']],
      ['./b.ts', true, ['E']],
      ['./c.ts', false, null],
      ['./f.ts', false, []],
      ['./d.ts', false, ['g']],
      ['./e.ts', false, null],
      ['./g.ts', false, ['h', 'i']],
      ['./h.ts', false, null],
      ['./i.ts', false, ['m']],
      ['./j.ts', true, ['O']],
    ]);
  });

  it('finds the exported names that a file declares, with their lines', () => {
    const text = `export const a = 1;
export type B = 1;
export { c } from './c.ts';
export default 1;`;
    expect(parseSource('a.ts', text).exports).toEqual([
      { line: 1, name: 'a', isType: false },
      { line: 2, name: 'B', isType: true },
      { line: 4, name: 'default', isType: false },
    ]);
  });
});
