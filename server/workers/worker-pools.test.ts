import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { FIXTURE_FORMATS, writeSound } from '#test/audio.ts';
import { whistle, writeWhistledModels } from '#test/audio-whistled.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import { killProcess } from '#test/processes.ts';
import type { FileRecognitionEvent } from '#features/transcription/stages.ts';
import { createWorkerPools, type WorkerPools } from './worker-pools.ts';

const options = { language: 'cantonese', context: null, romanize: false, diarize: false } as const;
let folder = '';
let workers: WorkerPools;

function open(changes: Partial<Parameters<typeof createWorkerPools>[0]> = {}): WorkerPools {
  return createWorkerPools({
    count: 2,
    memoryLimitBytes: 2 ** 30,
    silenceTimeoutMs: 20_000,
    fusionChunkBudgetMs: 10_000,
    limits: { maxDurationMs: 600_000 },
    env: { builtinModelsDir: join(folder, 'models'), modelsDir: '/nowhere', settings: {} },
    enginesDir: SHIPPED_ENGINES_DIR,
    models: {
      recognizer: () => recognizerRef('builtin'),
      synthesizer: () => null,
      assessor: () => null,
      correctors: () => [],
    },
    warmUp: ['listen'],
    ...changes,
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-workers-test-'));
  const languageModel = join(import.meta.dirname, '../../models/yue/language-model.bin');
  await writeWhistledModels(join(folder, 'models'), languageModel);
  const speech = whistle([null, 'hoeng1', 'gong2', 'jan4', null, 'nei5', 'hou2', null]);
  for (const format of FIXTURE_FORMATS) await writeSound(join(folder, format), speech, format);
  const syllables = ['hoeng1', 'gong2', 'jan4', null];
  const minutes = whistle(Array.from({ length: 640 }, (_, i) => syllables[i % 4] ?? null));
  await writeSound(join(folder, 'long.flac'), minutes, 'flac');
  workers = open();
});
afterAll(async () => {
  await workers.close();
  await rm(folder, { recursive: true, force: true });
});

async function hear(
  path: string,
  signal = new AbortController().signal,
  by = workers,
): Promise<FileRecognitionEvent[]> {
  const events: FileRecognitionEvent[] = [];
  for await (const event of by.listen(path, recognizerModels(recognizerRef('builtin')), options, signal))
    events.push(event);
  return events;
}

const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (thrown: unknown) => (thrown instanceof AppError ? thrown.code : String(thrown)),
  );

const textOf = (events: FileRecognitionEvent[]) =>
  events.flatMap((event) => (event.type === 'segment-end' ? [event.segment.text] : [])).join(' ');

describe('a file becomes text in another process', () => {
  it.each(FIXTURE_FORMATS)('%s', async (format) => {
    const path = join(folder, format);
    expect((await workers.probe(path)).sizeBytes).toBeGreaterThan(1_000);
    const events = await hear(path);
    expect(textOf(events)).toBe('香港人 你好');
    const durationMs = events.flatMap((event) => (event.type === 'audio-end' ? [event.durationMs] : []));
    expect(events.at(-1)?.type).toBe('audio-end');
    expect(Math.abs((durationMs[0] ?? 0) - 4_350)).toBeLessThan(100);
  });

  it('two at a time do not mix, and twenty wait for their turn', async () => {
    const texts = await Promise.all(Array.from({ length: 20 }, async () => textOf(await hear(join(folder, 'wav')))));
    expect(new Set(texts)).toEqual(new Set(['香港人 你好']));
  });
});

describe('what goes wrong has its own error', () => {
  it('foreign, empty, cut and long files', async () => {
    const text = join(folder, 'text');
    await writeFile(text, 'no sound at all');
    expect(await code(workers.probe(text))).toBe('unsupported_audio_format');
    expect(await code(hear(text))).toBe('unsupported_audio_format');
    const cut = join(folder, 'cut.flac');
    const bytes = await readFile(join(folder, 'flac'));
    await writeFile(cut, bytes.subarray(0, bytes.length * 0.7));
    expect(await code(hear(cut))).toBe('corrupt_audio');
    const strict = open({ limits: { maxDurationMs: 2_000 }, warmUp: [] });
    expect(await code(strict.probe(join(folder, 'wav')))).toBe('audio_too_long');
    await strict.close();
  });

  it('an engine that does not exist', async () => {
    const { signal } = new AbortController();
    const events = workers.listen(join(folder, 'wav'), recognizerModels(recognizerRef('no-such')), options, signal);
    expect(await code(Array.fromAsync(events))).toBe('engine_unavailable');
  });

  it('an abort stops the work and leaves the processes as they were', async () => {
    await hear(join(folder, 'wav'));
    const { pids } = workers.stats();
    const abort = new AbortController();
    const work = code(hear(join(folder, 'long.flac'), abort.signal));
    await sleep(300);
    const abortedMs = performance.now();
    abort.abort(new AppError('client_closed_request'));
    expect(await work).toBe('client_closed_request');
    expect(performance.now() - abortedMs).toBeLessThan(2_000);
    expect(textOf(await hear(join(folder, 'wav')))).toBe('香港人 你好');
    expect(workers.stats().pids).toEqual(pids);
  });

  it('a killed process fails only what it worked on, and a probe does not wait behind recognitions', async () => {
    const own = open({ count: 1 });
    const events = own.listen(
      join(folder, 'long.flac'),
      recognizerModels(recognizerRef('builtin')),
      options,
      new AbortController().signal,
    );
    const iterator = events[Symbol.asyncIterator]();
    await iterator.next();
    expect((await own.probe(join(folder, 'wav'))).container).toBe('wav');
    expect(killProcess(own.stats().pids[0])).toBe(true);
    const rest = (async () => {
      while (!(await iterator.next()).done);
    })();
    expect(await code(rest)).toBe('service_unavailable');
    expect(textOf(await hear(join(folder, 'wav'), undefined, own))).toBe('香港人 你好');
    await own.close();
  });

  it('a model that is damaged fails the request, not the service', async () => {
    const models = join(folder, 'broken-models');
    await writeWhistledModels(models, join(folder, 'models/yue/language-model.bin'));
    await writeFile(join(models, 'yue/acoustic.onnx'), 'this is no model');
    const own = open({ env: { builtinModelsDir: models, modelsDir: '/nowhere', settings: {} } });
    expect(await code(hear(join(folder, 'wav'), undefined, own))).toBe('engine_failed');
    expect((await own.probe(join(folder, 'wav'))).container).toBe('wav');
    await own.close();
  });
});

// Again when it fails: other work on the machine may have taken the processor just then.
it('work can be taken within a second and a half of the start', { retry: 2 }, async () => {
  const startedMs = performance.now();
  const own = open();
  await own.ready;
  expect(performance.now() - startedMs).toBeLessThan(1_500);
  await own.close();
});
