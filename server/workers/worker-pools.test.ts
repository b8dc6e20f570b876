import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionEvent } from '@jyutsing/contracts/transcription';
import { SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { FIXTURE_FORMATS, tones, writeSound } from '#testbed/sound/audio.ts';
import { whistle, writeWhistledModels } from '#test/audio-whistled.ts';
import { writeTracks } from '#test/write-tracks.ts';
import { opusPackets } from '#test/opus-packets.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import { killProcess } from '#test/processes.ts';
import { cpuSeconds } from '#testbed/service/process-tree.ts';
import type { WorkerSettings } from './define-task.ts';
import { createSoundDecoders } from './sound-decoders.ts';
import { probe } from './tasks/probe.ts';
import { transcriptionTask } from './tasks/transcribe.ts';
import { createWorkerPools, type WorkerPools, type WorkerPoolsOptions } from './worker-pools.ts';

const options = { language: 'cantonese', context: null, withDiarization: false } as const;
const builtinModels = recognizerModels(recognizerRef('builtin'));
let folder = '';
let pools: WorkerPools;

type Changes = Partial<Omit<WorkerPoolsOptions, 'settings'>> & Partial<WorkerSettings>;

function open({
  count = 2,
  warmUp = [transcriptionTask],
  modelIdleMs = 600_000,
  ...settings
}: Changes = {}): WorkerPools {
  return createWorkerPools({
    count,
    interactive: true,
    warmUp,
    modelIdleMs,
    memoryLimitBytes: 2 ** 30,
    settings: {
      env: { builtinModelsDir: join(folder, 'models'), modelsDir: '/nowhere', settings: {} },
      enginesDir: SHIPPED_ENGINES_DIR,
      limits: { maxDurationMs: 600_000 },
      silenceTimeoutMs: 20_000,
      fusionChunkBudgetMs: 10_000,
      defaultModels: { recognizer: 'builtin', synthesizer: 'auto' },
      ...settings,
    },
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'worker-pools-test-'));
  const languageModel = join(import.meta.dirname, '../../models/yue/language-model.bin');
  await writeWhistledModels(join(folder, 'models'), languageModel);
  const speech = whistle([null, 'hoeng1', 'gong2', 'jan4', null, 'nei5', 'hou2', null]);
  for (const format of FIXTURE_FORMATS) await writeSound(join(folder, format), speech, format);
  const syllables = ['hoeng1', 'gong2', 'jan4', null];
  const minutes = whistle(Array.from({ length: 640 }, (_, i) => syllables[i % 4] ?? null));
  await writeSound(join(folder, 'long.flac'), minutes, 'flac');
  pools = open();
});
afterAll(async () => {
  await pools.close();
  await rm(folder, { recursive: true, force: true });
});

const recognizing = (path: string, signal = new AbortController().signal, by = pools) =>
  by.stream(transcriptionTask, { path, models: builtinModels, options, corporaKey: null }, signal);
const recognizeAll = (path: string, signal?: AbortSignal, by?: WorkerPools) =>
  Array.fromAsync(recognizing(path, signal, by));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (thrown: unknown) => (thrown instanceof AppError ? thrown.code : String(thrown)),
  );

const textOf = (events: TranscriptionEvent[]) =>
  events.flatMap((event) => (event.type === 'segment-end' ? [event.segment.text] : [])).join(' ');

async function secondsOf(sound: AsyncIterable<Float32Array>): Promise<number> {
  const pieces = await Array.fromAsync(sound);
  return pieces.reduce((sum, { length }) => sum + length, 0) / 16_000;
}

describe('a file is recognized in a worker process', () => {
  it.each(FIXTURE_FORMATS)('%s', async (format) => {
    const path = join(folder, format);
    expect((await pools.run(probe, { path })).sizeBytes).toBeGreaterThan(1_000);
    const events = await recognizeAll(path);
    expect(textOf(events)).toBe('香港人。 你好。');
    const durationMs = events.flatMap((event) => (event.type === 'result' ? [event.result.durationMs] : []));
    expect(events.at(-1)?.type).toBe('result');
    expect(Math.abs((durationMs[0] ?? 0) - 4_350)).toBeLessThan(100);
  });

  it('simultaneous recognitions do not mix, and others wait in a queue', async () => {
    const texts = await Promise.all(
      Array.from({ length: 20 }, async () => textOf(await recognizeAll(join(folder, 'wav')))),
    );
    expect(new Set(texts)).toEqual(new Set(['香港人。 你好。']));
  });
});

