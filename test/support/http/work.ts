import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import { endAllJoined } from '../transcription-records.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import type {
  Fusion,
  TranscriptionOptions,
  TranscriptionRecord,
  TranscriptionResult,
} from '@jyutsing/contracts/transcription';
import type { ServerDeps } from '#server/http/deps.ts';
import type { Store } from '#server/store/store.ts';

/** Settings that tests change while their server runs. */
export type WorkState = {
  /** Records stay `processing` for as long as this is true. */
  workIsHeld: boolean;
  engineVersion: string;
};

/** The recognized text of every recording; a context of `FAIL` makes the job fail instead. */
const HEARD: Segment[] = [
  { text: '早晨', startMs: 0, endMs: 400, words: [], speaker: null, confidence: null },
  { text: '你好媽', startMs: 500, endMs: 1_000, words: [], speaker: null, confidence: null },
];

/** The corrected text when the context is `FUSE`. */
const FUSED: Fusion = {
  segments: HEARD.map((segment) => ({ ...segment, text: segment.text.replace('媽', '嗎') })),
  romanization: ['zou2 san4', 'nei5 hou2 maa3'],
};

/** This server has no diarization, no English and no other model. */
export function planTranscription(options: TranscriptionOptions, { engineVersion }: WorkState): TranscriptionPlan {
  const { language, model, withDiarization, context, skipFusion, corpusIds } = options;
  if (model !== null && model !== 'test') throw new AppError('model_not_found');
  if (language === 'english' || withDiarization) throw new AppError('engine_unavailable');
  const willFuse = context === 'FUSE' && !skipFusion && corpusIds?.length !== 0;
  return {
    backend: language === 'auto' ? 'auto' : 'test',
    version: `test ${engineVersion}`,
    willFuse,
    models: recognizerModels(recognizerRef('test')),
  };
}

/** Changes a record like the job of `jobs/transcribe.ts`, without recognition. */
export async function transcribe(store: Store, id: string, state: WorkState): Promise<void> {
  await endOne(store, id, state);
  await endAllJoined(store, id);
}

async function endOne(store: Store, id: string, state: WorkState): Promise<void> {
  if (!(await store.transcriptions.start(id))) return;
  while (state.workIsHeld) {
    if ((await store.transcriptions.findState(id)) === null) return;
    await sleep(5);
  }
  const record = await store.transcriptions.find(id);
  if (record === null) return;
  if (record.options.context === 'FAIL') {
    const error = { code: 'corrupt_audio', message: 'The audio file is damaged or incomplete.' } as const;
    await store.transcriptions.fail(id, { error, processingSeconds: 0.25 });
    return;
  }
  if (record.options.context === 'BUSY') {
    const error = { code: 'service_unavailable', message: 'The server is busy.', retryAfterSeconds: 20 } as const;
    await store.transcriptions.fail(id, { error, processingSeconds: 0.25 });
    return;
  }
  const { willFuse } = planTranscription(record.options, state);
  const result: TranscriptionResult = {
    language: 'cantonese',
    backend: 'test',
    segments: HEARD,
    fusion: willFuse ? FUSED : null,
    durationMs: record.durationMs,
    transcriptionSeconds: 0.25,
    fusionSeconds: willFuse ? 0.125 : 0,
    isCached: false,
  };
  await store.transcriptions.complete(id, {
    result,
    cacheKey: record.cacheKey,
    processingSeconds: 0.5,
    creditsUsed: Math.max(1, Math.ceil(record.durationMs / 1_000)),
  });
}

/** Reports the progress of records by polling the store. `closing` ends all waiting. */
export function watchStore(
  { transcriptions }: Store,
  closing: AbortSignal,
): Pick<ServerDeps, 'waitForTranscription' | 'followTranscription' | 'followProgress'> {
  const LOOK_EVERY_MS = 10;
  const waitFor = async (id: string, signal: AbortSignal): Promise<TranscriptionRecord> => {
    for (;;) {
      AbortSignal.any([signal, closing]).throwIfAborted();
      const record = await transcriptions.find(id);
      if (record === null) throw new AppError('not_found', 'The transcription was deleted.');
      if (record.status === 'completed' || record.status === 'failed') return record;
      await sleep(LOOK_EVERY_MS);
    }
  };
  return {
    waitForTranscription: waitFor,

    async *followTranscription(id, signal) {
      const record = await waitFor(id, signal);
      yield* record.status === 'completed' ? record.result.segments : [];
      return record;
    },

    async *followProgress(id, signal) {
      let last = '';
      for (;;) {
        AbortSignal.any([signal, closing]).throwIfAborted();
        const found = (await transcriptions.findProgress([id])).get(id);
        if (found === undefined || found.status === 'completed' || found.status === 'failed')
          return waitFor(id, signal);
        const { status: _, ...report } = found;
        if (JSON.stringify(report) !== last) yield report;
        last = JSON.stringify(report);
        await sleep(LOOK_EVERY_MS);
      }
    },
  };
}
