import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { writeSound } from '#testbed/sound/audio.ts';
import { whistle, writeWhistledModels } from '#test/audio-whistled.ts';
import { killProcess } from '#test/processes.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import { loadConfig } from '#config/config.ts';
import type { Transcription } from '#features/transcription/transcription-services.ts';
import { wireTranscription } from './wire-transcription.ts';
import { createWorkerPools, type WorkerPools } from '#workers/worker-pools.ts';

const NEVER = new AbortController().signal;
const ENTRIES = Array.from({ length: 3_000 }, (_, index) => ({
  text: `維多利亞港${String.fromCharCode(0x4e00 + index)}`,
  jyutping: 'wai4 do1 lei6 aa3 gong2 jat1',
  weight: 1,
}));

let folder: string;
let pools: WorkerPools;
let transcription: Transcription;
/** The number of corpus entries in each message that a process demanded. */
const supplied: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wire-transcription-test-'));
  await writeWhistledModels(join(folder, 'models'), join(import.meta.dirname, '../../models/yue/language-model.bin'));
  await writeSound(join(folder, 'speech.wav'), whistle([null, 'hoeng1', 'gong2', 'jan4', null]), 'wav');
  const env = { builtinModelsDir: join(folder, 'models'), modelsDir: '/nowhere', settings: {} };
  pools = createWorkerPools({
    count: 1,
    interactive: true,
    warmUp: [],
    modelIdleMs: 600_000,
    memoryLimitBytes: 2 ** 30,
    settings: {
      env,
      enginesDir: SHIPPED_ENGINES_DIR,
      limits: { maxDurationMs: 600_000 },
      silenceTimeoutMs: 20_000,
      fusionChunkBudgetMs: 10_000,
      defaultModels: { recognizer: 'builtin', synthesizer: 'auto' },
    },
  });
  const engines = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
  transcription = wireTranscription(loadConfig({}), engines, {
    stream: (task, input, signal, supply) =>
      pools.stream(task, input, signal, () => {
        const supplying = supply!();
        supplied.push((supplying as typeof ENTRIES).length);
        return supplying;
      }),
  });
});
afterAll(async () => {
  await pools.close();
  await rm(folder, { recursive: true, force: true });
});

/** The kinds of events of one transcription, and what was supplied for it. */
async function transcribe(corporaKey: string, context: string | null = null) {
  supplied.length = 0;
  const call = {
    path: join(folder, 'speech.wav'),
    models: recognizerModels(recognizerRef('builtin')),
    options: { language: 'cantonese', context, withDiarization: false },
  } as const;
  const bias = { corporaKey, entries: ENTRIES };
  const events = await Array.fromAsync(transcription.transcribeInWorker(call, bias, NEVER));
  return { last: events.at(-1)?.type, types: new Set(events.map(({ type }) => type)), supplied: [...supplied] };
}

const DONE = { last: 'result', types: new Set(['progress', 'recognizer', 'segment-end', 'result-part', 'result']) };

it('the entries of corpora go to a process once, whatever the context of the requests', async () => {
  expect(await transcribe('hk 1')).toEqual({ ...DONE, supplied: [3_000] });
  expect(await transcribe('hk 1')).toEqual({ ...DONE, supplied: [] });
  expect(await transcribe('hk 1', '天文台')).toEqual({ ...DONE, supplied: [] });
});

it('a changed corpus and a new process receive the entries again', async () => {
  await transcribe('hk 1');
  expect(await transcribe('hk 2')).toEqual({ ...DONE, supplied: [3_000] });
  killProcess(pools.stats().batch.pids[0]);
  await expect.poll(() => pools.stats().batch.processes).toBe(0);
  expect(await transcribe('hk 2')).toEqual({ ...DONE, supplied: [3_000] });
});
