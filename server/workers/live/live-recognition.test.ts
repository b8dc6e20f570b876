import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import {
  DEFAULT_TURN_DETECTION,
  type LiveEvent,
  type LiveOptions,
  type LiveRequest,
  type LiveRecognition,
  type LiveSession,
} from '@jyutsing/contracts/live-recognition';
import { enginesIn, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { whistle, writeWhistledModels } from '#test/audio-whistled.ts';
import { killProcess } from '#test/processes.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import { createWorkerPools, type WorkerPools } from '#workers/worker-pools.ts';
import type { WorkerSettings } from '#workers/define-task.ts';
import { createEngineCache, type EngineCache } from '#workers/engine-cache.ts';
import { recognizeLive } from '#workers/tasks/recognize-live.ts';
import { createLiveRecognition } from './live-recognition.ts';

const never = new AbortController().signal;
const options: LiveRequest = {
  accountId: 'a',
  models: recognizerModels(recognizerRef('builtin')),
  context: null,
  turnDetection: DEFAULT_TURN_DETECTION,
};
const twoSentences = soundOf([null, 'hoeng1', 'gong2', 'jan4', null, 'nei5', 'hou2', null]);
let folder = '';
let settings: WorkerSettings;
let pools: WorkerPools;
let live: LiveRecognition;

function soundOf(syllables: (string | null)[]): Float32Array {
  return whistle(syllables).channels[0] ?? new Float32Array(0);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'live-test-'));
  await writeWhistledModels(
    join(folder, 'models'),
    join(import.meta.dirname, '../../../models/yue/language-model.bin'),
  );
  settings = {
    env: { builtinModelsDir: join(folder, 'models'), modelsDir: '/nowhere', settings: {} },
    enginesDir: SHIPPED_ENGINES_DIR,
    limits: { maxDurationMs: 600_000 },
    silenceTimeoutMs: 20_000,
    fusionChunkBudgetMs: 10_000,
    defaultModels: { recognizer: 'builtin', synthesizer: 'auto' },
  };
  const limits = { count: 2, interactive: true, modelIdleMs: 600_000, memoryLimitBytes: 2 ** 30 };
  pools = createWorkerPools({ ...limits, warmUp: [recognizeLive], settings });
  live = createLiveRecognition(pools, 2);
});
afterAll(async () => {
  await pools.close();
  await rm(folder, { recursive: true, force: true });
});

async function writeAll(session: LiveSession, samples: Float32Array): Promise<void> {
  for (let at = 0; at < samples.length; at += 1_600) await session.write(samples.slice(at, at + 1_600));
}

async function recognize(samples: Float32Array, changes: Partial<LiveOptions> = {}): Promise<LiveEvent[]> {
  const session = live.open({ ...options, ...changes }, never);
  const events = Array.fromAsync(session.events);
  await writeAll(session, samples);
  session.end();
  return events;
}

const ends = (events: readonly LiveEvent[]) => events.filter((event) => event.type === 'segment-end');
const textsOf = (events: readonly LiveEvent[]) => ends(events).map(({ text }) => text);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (thrown: unknown) => (thrown instanceof AppError ? thrown.code : thrown),
  );

it('a warm-up starts a process and loads the models of Cantonese', async () => {
  await expect.poll(() => pools.stats().live, { timeout: 60_000 }).toMatchObject({ processes: 1, busy: 0 });
  // A warm-up that fails is silent in the pools, so it runs here once more.
  const cache = createEngineCache(enginesIn(settings));
  const opened: string[] = [];
  const open: EngineCache['open'] = (ref) => {
    opened.push(`${ref.ability} ${ref.model}`);
    return cache.open(ref);
  };
  await recognizeLive.warmUp?.({ ...settings, engines: { ...cache, open } }, never);
  expect(opened).toEqual(['recognizer builtin']);
});

describe('a live session', () => {
  it('gives each stretch of speech its text, with times of the session', async () => {
    const events = await recognize(twoSentences);
    expect(textsOf(events)).toEqual(['香港人。', '你好。']);
    const [first, second] = ends(events);
    expect(first).toMatchObject({ segment: 0, reason: 'silence', language: 'cantonese' });
    expect(second).toMatchObject({ segment: 1 });
    expect(Math.abs((first?.words[1]?.startMs ?? 0) - 1_270)).toBeLessThan(120);
    expect(Math.abs((second?.words[0]?.startMs ?? 0) - 2_810)).toBeLessThan(120);
  });

  it('reports beginning and end of speech before the text', async () => {
    const events = await recognize(twoSentences);
    const types = events
      .filter(({ type }) => type !== 'segment-delta')
      .map(({ type, segment }) => `${type} ${segment}`);
    const inOrder = (segment: number) => types.filter((type) => type.endsWith(` ${segment}`));
    for (const segment of [0, 1]) {
      expect(inOrder(segment)).toEqual([`speech-start ${segment}`, `speech-end ${segment}`, `segment-end ${segment}`]);
    }
  });

  it('without turn detection a commit ends the segment, whatever pauses it has', async () => {
    const session = live.open({ ...options, turnDetection: null }, never);
    const events = Array.fromAsync(session.events);
    await writeAll(session, twoSentences);
    session.commit();
    session.commit();
    session.end();
    expect(textsOf(await events)).toEqual(['香港人。你好。', '']);
    expect((await events).map(({ type }) => type)).not.toContain('speech-start');
  });

  it('drops what was not committed', async () => {
    const session = live.open({ ...options, turnDetection: null }, never);
    const events = Array.fromAsync(session.events);
    await writeAll(session, soundOf([null, 'hoeng1', 'gong2', 'jan4', null]));
    session.clear();
    await writeAll(session, soundOf([null, 'nei5', 'hou2', null]));
    session.end();
    expect(textsOf(await events)).toEqual(['你好。']);
  });

  it('takes 16-bit sound too, and silence gives nothing', async () => {
    const session = live.open(options, never);
    const events = Array.fromAsync(session.events);
    await session.write(new Int16Array(48_000));
    session.end();
    expect(await events).toEqual([]);
  });

  it('fails only its segments when there is no such model', async () => {
    const models = recognizerModels(recognizerRef('no-such-engine'));
    const events = await recognize(twoSentences, { models });
    const failed = events.filter((event) => event.type === 'segment-failed');
    expect(failed.map(({ segment, error }) => [segment, error.code])).toEqual([
      [0, 'engine_unavailable'],
      [1, 'engine_unavailable'],
    ]);
  });
});

