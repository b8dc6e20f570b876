// Transcription records for tests.
import type { TranscriptionRecord, TranscriptionRequest, TranscriptionResult } from '@jyutsing/contracts/transcription';
import type { TranscriptionFields } from '#server/store/database-types.ts';
import type { Repositories } from '#server/store/store.ts';
import { recognizerModels, recognizerRef } from './transcription-models.ts';

/** A result of an engine. */
export function newResult(): TranscriptionResult {
  const word = { text: '你', reading: 'nei5', startMs: 0, endMs: 180, confidence: 0.93 };
  const segment = { text: '你', startMs: 0, endMs: 180, words: [word], speaker: null, confidence: null };
  return {
    language: 'cantonese',
    backend: 'test',
    segments: [segment],
    fusion: null,
    durationMs: 2_900,
    transcriptionSeconds: 0.4,
    fusionSeconds: 0,
    isCached: false,
  };
}

/** Ends the records that joined a final one. */
export async function endAllJoined(
  { transcriptions }: Pick<Repositories, 'transcriptions'>,
  id: string,
): Promise<void> {
  while ((await transcriptions.endJoined(id)).length > 0);
}

/** Fields of any status; those of other statuses are ignored. */
export type RecordChange = Partial<TranscriptionFields>;

/** A record: pending unless `change` says otherwise. */
export function newRecord(accountId: string, change: RecordChange = {}): TranscriptionRecord {
  const {
    status = 'pending',
    stage = 'queued',
    processedMs = 0,
    startedAtMs = null,
    progressAtMs = null,
    result = null,
    edit = null,
    error = null,
    processingSeconds = null,
    creditsUsed = null,
    finishedAtMs = null,
    ...requestChange
  } = change;
  const request = { ...newRequest(accountId), ...requestChange };
  const finished = { startedAtMs, finishedAtMs: finishedAtMs ?? request.createdAtMs };
  switch (status) {
    case 'completed':
      return {
        ...request,
        status,
        result: result ?? newResult(),
        edit,
        processingSeconds: processingSeconds ?? 0,
        creditsUsed: creditsUsed ?? 0,
        ...finished,
      };
    case 'failed':
      return {
        ...request,
        status,
        error: error ?? { code: 'internal_error', message: 'The transcription failed.' },
        processingSeconds,
        ...finished,
      };
    default:
      return { ...request, status, stage, processedMs, startedAtMs, progressAtMs };
  }
}

function newRequest(accountId: string): TranscriptionRequest {
  return {
    id: crypto.randomUUID(),
    accountId,
    blobKey: 'uploads/one',
    contentSha256: 'ab'.repeat(32),
    sizeBytes: 1_234,
    options: {
      language: 'auto',
      withTimestamp: true,
      withDiarization: false,
      context: '天氣',
      skipFusion: false,
      corpusIds: null,
      model: null,
    },
    plan: {
      backend: 'builtin',
      version: 'test',
      willFuse: false,
      models: recognizerModels(recognizerRef('builtin')),
    },
    durationMs: 3_000,
    outputLanguage: 'auto',
    backend: 'builtin',
    cacheKey: '',
    callbackUrl: null,
    batchId: null,
    batchPosition: null,
    title: null,
    editVersion: 0,
    editedAtMs: null,
    createdAtMs: Date.now(),
  };
}