it('a recording that ends too early is recognized as far as it goes, and says so', async () => {
  const cut = join(folder, 'cut.flac');
  const bytes = await readFile(join(folder, 'flac'));
  await writeFile(cut, bytes.subarray(0, bytes.length * 0.7));
  const events = await recognizeAll(cut);
  expect(textOf(events)).toMatch(/^香港人。/);
  expect(events.at(-1)).toMatchObject({ type: 'result', result: { notice: 'cut_off' } });
});

it('of several sound tracks the best is recognized, and the result says which', async () => {
  const path = join(folder, 'film.mov');
  const sound = whistle([null, 'hoeng1', 'gong2', 'jan4', null]);
  writeTracks(path, 'mov', [{ sound: tones([{ frequencyHz: 300, durationMs: 1_000 }]), codec: 'dts' }, { sound }]);
  const events = await recognizeAll(path);
  expect(textOf(events)).toBe('香港人。');
  const track = { channels: 1, language: null, title: null };
  expect(events.at(-1)).toMatchObject({
    type: 'result',
    result: {
      tracks: [
        { ...track, codec: 'dts', isUsed: false },
        { ...track, codec: 'pcm_s16le', isUsed: true },
      ],
    },
  });
});

describe('each failure has its own error', () => {
  it('unsupported, damaged and long files', async () => {
    const text = join(folder, 'text');
    await writeFile(text, 'not audio');
    expect(await code(pools.run(probe, { path: text }))).toBe('unsupported_audio_format');
    expect(await code(recognizeAll(text))).toBe('unsupported_audio_format');
    const unfinished = join(folder, 'unfinished.m4a');
    const bytes = await readFile(join(folder, 'm4a'));
    await writeFile(unfinished, bytes.subarray(0, bytes.length * 0.7));
    expect(await code(recognizeAll(unfinished))).toBe('corrupt_audio');
    const strict = open({ limits: { maxDurationMs: 2_000 }, warmUp: [] });
    expect(await code(strict.run(probe, { path: join(folder, 'wav') }))).toBe('audio_too_long');
    await strict.close();
  });

  it('an engine that does not exist', async () => {
    const { signal } = new AbortController();
    const models = recognizerModels(recognizerRef('no-such'));
    const events = pools.stream(
      transcriptionTask,
      { path: join(folder, 'wav'), models, options, corporaKey: null },
      signal,
    );
    expect(await code(Array.fromAsync(events))).toBe('engine_unavailable');
  });

  it('an abort stops the work and keeps the processes', async () => {
    await recognizeAll(join(folder, 'wav'));
    const pids = pools.stats().batch.pids.toSorted();
    const abort = new AbortController();
    const events = recognizing(join(folder, 'long.flac'), abort.signal)[Symbol.asyncIterator]();
    // It waits for its events to be read.
    await events.next();
    abort.abort(new AppError('client_closed_request'));
    const rest = async () => {
      while (!(await events.next()).done);
    };
    expect(await code(rest())).toBe('client_closed_request');
    expect(textOf(await recognizeAll(join(folder, 'wav')))).toBe('香港人。 你好。');
    expect(pools.stats().batch.pids.toSorted()).toEqual(pids);
  });

  it('a killed process fails only its own task, and a probe does not wait behind recognitions', async () => {
    const singlePools = open({ count: 1 });
    const iterator = recognizing(join(folder, 'long.flac'), undefined, singlePools)[Symbol.asyncIterator]();
    await iterator.next();
    expect((await singlePools.run(probe, { path: join(folder, 'wav') })).container).toBe('wav');
    expect(killProcess(singlePools.stats().batch.pids[0])).toBe(true);
    const rest = (async () => {
      while (!(await iterator.next()).done);
    })();
    expect(await code(rest)).toBe('service_unavailable');
    expect(textOf(await recognizeAll(join(folder, 'wav'), undefined, singlePools))).toBe('香港人。 你好。');
    await singlePools.close();
  });

  it('a live decoder that is killed in mid-stream fails its stream, and the next one is decoded', async () => {
    const decoders = createSoundDecoders(pools, 1);
    const packets = opusPackets(tones([{ frequencyHz: 440, durationMs: 1_000 }], 48_000));
    const never = new AbortController().signal;
    const killed = decoders.open({ encoding: 'opus', channels: 1 }, 'a', never);
    const ended = code(secondsOf(killed.sound));
    for (const packet of packets) await killed.write(packet);
    // Waits until the process has decoded the packets.
    await killed.settled();
    expect(pools.stats().decoding.pids.map(killProcess)).toEqual([true]);
    expect(await ended).toBe('service_unavailable');
    await killed.write(packets[0]!);
    const next = decoders.open({ encoding: 'opus', channels: 1 }, 'a', never);
    const seconds = secondsOf(next.sound);
    for (const packet of packets) await next.write(packet);
    next.end();
    expect(await seconds).toBeCloseTo(1, 1);
  });

  it('a damaged model fails the request, not the service', async () => {
    const models = join(folder, 'broken-models');
    await writeWhistledModels(models, join(folder, 'models/yue/language-model.bin'));
    await writeFile(join(models, 'yue/acoustic.onnx'), 'not a model');
    const damagedPools = open({ env: { builtinModelsDir: models, modelsDir: '/nowhere', settings: {} } });
    expect(await code(recognizeAll(join(folder, 'wav'), undefined, damagedPools))).toBe('engine_failed');
    expect((await damagedPools.run(probe, { path: join(folder, 'wav') })).container).toBe('wav');
    await damagedPools.close();
  });
});

