import type { ParsedSource } from './cached-facts.ts';
import { resolveSpecifier } from '../source-files.ts';
import type { Finding } from './wording.ts';

/** The files that each file imports, types and dynamic imports included; paths from the root. */
export type ModuleGraph = ReadonlyMap<string, readonly string[]>;

/** The graph of the imports between files; packages of others and data files are left out. */
export function buildGraph(files: readonly ParsedSource[]): ModuleGraph {
  const paths = new Set(files.map(({ path }) => path));
  return new Map(
    files.map(({ path, facts }) => {
      const targets = facts.imports.flatMap(({ specifier }) => resolveSpecifier(path, specifier) ?? []);
      return [path, [...new Set(targets)].filter((target) => paths.has(target))];
    }),
  );
}

/** Groups of files that import one another: strongly connected components (Tarjan 1972). */
export function findCycles(graph: ModuleGraph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string): void => {
    const order = index.size;
    index.set(path, order);
    low.set(path, order);
    stack.push(path);
    for (const next of graph.get(path) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(path, Math.min(low.get(path)!, low.get(next)!));
    }
    if (low.get(path) !== order) return;
    const component = stack.splice(stack.indexOf(path));
    if (component.length > 1) cycles.push(component.toReversed());
  };
  for (const path of graph.keys()) if (!index.has(path)) visit(path);
  return cycles;
}

/** Exports that a convention reads, not an import: tasks and engines are found by their folder. */
const READ_BY_CONVENTION: readonly { path: RegExp; name: RegExp }[] = [
  { path: /^packages\/engines\/[^/]+\/[^/]+\.ts$/, name: /^(?:engine|packages|variableGroups)$/ },
  { path: /^server\/workers\/tasks\//, name: /^/ },
  { path: /\.config\.ts$/, name: /^default$/ },
  { path: /^test\/support\/compile-workers\.ts$/, name: /^default$/ },
  // The client is published; examples are copied.
  { path: /^(?:packages\/client|examples)\//, name: /^/ },
];

/**
 * Exported names that no other file imports, but for types that describe another export. An import
 * of a whole module (`import * as`, a dynamic import without names) uses the names that its text
 * mentions.
 */
export function findUnusedExports(files: readonly ParsedSource[]): Finding[] {
  const used = new Set<string>();
  for (const { path, facts, text } of files) {
    for (const { specifier, names } of facts.imports) {
      const target = resolveSpecifier(path, specifier);
      if (target === null) continue;
      const words = names ?? text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
      for (const name of words) used.add(`${target} ${name}`);
    }
  }
  return files.flatMap(({ path, facts, text }) =>
    facts.exports
      .filter(({ name, isType }) => !used.has(`${path} ${name}`) && !(isType && isMentionedTwice(name, text)))
      .filter(({ name }) => !READ_BY_CONVENTION.some((rule) => rule.path.test(path) && rule.name.test(name)))
      .map(({ name, line }) => ({ path, line, text: name })),
  );
}

function isMentionedTwice(name: string, text: string): boolean {
  return text.split(new RegExp(`\\b${name}\\b`)).length > 2;
}