describe('sessions together', () => {
  it('each have their own text', async () => {
    const sounds = [
      ['hoeng1', 'gong2', 'jan4'],
      ['nei5', 'hou2'],
      ['jat1', 'ji6', 'saam1'],
    ];
    const all = await Promise.all([...sounds, ...sounds].map((sound) => recognize(soundOf([null, ...sound, null]))));
    const texts = all.map(textsOf);
    expect(texts.slice(0, 3)).toEqual(texts.slice(3));
    expect(texts.slice(0, 2)).toEqual([['香港人。'], ['你好。']]);
  });

  it('one that is never read does not hold up another', async () => {
    const stalled = live.open(options, never);
    void writeAll(stalled, twoSentences);
    expect(textsOf(await recognize(twoSentences))).toEqual(['香港人。', '你好。']);
    stalled.end();
    await Array.fromAsync(stalled.events);
  });

  it('a write of minutes waits until the process has taken most of it', async () => {
    const flood = new AbortController();
    const session = live.open(options, flood.signal);
    let isTaken = false;
    const events = Array.fromAsync(session.events);
    void session.write(new Float32Array(16_000 * 600)).then(() => (isTaken = true));
    expect(textsOf(await recognize(twoSentences))).toEqual(['香港人。', '你好。']);
    session.end();
    expect(await events).toEqual([]);
    expect(isTaken).toBe(true);
  });

  it('an abort ends one with its reason and leaves the others', async () => {
    const leaving = new AbortController();
    const session = live.open(options, leaving.signal);
    const reason = new AppError('client_closed_request');
    const ended = failure(Array.fromAsync(session.events));
    await session.write(twoSentences.slice(0, 16_000));
    const other = recognize(twoSentences);
    leaving.abort(reason);
    expect(await ended).toBe('client_closed_request');
    expect(textsOf(await other)).toEqual(['香港人。', '你好。']);
    await expect.poll(() => live.count()).toBe(0);
  });

  it('a crash of their process ends them with an error, and the next one works', async () => {
    const sessions = [live.open(options, never), live.open(options, never)];
    const ended = sessions.map((session) => failure(Array.fromAsync(session.events)));
    for (const session of sessions) await session.write(twoSentences);
    for (const pid of pools.stats().live.pids) killProcess(pid);
    for (const code of await Promise.all(ended)) expect(code).toBe('service_unavailable');
    for (const session of sessions) await session.write(twoSentences);
    await expect.poll(() => pools.stats().live.processes).toBe(0);
    expect(textsOf(await recognize(twoSentences))).toEqual(['香港人。', '你好。']);
  });

  it('the processes end with the pools, and their sessions with an error', async () => {
    const session = live.open(options, never);
    const ended = failure(Array.fromAsync(session.events));
    await session.write(twoSentences);
    await pools.close();
    expect(await ended).toBe('service_unavailable');
  });
});

it('a process is prepared for the first session, which uses it, and for no further one', async () => {
  const limits = { count: 1, interactive: true, modelIdleMs: 600_000, memoryLimitBytes: 2 ** 30 };
  const prepared = createWorkerPools({ ...limits, warmUp: [], settings });
  const connected: unknown[] = [];
  const counted = createLiveRecognition(
    {
      connect(...parameters) {
        connected.push(parameters[0]);
        return prepared.connect(...parameters);
      },
    },
    2,
  );
  counted.prepare(options);
  counted.prepare(options);
  expect([connected.length, counted.count()]).toEqual([1, 1]);
  const stopped = new AbortController();
  const session = counted.open(options, stopped.signal);
  await session.write(twoSentences.slice(0, 1_600));
  expect([connected.length, counted.count()]).toEqual([1, 2]);
  stopped.abort(new AppError('client_closed_request'));
  await expect.poll(() => counted.count()).toBe(1);
  await prepared.close();
});
