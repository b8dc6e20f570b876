// `npm run figures`: the structure of this repository in numbers, measured from the source files.
// `npm run figures -- --list comments|names [PATH]` lists what is counted, with its file and line.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseFiles } from './figures/cached-facts.ts';
import { listFindings, listNames } from './figures/lists.ts';
import { ADDITIONS, CHAINS } from './request-chains.ts';
import { importsOf, isTest, readSourceFiles, ROOT, type SourceFile } from './source-files.ts';

const MAX_CHAIN = { files: 8, lines: 1_100 };
const COMMENT_COLUMNS = 100;

const files = readSourceFiles();
/** Tools that make, measure and check the product are left out, and so are their own tests. */
const product = files.filter(({ path }) => /^(?:packages|server|cli|test)\//.test(path));
const sources = product.filter(({ path }) => !isTest(path));
const graph = new Map(files.map((file) => [file.path, importsOf(file)]));

const { values, positionals } = parseArgs({ options: { list: { type: 'string' } }, allowPositionals: true });
if (values.list === undefined) {
  printSizes();
  printQuality();
  printChains();
  printAdditions();
} else {
  printList(values.list, positionals[0] ?? null);
}

function printList(name: string, below: string | null): void {
  const found = listFindings(name, parseFiles(files), below);
  if (found === null) {
    console.error(`--list takes one of: ${listNames.join(', ')}`);
    process.exitCode = 1;
    return;
  }
  for (const line of found) console.log(line);
  console.log(`${found.length} found`);
}

function printSizes(): void {
  console.log('Size');
  for (const name of ['contracts', 'concurrency', 'system', 'text', 'audio', 'engines']) {
    printFolder(`packages/${name}`, new RegExp(`^packages/${name}/`));
  }
  for (const name of ['server', 'cli', 'eval', 'training', 'bench', 'stress', 'scripts', 'test'])
    printFolder(name, new RegExp(`^${name}/`));
  const lengths = sources.map(({ lines }) => lines).sort((a, b) => a - b);
  const at = (share: number) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))];
  console.log(`  product source files: ${sources.length}; lines: median ${at(0.5)}, 95 % ${at(0.95)}, max ${at(1)}`);
}

function printFolder(name: string, prefix: RegExp): void {
  const own = files.filter(({ path }) => prefix.test(path));
  const [code, tests] = [own.filter(({ path }) => !isTest(path)), own.filter(({ path }) => isTest(path))];
  console.log(
    `  ${name.padEnd(22)} ${String(code.length).padStart(5)} files ${String(total(code)).padStart(7)} lines` +
      `   ${String(tests.length).padStart(4)} test files ${String(total(tests)).padStart(6)} lines`,
  );
}

function printQuality(): void {
  const tests = product.filter(({ path }) => isTest(path));
  const ratio = total(tests) / total(sources);
  const cycles = findCycles();
  const bareErrors = count(sources, /throw new Error\(/g);
  const wideComments = files.flatMap(({ text }) =>
    text.split('\n').filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line) && line.length > COMMENT_COLUMNS),
  ).length;
  console.log('\nQuality');
  console.log(`  lines of tests and their helpers per product line: ${ratio.toFixed(2)} (goal >= 1.0)`);
  console.log(`    ${total(tests)} lines of tests in packages, server, cli and test`);
  console.log(`    ${total(sources)} lines of code in packages, server and cli, comments included`);
  console.log(`  import cycles: ${cycles.length}${cycles.map((cycle) => `\n    ${cycle.join(' -> ')}`).join('')}`);
  console.log(`  bare errors thrown: ${bareErrors}`);
  console.log(`  comment lines over ${COMMENT_COLUMNS} columns: ${wideComments}`);
  const unused = unusedExports();
  console.log(`  exports that nothing imports: ${unused.length}${unused.map((each) => `\n    ${each}`).join('')}`);
}

/** Strongly connected components of more than one file (Tarjan 1972). */
function findCycles(): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string): void => {
    const own = index.size;
    index.set(path, own);
    low.set(path, own);
    stack.push(path);
    for (const next of graph.get(path) ?? []) {
      if (!graph.has(next)) continue;
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(path, Math.min(low.get(path)!, low.get(next)!));
    }
    if (low.get(path) !== own) return;
    const component = stack.splice(stack.indexOf(path));
    if (component.length > 1) cycles.push(component);
  };
  for (const path of graph.keys()) if (!index.has(path)) visit(path);
  return cycles;
}

/**
 * Exported names of product files that occur in no other file. Engine folders are entered by name,
 * not by import.
 */
function unusedExports(): string[] {
  const words = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) {
      const known = words.get(word) ?? new Set<string>();
      known.add(path);
      words.set(word, known);
    }
  }
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(?:function\*?|const|class|type) (\w+)/gm)]
      .map((match) => match[1]!)
      .filter((name) => words.get(name)!.size === 1 && !['engine', 'packages', 'task'].includes(name))
      .map((name) => `${path}: ${name}`),
  );
}

function printChains(): void {
  const lines = new Map(files.map((file) => [file.path, file.lines]));
  const sumOf = (paths: readonly string[]) => paths.reduce((sum, path) => sum + (lines.get(path) ?? 0), 0);
  console.log(`\nFrom route to engine (goal: at most ${MAX_CHAIN.files} own files and ${MAX_CHAIN.lines} lines)`);
  for (const { request, own, shared } of CHAINS) {
    const isWithin = own.length <= MAX_CHAIN.files && sumOf(own) <= MAX_CHAIN.lines;
    const goal = isWithin ? '' : ' (over the goal)';
    console.log(`  ${request}: ${own.length} files, ${sumOf(own)} lines${goal}`);
    for (const path of own) console.log(`    ${String(lines.get(path) ?? 'missing').padStart(7)}  ${path}`);
    console.log(
      `    with shared infrastructure: ${own.length + shared.length} files, ${sumOf([...own, ...shared])} lines`,
    );
    for (const path of shared) console.log(`    ${String(lines.get(path) ?? 'missing').padStart(7)}  ${path}`);
  }
}

function printAdditions(): void {
  console.log('\nFiles touched by a typical addition (tests and reference pages apart)');
  for (const { addition, touched } of ADDITIONS) {
    console.log(`  ${addition}: ${touched.length}`);
    for (const path of touched) {
      const isMissing = !path.includes('<') && !existsSync(join(ROOT, path));
      console.log(`    ${path}${isMissing ? '  MISSING' : ''}`);
    }
  }
}

function total(those: readonly SourceFile[]): number {
  return those.reduce((sum, { lines }) => sum + lines, 0);
}

function count(those: readonly SourceFile[], pattern: RegExp): number {
  return those.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);
}
