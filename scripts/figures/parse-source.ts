import { parseSync, Visitor } from 'rolldown/utils';

/** A comment, a name or a function with the line on which it begins, counted from 1. */
export type Located = { line: number };

/**
 * An import of another module. `names` is null where every name may be used (`import * as`).
 * `isType`: it is erased before the code runs.
 */
export type Import = { specifier: string; isType: boolean; names: readonly string[] | null };

/** The structure of one TypeScript file, as its syntax tree states it. */
export type SourceFacts = {
  /** Comments in order; consecutive comments of one line each are one comment. */
  comments: readonly (Located & { text: string })[];
  /** Variables, parameters and caught errors, destructured ones included. */
  bindings: readonly (Located & { name: string })[];
  functions: readonly (Located & { parameterCount: number })[];
  /** Static imports, re-exports, `import()` and `import('…')` in types. */
  imports: readonly Import[];
  /** Names that the file declares itself and exports; re-exports are imports. */
  exports: readonly (Located & { name: string; isType: boolean })[];
};

type Parsed = ReturnType<typeof parseSync>;
type Handlers = ConstructorParameters<typeof Visitor>[0];
type Handled<Kind extends keyof Handlers> = Parameters<NonNullable<Handlers[Kind]>>[0];
type Parameter = Handled<'ArrowFunctionExpression'>['params'][number];
type Pattern = Handled<'VariableDeclarator'>['id'] | Parameter;

/** Reads the structure of a TypeScript file; `path` tells `.tsx` from `.ts`. */
export function parseSource(path: string, text: string): SourceFacts {
  const parsed = parseSync(path, text);
  const lineOf = lineCounter(text);
  const { bindings, functions, typeImports } = declarationsOf(parsed, lineOf);
  return {
    comments: commentsOf(parsed, text, lineOf),
    bindings,
    functions,
    imports: [...importsOf(parsed, text), ...typeImports],
    exports: exportsOf(parsed, lineOf),
  };
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function commentsOf({ comments }: Parsed, text: string, lineOf: (offset: number) => number) {
  const merged: { line: number; text: string }[] = [];
  let previousEnd = -1;
  for (const { type, value, start, end } of comments) {
    const standsAlone = /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
    const continues = type === 'Line' && standsAlone && /^\n[ \t]*$/.test(text.slice(previousEnd, start));
    const words = value.replaceAll(/^[ \t]*\*+/gm, '').trim();
    const last = merged.at(-1);
    if (continues && last !== undefined) last.text += ` ${words}`;
    else merged.push({ line: lineOf(start), text: words });
    // Only a line without code before its comment can be continued by the next one.
    previousEnd = type === 'Line' && standsAlone ? end : text.length;
  }
  return merged;
}

function declarationsOf({ program }: Parsed, lineOf: (offset: number) => number) {
  const bindings: { name: string; line: number }[] = [];
  const functions: { line: number; parameterCount: number }[] = [];
  const typeImports: Import[] = [];
  const bind = (pattern: Pattern) => {
    for (const { name, start } of namesIn(pattern)) bindings.push({ name, line: lineOf(start) });
  };
  const enter = ({ params, start }: { params: readonly Parameter[]; start: number }) => {
    functions.push({ line: lineOf(start), parameterCount: params.length });
    params.forEach(bind);
  };
  new Visitor({
    VariableDeclarator: ({ id }) => bind(id),
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    CatchClause: ({ param }) => {
      if (param !== null) bind(param);
    },
    TSImportType: ({ source, qualifier }) => {
      const name = qualifier?.type === 'Identifier' ? qualifier.name : null;
      typeImports.push({ specifier: source.value, isType: true, names: name === null ? null : [name] });
    },
  }).visit(program);
  return { bindings, functions, typeImports };
}

function namesIn(pattern: Pattern): { name: string; start: number }[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return pattern.properties.flatMap((part) => namesIn(part.type === 'RestElement' ? part.argument : part.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : namesIn(element)));
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    default:
      return namesIn(pattern.parameter);
  }
}

function importsOf({ module }: Parsed, text: string): Import[] {
  const fixed = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isType: isErased(entries),
    names: namesOf(entries),
  }));
  const passedOn = module.staticExports.flatMap(({ entries }) => {
    const specifier = entries[0]?.moduleRequest?.value;
    return specifier === undefined ? [] : [{ specifier, isType: isErased(entries), names: namesOf(entries) }];
  });
  const dynamic = module.dynamicImports.flatMap(({ start, end, moduleRequest }) => {
    const specifier = /^'([^']+)'$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[1];
    return specifier === undefined ? [] : [{ specifier, isType: false, names: namesAround(text, start, end) }];
  });
  return [...fixed, ...passedOn, ...dynamic];
}

type Entry = { importName: { kind: string; name?: string | null }; isType: boolean };

/** Whether only types are imported; an import without names runs the module. */
function isErased(entries: readonly Entry[]): boolean {
  return entries.length > 0 && entries.every(({ isType }) => isType);
}

function namesOf(entries: readonly Entry[]): string[] | null {
  const isWhole = entries.some(({ importName: { kind } }) => kind !== 'Name' && kind !== 'Default');
  return isWhole ? null : entries.map(({ importName: { name } }) => name ?? 'default');
}

/** The names taken from `const { a, b: c } = await import('…')` or `(await import('…')).a`. */
function namesAround(text: string, start: number, end: number): string[] | null {
  const destructured = /\{([^{}]*)\}\s*=\s*await\s*$/.exec(text.slice(Math.max(0, start - 500), start))?.[1];
  if (destructured !== undefined) {
    return destructured.split(',').flatMap((part) => part.trim().match(/^\w+/) ?? []);
  }
  const member = /^\)\.(\w+)/.exec(text.slice(end, end + 100))?.[1];
  return member === undefined ? null : [member];
}

function exportsOf({ module }: Parsed, lineOf: (offset: number) => number) {
  return module.staticExports.flatMap(({ entries }) =>
    entries
      .filter(({ moduleRequest }) => moduleRequest === undefined || moduleRequest === null)
      .map(({ exportName, start, isType }) => ({ name: exportName.name ?? 'default', line: lineOf(start), isType })),
  );
}
