import { isTest, resolveSpecifier } from '../source-files.ts';
import type { ParsedSource } from './cached-facts.ts';
import type { RequestFlow } from './chain-table.ts';

/** The files that a reader opens to follow one kind of request. */
export type RequestChain = {
  request: string;
  files: readonly { path: string; lines: number; isShared: boolean }[];
  lines: number;
  /** Functions that a segment passes from the recognizer to the client. */
  stations: readonly string[];
};

/**
 * The chains of requests, computed from imports. A chain has
 *
 * - every file on a path of imports from the route to an engine. Imports of types are left out:
 *   they are erased, and nothing passes through them. Passages without an import (queue, process,
 *   wiring, engines opened by name) are declared and count as imports;
 * - the files that receive the request before the route runs;
 * - the files of the functions that a segment passes on its way back.
 *
 * A helper that leads to no engine is no part of it. `isShared`: another chain has the file too.
 */
export function findChains(flows: readonly RequestFlow[], files: readonly ParsedSource[]): RequestChain[] {
  const lines = new Map(files.map((file) => [file.path, file.lines]));
  const imports = runtimeImports(files);
  const chains = flows.map((flow) => ({ flow, paths: filesOf(flow, imports) }));
  return chains.map(({ flow: { request, stations }, paths }) => {
    const rest = chains.filter((chain) => chain.paths !== paths);
    const counted = [...paths].map((path) => ({
      path,
      lines: lines.get(path) ?? 0,
      isShared: rest.some((chain) => chain.paths.has(path)),
    }));
    return { request, files: counted, lines: counted.reduce((sum, file) => sum + file.lines, 0), stations };
  });
}

type Edges = ReadonlyMap<string, readonly string[]>;

function runtimeImports(files: readonly ParsedSource[]): Edges {
  return new Map(
    files
      .filter(({ path }) => !isTest(path))
      .map(({ path, facts }) => [
        path,
        facts.imports.flatMap(({ specifier, isType }) => (isType ? [] : (resolveSpecifier(path, specifier) ?? []))),
      ]),
  );
}

function filesOf({ route, engines, receivers, passages, stations }: RequestFlow, imports: Edges): Set<string> {
  const forward = new Map([...imports].map(([path, targets]) => [path, [...targets]]));
  for (const { from, to } of passages) forward.set(from, [...(forward.get(from) ?? []), to]);
  const backward = new Map<string, string[]>();
  for (const [path, targets] of forward) {
    for (const target of targets) backward.set(target, [...(backward.get(target) ?? []), path]);
  }
  const fromRoute = reachable([route], forward);
  const toEngine = reachable(engines, backward);
  const between = [...fromRoute].filter((path) => toEngine.has(path));
  return new Set([...receivers, ...between, ...stations.map(fileOf)]);
}

function reachable(starts: readonly string[], edges: Edges): Set<string> {
  const reached = new Set<string>();
  const open = [...starts];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    open.push(...(edges.get(path) ?? []));
  }
  return reached;
}

const fileOf = (station: string) => station.split('#')[0] ?? '';
const functionOf = (station: string) => station.split('#')[1] ?? '';

/**
 * Finds where the declared flow contradicts the source: a file that does not exist, a passage whose
 * word one of its files lacks, a route that does not lead to its engines, a station that its file
 * does not declare, or two stations in a row that no file of the chain names together and no
 * passage connects.
 */
export function findFlowFaults(flow: RequestFlow, files: readonly ParsedSource[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const named = [flow.route, ...flow.engines, ...flow.receivers, ...flow.stations.map(fileOf)];
  const missing = [...new Set([...named, ...flow.passages.flatMap(({ from, to }) => [from, to])])]
    .filter((path) => !texts.has(path))
    .map((path) => `${path} does not exist`);
  const chain = filesOf({ ...flow, receivers: [], stations: [] }, runtimeImports(files));
  const unreached = flow.engines
    .filter((engine) => !chain.has(engine))
    .map((engine) => `${flow.route} does not lead to ${engine}`);
  const has = (path: string, word: string) => new RegExp(`\\b${word}\\b`).test(texts.get(path) ?? '');
  const unspoken = flow.passages
    .filter(({ from, word, to }) => !has(from, word) || !has(to, word))
    .map(({ from, word, to }) => `${word} is not in both ${from} and ${to}`);
  const undeclared = flow.stations
    .filter((station) => !declares(texts.get(fileOf(station)) ?? '', functionOf(station)))
    .map((station) => `${station} is not declared`);
  const callers = [...filesOf(flow, runtimeImports(files))];
  const unconnected = flow.stations.slice(1).flatMap((station, index) => {
    const before = flow.stations[index] ?? '';
    const isPassage = flow.passages.some(({ from, to }) => from === fileOf(station) && to === fileOf(before));
    const isCalled = callers.some((path) => has(path, functionOf(before)) && has(path, functionOf(station)));
    return isPassage || isCalled ? [] : [`${before} does not lead to ${station}`];
  });
  return [...missing, ...unreached, ...unspoken, ...undeclared, ...unconnected].map(
    (fault) => `${flow.request}: ${fault}`,
  );
}

function declares(text: string, name: string): boolean {
  const method = `(?:^|[{,])\\s*(?:async )?\\*?${name}(?:<.*>)?\\(`;
  return new RegExp(`(?:function\\*? |const |class )${name}\\b|${method}|\\b${name}: `, 'm').test(text);
}
