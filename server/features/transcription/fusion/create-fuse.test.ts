import { expect, it } from 'vitest';
import { recognizedSegment } from '#test/fusion-segments.ts';
import type { Fuse, FusionCall, FusionCallEvent } from '#features/transcription/stages.ts';
import { createFuse } from './create-fuse.ts';
import { createTermCache } from './term-cache.ts';

const NEVER = new AbortController().signal;
const ENTRIES = Array.from({ length: 3_000 }, (_, index) => ({
  text: `維多利亞港${String.fromCharCode(0x4e00 + index)}`,
  jyutping: 'wai4 do1 lei6 aa3 gong2 jat1',
  weight: 1,
}));
const SEGMENTS = [recognizedSegment('你好', 'nei5 hou2')];

/** A worker process: keeps its terms, and counts the calls and bytes that it receives. */
function startWorker() {
  const termsFor = createTermCache();
  const received = { calls: 0, bytes: 0, termCounts: [] as number[] };
  async function* run(call: FusionCall): AsyncGenerator<FusionCallEvent> {
    received.calls += 1;
    received.bytes += JSON.stringify(call).length;
    const terms = termsFor(call);
    if (terms === null) return yield { type: 'corpora-missing' };
    received.termCounts.push(terms.length);
    const segments = call.segments.map(({ segment }) => segment);
    yield { type: 'fusion-end', fusion: { segments, romanization: [] } };
  }
  return { received, run };
}

const settings = (corporaKey: string, context: string | null = null) => ({
  corporaKey,
  context,
  entries: ENTRIES,
  correctors: [],
});

async function fuseBatches(fuse: Fuse, count: number): Promise<string[]> {
  const types: string[] = [];
  for (let batch = 0; batch < count; batch++) {
    for await (const { type } of fuse(SEGMENTS, NEVER)) types.push(type);
  }
  return types;
}

it('a transcription of fifty batches sends the corpus entries once', async () => {
  const { received, run } = startWorker();
  const types = await fuseBatches(createFuse(run, settings('hk 1')), 50);
  expect(types).toEqual(Array(50).fill('fusion-end'));
  expect(received.calls).toBe(51);
  const entryBytes = JSON.stringify(ENTRIES).length;
  expect(received.bytes).toBeGreaterThan(entryBytes);
  expect(received.bytes).toBeLessThan(1.2 * entryBytes);
  expect(new Set(received.termCounts)).toEqual(new Set([3_000]));
});

it('the next transcription with the same corpora sends no entries, whatever its context', async () => {
  const { received, run } = startWorker();
  await fuseBatches(createFuse(run, settings('hk 1')), 1);
  const before = received.bytes;
  await fuseBatches(createFuse(run, settings('hk 1', '天文台')), 3);
  expect(received.bytes - before).toBeLessThan(3 * 1_000);
  expect(received.termCounts.at(-1)).toBeGreaterThan(3_000);
});

it('a changed corpus and a restarted process receive the entries again', async () => {
  const first = startWorker();
  await fuseBatches(createFuse(first.run, settings('hk 1')), 2);
  await fuseBatches(createFuse(first.run, settings('hk 2')), 2);
  expect(first.received.calls).toBe(6);
  const second = startWorker();
  let current = first;
  const fuse = createFuse((call) => current.run(call), settings('hk 2'));
  await fuseBatches(fuse, 1);
  current = second;
  expect(await fuseBatches(fuse, 2)).toEqual(['fusion-end', 'fusion-end']);
  expect(second.received.calls).toBe(3);
});
