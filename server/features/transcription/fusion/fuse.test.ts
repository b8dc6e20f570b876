import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CorrectionRequest, Corrector } from '@jyutsing/contracts/corrector';
import { AppError } from '@jyutsing/contracts/errors';
import type { Fusion } from '@jyutsing/contracts/transcription';
import { fuse, type ChunkReport, type CorrectorChoice, type FusionInput } from './fuse.ts';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';
import { recognizedSegment, term } from '#test/fusion-segments.ts';

type Answer = (request: CorrectionRequest, signal: AbortSignal, times: number) => unknown;

/** A corrector with the given answers, and the requests that it received. */
function corrector(name: string, answer: Answer): CorrectorChoice & { requests: CorrectionRequest[] } {
  const requests: CorrectionRequest[] = [];
  const opened: Corrector = {
    correct: async (request, signal) => (await answer(request, signal, requests.push(request))) as string[],
    close: async () => {},
  };
  return { name, requests, open: async () => opened };
}

const right: Answer = ({ segments }) => segments.map(({ segment }) => segment.text.replaceAll('犯', '飯'));
const invented: Answer = ({ segments }) => segments.map(() => '我哋聽日去睇戲好唔好');
const fails: Answer = () => {
  throw new AppError('engine_failed', 'It failed.');
};
const isGone: Answer = () => {
  throw new AppError('service_unavailable');
};
const hangs: Answer = (_request, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const busy: Answer = (request, signal, times) => {
  for (const untilMs = performance.now() + 80; performance.now() < untilMs;);
  return right(request, signal, times);
};
const unresponsive: Answer = () => new Promise(() => {});

const input = (texts: string[], more: Partial<FusionInput> = {}): FusionInput => ({
  segments: texts.map((text, index) => recognizedSegment(text, 'ngo5 sik6 faan6', index * 10_000)),
  terms: [],
  context: null,
  ...more,
});
const ONE = input(['我食犯']);
/** Each segment fills a chunk. */
const LONG = ['我食犯', '我食犯', '我食犯', '我食犯'].map((text) => text + '。'.repeat(290));

async function run(
  fusionInput: FusionInput,
  correctors: CorrectorChoice[],
  chunkBudgetMs = 20_000,
  signal?: AbortSignal,
  breaker?: CircuitBreaker,
) {
  const progress: number[] = [];
  const reports: ChunkReport[] = [];
  let fusion: Fusion | null = null;
  const observer = { chunk: (report: ChunkReport) => void reports.push(report) };
  const options = { chunkBudgetMs, observer, ...(breaker && { breaker }) };
  const all = fuse(fusionInput, correctors, options, signal ?? new AbortController().signal);
  for await (const event of all) {
    if (event.type === 'progress') progress.push(event.processedMs);
    if (event.type === 'fusion-end') fusion = event.fusion;
  }
  return { texts: fusion?.segments.map(({ text }) => text) ?? [], fusion, progress, reports };
}

/** The same with a clock that stands still while there is something to compute. */
async function runWithoutLoad(...runInput: Parameters<typeof run>) {
  // Loads the dictionaries.
  await run(ONE, [corrector('first', right)]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const startedMs = performance.now();
  const ended = new AbortController();
  const running = run(...runInput).finally(() => ended.abort());
  while (!ended.signal.aborted) await vi.advanceTimersByTimeAsync(1);
  return { ...(await running), tookMs: performance.now() - startedMs };
}

describe('a transcript is corrected', () => {
  it('by the first corrector, which receives the segments with their syllables', async () => {
    const first = corrector('first', right);
    const second = corrector('second', right);
    const fusionInput = input(['我食犯', 'OK', '我食犯。'], { terms: [term('沙田', 'saa1 tin4')], context: '食飯' });
    const { fusion, texts, progress, reports } = await run(fusionInput, [first, second]);
    expect(texts).toEqual(['我食飯', 'OK', '我食飯。']);
    expect(fusion?.romanization).toEqual(['ngo5 sik6 faan6', 'ngo5 sik6 faan6', 'ngo5 sik6 faan6']);
    expect(fusion?.segments[1]).toBe(fusionInput.segments[1]?.segment);
    expect(first.requests).toEqual([{ segments: fusionInput.segments, terms: fusionInput.terms, context: '食飯' }]);
    expect(second.requests).toEqual([]);
    expect(progress).toEqual([20_600]);
    expect(reports).toMatchObject([{ corrector: 'first', accepted: 2, dropped: 0, failures: [] }]);
  });

  it('in chunks, with progress after each', async () => {
    const only = corrector('only', right);
    const { texts, progress } = await run(input(LONG), [only]);
    expect(texts).toEqual(LONG.map((text) => text.replace('犯', '飯')));
    expect(only.requests.map(({ segments }) => segments.length)).toEqual([1, 1, 1, 1]);
    expect(progress).toHaveLength(4);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  it('without a corrector if no change is possible', async () => {
    const only = corrector('only', right);
    const silent = { ...recognizedSegment('我食犯', ''), syllables: [] };
    const { texts, fusion } = await run(
      { ...input([]), segments: [recognizedSegment('OK 3', 'ou1 kei1 saam1'), silent] },
      [only],
    );
    expect(texts).toEqual(['OK 3', '我食犯']);
    expect(fusion?.romanization).toEqual(['ou1 kei1 saam1', '']);
    expect(only.requests).toEqual([]);
    expect(await run(input([]), [only])).toMatchObject({ fusion: { segments: [], romanization: [] }, progress: [] });
  });

  it('not at all without correctors', async () => {
    expect((await run(ONE, [])).texts).toEqual(['我食犯']);
  });
});

describe('a corrector without a usable answer', () => {
  const failing: [string, Answer][] = [
    ['fails', fails],
    ['hangs', hangs],
    ['ignores its abort', unresponsive],
    ['returns too few texts', () => []],
    ['returns too many texts', () => ['我食飯', '我食飯']],
    ['returns no texts', () => [null]],
    ['returns no list', () => '我食飯'],
    ['returns nothing', () => undefined],
    ['returns an unrelated text', invented],
  ];
  it.each(failing)('%s: the next one is used', async (_name, answer) => {
    const { texts, reports } = await run(ONE, [corrector('remote', answer), corrector('builtin', right)], 500);
    expect(texts).toEqual(['我食飯']);
    expect(reports[0]?.corrector).toBe('builtin');
  });

  it.each(failing.filter(([name]) => !/hangs|ignores/.test(name)))(
    '%s: as the last one it leaves the text as recognized',
    async (_name, answer) => {
      const { texts, reports } = await run(ONE, [corrector('remote', fails), corrector('builtin', answer)]);
      expect(texts).toEqual(['我食犯']);
      expect(reports[0]?.failures[0]).toMatchObject({ corrector: 'remote', error: { code: 'engine_failed' } });
    },
  );

  it('cannot be opened: the next one is used', async () => {
    const closed = { name: 'remote', open: () => Promise.reject(new TypeError('no')) };
    const { texts, reports } = await run(ONE, [closed, corrector('builtin', right)]);
    expect(texts).toEqual(['我食飯']);
    expect(reports[0]?.failures).toMatchObject([{ corrector: 'remote', error: { code: 'internal_error' } }]);
  });

  it('is not used again after two consecutive failures, unless it is the last', async () => {
    const remote = corrector('remote', fails);
    const builtin = corrector('builtin', fails);
    await run(input(LONG), [remote, builtin]);
    expect([remote.requests.length, builtin.requests.length]).toEqual([2, 4]);
  });

  it('is not used for the next transcript either if its server failed', async () => {
    for (const [answer, requestCount] of [
      [isGone, 2],
      [fails, 4],
    ] as const) {
      const breaker = createCircuitBreaker();
      const remote = corrector('remote', answer);
      for (let times = 0; times < 2; times += 1) {
        const { texts } = await run(input(LONG), [remote, corrector('builtin', right)], 20_000, undefined, breaker);
        expect(texts.join('')).not.toContain('犯');
      }
      expect(remote.requests).toHaveLength(requestCount);
    }
  });

  it('keeps its turn to be tried again while an earlier one answers', async () => {
    let atMs = 0;
    const breaker = createCircuitBreaker(() => atMs);
    const remote = corrector('remote', right);
    const spare = corrector('spare', isGone);
    const correctors = [remote, spare, corrector('builtin', right)];
    for (let times = 0; times < 2; times += 1) breaker.recordFailure('spare', 'timed_out');
    atMs = 300_000;
    await run(ONE, correctors, 20_000, undefined, breaker);
    expect([remote.requests.length, spare.requests.length]).toEqual([1, 0]);
    expect(breaker.isOpen('spare')).toBe(false);
  });

  it('is used again after a success', async () => {
    const remote = corrector('remote', (request, signal, times) =>
      (times % 2 === 1 ? fails : right)(request, signal, 0),
    );
    const { texts } = await run(input(LONG), [remote, corrector('builtin', right)]);
    expect(remote.requests).toHaveLength(4);
    expect(texts.join('')).not.toContain('犯');
  });
});

describe('the time budget of a chunk', () => {
  it('a slow first corrector uses only its share of the budget', async () => {
    const correctors = [corrector('remote', hangs), corrector('builtin', right)];
    const { texts, tookMs } = await runWithoutLoad(input(LONG), correctors, 400);
    expect(texts.join('')).not.toContain('犯');
    // Two chunks wait for it.
    expect(tookMs).toBeGreaterThanOrEqual(2 * 240);
    expect(tookMs).toBeLessThan(2 * 300);
  });

  it('fails the fusion when exceeded, with the budget in the message', async () => {
    for (const answer of [hangs, unresponsive]) {
      await expect(run(ONE, [corrector('remote', fails), corrector('builtin', answer)], 250)).rejects.toMatchObject({
        code: 'timed_out',
        message: 'A fusion chunk exceeded its time budget of 0.25 s.',
      });
    }
  });

  it('also applies to a corrector that blocks the process and then answers', async () => {
    await expect(run(ONE, [corrector('builtin', busy)], 50)).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('is not exceeded after one corrector has answered in time', async () => {
    const { texts } = await runWithoutLoad(ONE, [corrector('remote', invented), corrector('builtin', hangs)], 300);
    expect(texts).toEqual(['我食犯']);
  });
});

it('an abort ends the fusion at once with its reason', async () => {
  for (const answer of [hangs, unresponsive]) {
    const stop = new AbortController();
    const reason = new AppError('client_closed_request');
    const running = run(ONE, [corrector('remote', answer), corrector('builtin', right)], 20_000, stop.signal);
    void sleep(30).then(() => stop.abort(reason));
    await expect(running).rejects.toBe(reason);
  }
  await expect(run(ONE, [corrector('builtin', right)], 20_000, AbortSignal.abort('gone'))).rejects.toBe('gone');
});