describe('processes', () => {
  it('interactive work does not wait for recordings, however many are recognized', async () => {
    const singlePools = open({ count: 1 });
    const abort = new AbortController();
    const long = Array.from({ length: 3 }, () =>
      code(recognizeAll(join(folder, 'long.flac'), abort.signal, singlePools)),
    );
    await expect.poll(() => singlePools.stats().batch).toMatchObject({ busy: 1, queued: 2 });
    const probes = Array.from({ length: 3 }, () => singlePools.run(probe, { path: join(folder, 'wav') }));
    expect((await Promise.all(probes)).map(({ container }) => container)).toEqual(['wav', 'wav', 'wav']);
    expect(singlePools.stats().batch).toMatchObject({ busy: 1, queued: 2 });
    abort.abort(new AppError('client_closed_request'));
    expect(await Promise.all(long)).toEqual(Array.from({ length: 3 }, () => 'client_closed_request'));
    await singlePools.close();
  });

  it('end when their models are idle; one without models is left', async () => {
    const idlePools = open({ warmUp: [], modelIdleMs: 300 });
    await idlePools.ready;
    expect(idlePools.stats()).toMatchObject({ interactive: { processes: 1 }, batch: { processes: 0 } });
    expect((await idlePools.run(probe, { path: join(folder, 'wav') })).container).toBe('wav');
    const probed = idlePools.stats().interactive.pids;
    await recognizeAll(join(folder, 'wav'), undefined, idlePools);
    const recognized = idlePools.stats().batch.pids;
    expect(recognized).toHaveLength(1);
    await expect
      .poll(() => idlePools.stats())
      .toMatchObject({ interactive: { processes: 1 }, batch: { processes: 0 } });
    await expect.poll(() => [...probed, ...recognized].filter(isRunning)).toEqual([]);
    expect(textOf(await recognizeAll(join(folder, 'wav'), undefined, idlePools))).toBe('香港人。 你好。');
    await idlePools.close();
  });
});

it('every file in tasks/ exports one task named like the file', async () => {
  const files = await readdir(join(import.meta.dirname, 'tasks'));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const exported = Object.values((await import(`./tasks/${file}`)) as Record<string, { name: string }>);
    expect(exported.map(({ name }) => `${name}.ts`)).toEqual([file]);
  }
});

it('each process is ready within 1.5 s of processor time', async () => {
  const otherPools = open();
  await otherPools.ready;
  const seconds = Object.values(otherPools.stats()).flatMap(({ pids }) => pids.map(cpuSeconds));
  await otherPools.close();
  expect(seconds.length).toBeGreaterThan(0);
  expect(Math.max(...seconds)).toBeLessThan(1.5);
});
