import { REQUEST_FLOWS } from './chain-table.ts';
import { countWords, currentPages, findReadmeFaults, findWideRows } from './documents.ts';
import { findLargeFiles, findLooseFiles } from './loose-files.ts';
import { buildGraph, findCycles, findUnusedExports } from './module-graph.ts';
import type { Repository } from './repository.ts';
import { findChains, findFlowFaults, type RequestChain } from './request-chains.ts';
import { findCommentKinds, findPointingNames, type Finding } from './wording.ts';

const MAX_PARAMETERS = 5;
const MAX_LINES = 400;

/** A number of the repository with the most that it may be. */
export type Goal = {
  name: string;
  max: number;
  /** The findings that are counted; the number itself where there is nothing to list. */
  measure(repository: Repository): readonly string[] | number;
  /** The word by which `--list` lists its findings. */
  list?: string;
};

/** All goals; `npm run check` fails above one. */
export const GOALS: readonly Goal[] = [
  {
    name: 'import cycles',
    max: 0,
    list: 'cycles',
    measure: ({ sources }) => findCycles(buildGraph(sources)).map((cycle) => cycle.join(' -> ')),
  },
  {
    name: 'exports that nothing imports',
    max: 0,
    list: 'exports',
    measure: ({ sources }) => shown(findUnusedExports(sources)),
  },
  {
    name: 'comments that begin as no sentence does',
    max: 5,
    list: 'comments',
    measure: ({ sources }) => shown(findCommentKinds(sources)),
  },
  {
    name: 'names that point instead of naming',
    max: 40,
    list: 'names',
    measure: ({ sources }) => shown(findPointingNames(sources)),
  },
  {
    name: `functions with over ${MAX_PARAMETERS} parameters`,
    max: 0,
    list: 'parameters',
    measure: findLongParameterLists,
  },
  {
    name: `source files over ${MAX_LINES} lines`,
    max: 0,
    list: 'lengths',
    measure: ({ sources }) =>
      sources.filter(({ lines }) => lines > MAX_LINES).map(({ path, lines }) => `${path}:1 ${lines} lines`),
  },
  {
    name: 'contradictions between declared request flows and the source',
    max: 0,
    list: 'flows',
    measure: ({ sources }) => REQUEST_FLOWS.flatMap((flow) => findFlowFaults(flow, sources)),
  },
  ...chainGoals('POST /api/stt', { files: 22, lines: 2_900 }),
  ...chainGoals('POST /api/tts-stream', { files: 19, lines: 2_150 }),
  ...chainGoals('POST /api/score-pronunciation', { files: 16, lines: 1_850 }),
  ...chainGoals('POST /api/video-summary/summarize-from-url', { files: 8, lines: 1_100 }),
  {
    name: 'POST /api/stt: stations of a segment',
    max: 12,
    measure: ({ sources }) => chainOf('POST /api/stt', sources).stations.length,
  },
  looseGoal('packages/text', 8),
  looseGoal('server', 6),
  {
    name: 'words of docs/ without its history',
    max: 45_000,
    measure: ({ pages }) => countWords(currentPages(pages)),
  },
  {
    name: 'words of docs/measurements.md',
    max: 3_000,
    measure: ({ pages }) => countWords(pages.filter(({ path }) => path === 'docs/measurements.md')),
  },
  {
    name: 'table rows of docs/ over 160 columns',
    max: 0,
    list: 'tables',
    measure: ({ pages }) => shown(findWideRows(currentPages(pages))),
  },
  {
    name: 'top folders without a README of at most 40 lines',
    max: 0,
    list: 'readmes',
    measure: ({ files, pages }) => {
      const paths = files.map(({ path }) => path);
      return shown(findReadmeFaults(paths, pages));
    },
  },
  {
    name: 'files over 1 MB outside models/ and voices/',
    max: 0,
    list: 'large',
    measure: ({ files }) => shown(findLargeFiles(files)),
  },
];

/** The measured value of a goal and the findings behind it. */
export function measureGoal(goal: Goal, repository: Repository): { value: number; findings: readonly string[] } {
  const measured = goal.measure(repository);
  return typeof measured === 'number'
    ? { value: measured, findings: [] }
    : { value: measured.length, findings: measured };
}

function chainGoals(request: string, max: { files: number; lines: number }): Goal[] {
  return [
    {
      name: `${request}: files from route to engine`,
      max: max.files,
      measure: ({ sources }) => chainOf(request, sources).files.length,
    },
    {
      name: `${request}: lines from route to engine`,
      max: max.lines,
      measure: ({ sources }) => chainOf(request, sources).lines,
    },
  ];
}

function chainOf(request: string, sources: Repository['sources']): RequestChain {
  return findChains(REQUEST_FLOWS, sources).find((chain) => chain.request === request)!;
}

function looseGoal(folder: string, max: number): Goal {
  return {
    name: `loose files in ${folder}`,
    max,
    list: `loose-${folder.split('/').at(-1)}`,
    measure: ({ files }) => {
      const paths = files.map(({ path }) => path);
      return shown(findLooseFiles(folder, paths));
    },
  };
}

function findLongParameterLists({ sources }: Repository): string[] {
  return sources.flatMap(({ path, facts }) =>
    facts.functions
      .filter(({ parameterCount }) => parameterCount > MAX_PARAMETERS)
      .map(({ line, parameterCount }) => `${path}:${line} ${parameterCount} parameters`),
  );
}

function shown(findings: readonly Finding[]): string[] {
  return findings.map(({ path, line, text }) => `${path}:${line} ${text}`);
}
