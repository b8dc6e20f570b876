import { describe, expect, it } from 'vitest';
import { COSTS } from './costs.ts';
import { apiProcesses, CONNECTIONS_OF_A_PROCESS, firstLimit, needsOf, usedPart, workersFor } from './demand.ts';

const limits = { connections: 100, queueJobsPerS: 2_500, databaseCores: 16, uploadBytesPerS: 1.25e9 };
const load = { recordingsPerS: 2, audioS: 50, inProgress: 30, pollS: 0.5, processes: 3 };
const find = (resource: string, unit: string, needs = needsOf(load, limits)) =>
  needs.find((need) => need.resource === resource && need.unit === unit)?.need;

describe('what a load needs', () => {
  it('is a poll for each recording in progress as often as its client asks', () => {
    expect(find('polls', 'a second')).toBe(60);
    expect(find('polls in the API', 'cores')).toBeCloseTo(60 * COSTS.poll.value);
  });

  it('does not depend on the polls when clients follow /events', () => {
    const rare = needsOf({ ...load, pollS: 100 }, limits);
    expect(find('/events in the API instead', 'cores')).toBe(find('/events in the API instead', 'cores', rare));
    expect(find('the same for /events', 'cores')).toBeCloseTo(find('the same for /events', 'cores', rare)!);
  });

  it('is the work on each second of the recordings, and that of idle processes', () => {
    const workS = 2 * (50 * COSTS.recognition.value + COSTS.transcribe.value);
    expect(find('transcription', 'cores')).toBeCloseTo(workS + 3 * COSTS.idle.value);
  });

  it('is all connections of each process, and with a pooler those it has open', () => {
    expect(find('PostgreSQL', 'connections')).toBe(4 * CONNECTIONS_OF_A_PROCESS);
    expect(find('the same, PgBouncer (session)', 'connections')).toBe(4 * COSTS.connectionsOpen.value);
  });

  it('is two jobs of the queue for each recording', () => {
    expect(find('queue', 'jobs a second')).toBe(4);
  });

  it('is 16 kB for each second of a recording', () => {
    expect(find('uploads', 'MB a second')).toBeCloseTo(1.6);
  });
});

describe('the first limit', () => {
  it('is what uses the largest part of its limit', () => {
    const first = firstLimit(needsOf(load, { ...limits, queueJobsPerS: 3 }));
    expect(first.resource).toBe('queue');
    expect(usedPart(first)).toBeCloseTo(4 / 3);
  });

  it('is none of the resources that can be added', () => {
    expect(usedPart({ resource: 'transcription', unit: 'cores', need: 1_000, limit: null })).toBe(0);
  });
});

it.each([
  [0.1, 1],
  [4, 6],
  [100, 110],
])('%d busy workers get %d', (busy, workers) => {
  expect(workersFor(busy)).toBe(workers);
});

it.each([
  [0, 1],
  [0.6, 1],
  [0.7, 2],
])('%d cores of work get %d API processes', (cores, processes) => {
  expect(apiProcesses(cores)).toBe(processes);
});
