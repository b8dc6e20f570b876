import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isTest, ROOT, type SourceFile } from '../source-files.ts';
import { ADDITIONS } from './additions.ts';
import { REQUEST_FLOWS } from './chain-table.ts';
import { GOALS, measureGoal } from './goals.ts';
import type { Repository } from './repository.ts';
import { findChains } from './request-chains.ts';

const FOLDERS = ['server', 'cli', 'console', 'eval', 'training', 'bench', 'stress', 'scripts', 'test', 'testbed'];

/** Prints every figure of the repository. */
export function printFigures(repository: Repository): void {
  printSizes(repository);
  printGoals(repository);
  printChains(repository);
  printAdditions();
}

function printSizes({ sources, files }: Repository): void {
  console.log('Size');
  const packages = sources.flatMap(({ path }) => /^packages\/[^/]+/.exec(path)?.[0] ?? []);
  for (const folder of [...new Set(packages), ...FOLDERS]) {
    const inside = sources.filter(({ path }) => path.startsWith(`${folder}/`));
    const [code, tests] = [inside.filter(({ path }) => !isTest(path)), inside.filter(({ path }) => isTest(path))];
    console.log(
      `  ${folder.padEnd(22)} ${String(code.length).padStart(5)} files ${String(linesOf(code)).padStart(7)} lines` +
        `   ${String(tests.length).padStart(4)} test files ${String(linesOf(tests)).padStart(6)} lines`,
    );
  }
  // Tools that make, measure and check the product are left out, and so are their tests.
  const product = sources.filter(({ path }) => /^(?:packages|server|cli|test)\//.test(path));
  const code = product.filter(({ path }) => !isTest(path));
  const tests = product.filter(({ path }) => isTest(path));
  const lengths = code.map(({ lines }) => lines).toSorted((a, b) => a - b);
  const quantile = (share: number) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))];
  console.log(
    `  product source files: ${code.length}; lines: median ${quantile(0.5)}, 95 % ${quantile(0.95)}, max ${quantile(1)}`,
  );
  console.log(`  lines of tests and their helpers per product line: ${(linesOf(tests) / linesOf(code)).toFixed(2)}`);
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  console.log(`  checkout: ${files.length} files, ${(sizeBytes / 1e6).toFixed(1)} MB`);
  const comments = sources.reduce((sum, { facts }) => sum + facts.comments.length, 0);
  console.log(`  comments: ${comments}`);
}

function printGoals(repository: Repository): void {
  console.log('\nGoals (`npm run figures -- --list NAME [PATH]` lists what is counted)');
  for (const goal of GOALS) {
    const { value } = measureGoal(goal, repository);
    const verdict = value <= goal.max ? 'holds' : 'OPEN ';
    const list = goal.list === undefined ? '' : ` [${goal.list}]`;
    console.log(`  ${verdict} ${String(value).padStart(6)} (<= ${goal.max}) ${goal.name}${list}`);
  }
}

function printChains({ sources }: Repository): void {
  console.log('\nFrom route to engine (the files marked with + are in other chains too)');
  for (const { request, files, lines, stations } of findChains(REQUEST_FLOWS, sources)) {
    const alone = files.filter(({ isShared }) => !isShared);
    console.log(`  ${request}: ${files.length} files, ${lines} lines`);
    console.log(`    in no other chain: ${alone.length} files, ${linesOf(alone)} lines`);
    for (const { path, lines: count, isShared } of files) {
      console.log(`    ${String(count).padStart(6)} ${isShared ? '+' : ' '} ${path}`);
    }
    if (stations.length > 0) console.log(`    stations of a segment: ${stations.length}`);
    for (const station of stations) console.log(`             ${station}`);
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

function linesOf(files: readonly Pick<SourceFile, 'lines'>[]): number {
  return files.reduce((sum, { lines }) => sum + lines, 0);
}
