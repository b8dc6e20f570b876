import { describe, expect, it } from 'vitest';
import type { RequestFlow } from './chain-table.ts';
import { parseSource } from './parse-source.ts';
import { findChains, findFlowFaults } from './request-chains.ts';

const parse = (texts: Record<string, string>) =>
  Object.entries(texts).map(([path, text]) => ({ path, text, lines: 10, facts: parseSource(path, text) }));

const SOURCES = parse({
  'server/route.ts': `import { accept } from './accept.ts';
import { format } from './format.ts';
import type { Model } from './model.ts';`,
  'server/accept.ts': `await import('./queue.ts');`,
  'server/queue.ts': 'export function enqueue(job) {}',
  'server/job.ts': `import './engine.ts'; export function runJob(job) { return follow(recognize()); }`,
  'server/engine.ts': 'export const engine = { async *recognize() {} };',
  'server/follow.ts': 'export async function* follow(events) {}',
  'server/format.ts': '',
  'server/model.ts': `import './engine.ts';`,
  'server/body.ts': '',
});

const FLOW: RequestFlow = {
  request: 'POST /a',
  route: 'server/route.ts',
  engines: ['server/engine.ts'],
  receivers: ['server/body.ts'],
  passages: [{ from: 'server/queue.ts', word: 'job', to: 'server/job.ts' }],
  stations: ['server/engine.ts#recognize', 'server/job.ts#runJob', 'server/follow.ts#follow'],
};

describe('findChains', () => {
  it('counts files between route and engine, receivers and stations, but no helper and no erased import', () => {
    const [chain] = findChains([FLOW], SOURCES);
    expect(chain?.files.map(({ path }) => path).toSorted()).toEqual([
      'server/accept.ts',
      'server/body.ts',
      'server/engine.ts',
      'server/follow.ts',
      'server/job.ts',
      'server/queue.ts',
      'server/route.ts',
    ]);
    expect(chain?.lines).toBe(70);
  });

  it('marks the files that another chain has too', () => {
    const second = { ...FLOW, request: 'POST /b', route: 'server/job.ts', receivers: [], passages: [], stations: [] };
    const [, chain] = findChains([FLOW, second], SOURCES);
    expect(chain?.files).toEqual([
      { path: 'server/job.ts', lines: 10, isShared: true },
      { path: 'server/engine.ts', lines: 10, isShared: true },
    ]);
  });
});

describe('findFlowFaults', () => {
  it('accepts a flow that the source agrees with', () => {
    expect(findFlowFaults(FLOW, SOURCES)).toEqual([]);
  });

  it.each<[string, Partial<RequestFlow>, string]>([
    ['a file that does not exist', { receivers: ['server/gone.ts'] }, 'server/gone.ts does not exist'],
    ['a route that does not lead to its engine', { passages: [] }, 'server/route.ts does not lead to server/engine.ts'],
    [
      'a passage whose files have no such word in common',
      { passages: [{ from: 'server/queue.ts', word: 'enqueue', to: 'server/job.ts' }] },
      'enqueue is not in both server/queue.ts and server/job.ts',
    ],
    [
      'a station that its file does not declare',
      { stations: ['server/job.ts#follow'] },
      'server/job.ts#follow is not declared',
    ],
    [
      'stations that nothing connects',
      { stations: ['server/engine.ts#recognize', 'server/queue.ts#enqueue'] },
      'server/engine.ts#recognize does not lead to server/queue.ts#enqueue',
    ],
  ])('finds %s', (_name, change, fault) => {
    expect(findFlowFaults({ ...FLOW, ...change }, SOURCES)).toContain(`POST /a: ${fault}`);
  });
});
