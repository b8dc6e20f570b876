import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CorrectionRequest, Corrector } from '@jyutsing/contracts/corrector';
import { AppError } from '@jyutsing/contracts/errors';
import type { Fusion } from '@jyutsing/contracts/transcription';
import { fuse, type ChunkReport, type CorrectorChoice, type FusionInput } from './fuse.ts';
import { createCircuitBreaker, type CircuitBreaker } from '@jyutsing/concurrency/circuit-breaker';
import { recognizedSegment, term } from '#test/fusion-segments.ts';

type Answer = (request: CorrectionRequest, signal: AbortSignal, times: number) => unknown;

/** A corrector that answers as told, and how often it was asked. */
function corrector(name: string, answer: Answer): CorrectorChoice & { asked: CorrectionRequest[] } {
  const asked: CorrectionRequest[] = [];
  const opened: Corrector = {
    correct: async (request, signal) => (await answer(request, signal, asked.push(request))) as string[],
    close: async () => {},
  };
  return { name, asked, open: async () => opened };
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
const deaf: Answer = () => new Promise(() => {});

const input = (texts: string[], more: Partial<FusionInput> = {}): FusionInput => ({
  segments: texts.map((text, index) => recognizedSegment(text, 'ngo5 sik6 faan6', index * 10_000)),
  terms: [],
  context: null,
  ...more,
});
const ONE = input(['我食犯']);
/** Every segment a chunk of its own. */
const LONG = ['我食犯', '我食犯', '我食犯', '我食犯'].map((text) => text + '。'.repeat(290));

async function run(
  given: FusionInput,
  correctors: CorrectorChoice[],
  chunkBudgetMs = 20_000,
  signal?: AbortSignal,
  rests?: CircuitBreaker,
) {
  const progress: number[] = [];
  const reports: ChunkReport[] = [];
  let fusion: Fusion | null = null;
  const observer = { chunk: (report: ChunkReport) => void reports.push(report) };
  const all = fuse(given, correctors, { chunkBudgetMs }, signal ?? new AbortController().signal, observer, rests);
  for await (const event of all) {
    if (event.type === 'progress') progress.push(event.processedMs);
    if (event.type === 'fusion-end') fusion = event.fusion;
  }
  return { texts: fusion?.segments.map(({ text }) => text) ?? [], fusion, progress, reports };
}

describe('a transcript is corrected', () => {
  it('by the first corrector, segment by segment, with what was heard beside it', async () => {
    const first = corrector('first', right);
    const second = corrector('second', right);
    const given = input(['我食犯', 'OK', '我食犯。'], { terms: [term('沙田', 'saa1 tin4')], context: '食飯' });
    const { fusion, texts, progress, reports } = await run(given, [first, second]);
    expect(texts).toEqual(['我食飯', 'OK', '我食飯。']);
    expect(fusion?.romanization).toEqual(['ngo5 sik6 faan6', 'ngo5 sik6 faan6', 'ngo5 sik6 faan6']);
    expect(fusion?.segments[1]).toBe(given.segments[1]?.segment);
    expect(first.asked).toEqual([{ segments: given.segments, terms: given.terms, context: '食飯' }]);
    expect(second.asked).toEqual([]);
    expect(progress).toEqual([20_600]);
    expect(reports).toMatchObject([{ corrector: 'first', accepted: 2, dropped: 0, failures: [] }]);
  });

  it('in chunks, telling how far it is after each', async () => {
    const only = corrector('only', right);
    const { texts, progress } = await run(input(LONG), [only]);
    expect(texts).toEqual(LONG.map((text) => text.replace('犯', '飯')));
    expect(only.asked.map(({ segments }) => segments.length)).toEqual([1, 1, 1, 1]);
    expect(progress).toHaveLength(4);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  it('without asking anybody where nothing could change', async () => {
    const only = corrector('only', right);
    const silent = { ...recognizedSegment('我食犯', ''), heard: [] };
    const { texts, fusion } = await run(
      { ...input([]), segments: [recognizedSegment('OK 3', 'ou1 kei1 saam1'), silent] },
      [only],
    );
    expect(texts).toEqual(['OK 3', '我食犯']);
    expect(fusion?.romanization).toEqual(['ou1 kei1 saam1', '']);
    expect(only.asked).toEqual([]);
    expect(await run(input([]), [only])).toMatchObject({ fusion: { segments: [], romanization: [] }, progress: [] });
  });

  it('as it was recognized when there is no corrector at all', async () => {
    expect((await run(ONE, [])).texts).toEqual(['我食犯']);
  });
});

describe('a corrector that is no use', () => {
  const useless: [string, Answer][] = [
    ['fails', fails],
    ['hangs', hangs],
    ['does not even hear that it shall stop', deaf],
    ['gives too few texts', () => []],
    ['gives too many', () => ['我食飯', '我食飯']],
    ['gives no texts', () => [null]],
    ['gives no list', () => '我食飯'],
    ['gives nothing', () => undefined],
    ['invents', invented],
  ];
  it.each(useless)('%s: the next is asked', async (_name, answer) => {
    const { texts, reports } = await run(ONE, [corrector('remote', answer), corrector('builtin', right)], 500);
    expect(texts).toEqual(['我食飯']);
    expect(reports[0]?.corrector).toBe('builtin');
  });

  it.each(useless.filter(([name]) => !/hang|hear/.test(name)))(
    '%s: as the last it leaves what was recognized',
    async (_name, answer) => {
      const { texts, reports } = await run(ONE, [corrector('remote', fails), corrector('builtin', answer)]);
      expect(texts).toEqual(['我食犯']);
      expect(reports[0]?.failures[0]).toMatchObject({ corrector: 'remote', error: { code: 'engine_failed' } });
    },
  );

  it('cannot be opened: the next is asked', async () => {
    const closed = { name: 'remote', open: () => Promise.reject(new TypeError('no')) };
    const { texts, reports } = await run(ONE, [closed, corrector('builtin', right)]);
    expect(texts).toEqual(['我食飯']);
    expect(reports[0]?.failures).toMatchObject([{ corrector: 'remote', error: { code: 'internal_error' } }]);
  });

  it('is not asked again after two failures in a row, unless it is the last', async () => {
    const remote = corrector('remote', fails);
    const builtin = corrector('builtin', fails);
    await run(input(LONG), [remote, builtin]);
    expect([remote.asked.length, builtin.asked.length]).toEqual([2, 4]);
  });

  it('is not asked for the next transcript either when it was its server that failed', async () => {
    for (const [answer, asked] of [
      [isGone, 2],
      [fails, 4],
    ] as const) {
      const rests = createCircuitBreaker();
      const remote = corrector('remote', answer);
      for (let times = 0; times < 2; times += 1) {
        const { texts } = await run(input(LONG), [remote, corrector('builtin', right)], 20_000, undefined, rests);
        expect(texts.join('')).not.toContain('犯');
      }
      expect(remote.asked).toHaveLength(asked);
    }
  });

  it('is asked again when it failed now and then', async () => {
    const remote = corrector('remote', (request, signal, times) =>
      (times % 2 === 1 ? fails : right)(request, signal, 0),
    );
    const { texts } = await run(input(LONG), [remote, corrector('builtin', right)]);
    expect(remote.asked).toHaveLength(4);
    expect(texts.join('')).not.toContain('犯');
  });
});

describe('the time budget of a chunk', () => {
  it('a late first corrector costs its share only, and the record nothing', async () => {
    const startedMs = performance.now();
    const { texts } = await run(input(LONG), [corrector('remote', hangs), corrector('builtin', right)], 400);
    expect(texts.join('')).not.toContain('犯');
    // Two chunks waited for it, 240 ms each.
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it('which is exceeded fails the fusion, with the budget in the reason', async () => {
    for (const answer of [hangs, deaf]) {
      await expect(run(ONE, [corrector('remote', fails), corrector('builtin', answer)], 250)).rejects.toMatchObject({
        code: 'timed_out',
        message: 'A fusion chunk exceeded its time budget of 0.25 s.',
      });
    }
  });

  it('also by a corrector that blocks the process and answers in the end', async () => {
    await expect(run(ONE, [corrector('builtin', busy)], 50)).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('is not exceeded by a successor of one that answered in time', async () => {
    const { texts } = await run(ONE, [corrector('remote', invented), corrector('builtin', hangs)], 300);
    expect(texts).toEqual(['我食犯']);
  });
});

it('an abort ends it at once with its reason, whoever is being asked', async () => {
  for (const answer of [hangs, deaf]) {
    const stop = new AbortController();
    const reason = new AppError('client_closed_request');
    const running = run(ONE, [corrector('remote', answer), corrector('builtin', right)], 20_000, stop.signal);
    void sleep(30).then(() => stop.abort(reason));
    await expect(running).rejects.toBe(reason);
  }
  await expect(run(ONE, [corrector('builtin', right)], 20_000, AbortSignal.abort('gone'))).rejects.toBe('gone');
});
