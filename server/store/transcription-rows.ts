import { AppError, type SerializedError } from '@jyutsing/contracts/errors';
import {
  isFinal,
  type CompletedTranscription,
  type TranscriptionRecord,
  type TranscriptionRequest,
  type TranscriptionResult,
  type TranscriptionSummary,
  type WorkProgress,
} from '@jyutsing/contracts/transcription';
import { columnNames, fromColumns, toColumns, type FieldList } from './columns.ts';
import { fromJson, fromJsonOrNull, type Database, type TranscriptionFields } from './database-types.ts';
import type { NO_WORK } from './joined-work.ts';

type Row = Database['transcriptions'];

const REQUEST: FieldList<TranscriptionRequest> = {
  id: 'plain',
  accountId: 'plain',
  blobKey: 'plain',
  contentSha256: 'plain',
  sizeBytes: 'plain',
  options: 'json',
  plan: 'json',
  durationMs: 'plain',
  outputLanguage: 'plain',
  backend: 'plain',
  cacheKey: 'plain',
  callbackUrl: 'plain',
  batchId: 'plain',
  batchPosition: 'plain',
  title: 'plain',
  editVersion: 'plain',
  editedAtMs: 'plain',
  createdAtMs: 'plain',
};

const PROGRESS: FieldList<WorkProgress> = {
  stage: 'plain',
  processedMs: 'plain',
  startedAtMs: 'plain',
  progressAtMs: 'plain',
};

type StoredResult = Omit<TranscriptionResult, 'backend' | 'fusion'> &
  Partial<Pick<TranscriptionResult, 'backend' | 'fusion'>>;

/** Everything but the result, whose texts may be large. */
export const SUMMARY_COLUMNS = [
  ...columnNames(REQUEST),
  ...columnNames(PROGRESS),
  'status',
  'error',
  'processing_seconds',
  'credits_used',
  'finished_at_ms',
] as const;

const UNKNOWN_ERROR: SerializedError = { code: 'internal_error', message: 'The transcription failed.' };

export function toRow(record: TranscriptionRecord): Omit<Row, keyof typeof NO_WORK> {
  const empty = {
    result: null,
    edit: null,
    error: null,
    processingSeconds: null,
    creditsUsed: null,
    finishedAtMs: null,
  };
  if (!isFinal(record)) return toColumns<TranscriptionFields>({ ...empty, ...record });
  const progress = { stage: 'queued', processedMs: record.durationMs, progressAtMs: record.finishedAtMs } as const;
  return toColumns<TranscriptionFields>({ ...empty, ...progress, ...record });
}

export function toRecord(row: Row): TranscriptionRecord {
  const summary = toSummary(row);
  return summary.status === 'completed' ? withResult(summary, row) : summary;
}

export function toCompleted(row: Row): CompletedTranscription {
  const record = toRecord(row);
  if (record.status === 'completed') return record;
  throw new AppError('internal_error', undefined, { cause: `transcription ${row.id} is not completed` });
}

function withResult(
  summary: Omit<CompletedTranscription, 'result' | 'edit'>,
  { result, edit }: Row,
): CompletedTranscription {
  if (result !== null) {
    // The first versions had no correction, and wrote the recognizer into the record only.
    const { backend = summary.backend, fusion = null, ...rest }: StoredResult = fromJson(result);
    return { ...summary, result: { ...rest, backend, fusion }, edit: fromJsonOrNull(edit) };
  }
  throw new AppError('internal_error', undefined, { cause: `completed transcription ${summary.id} has no result` });
}

export function toSummary(row: Omit<Row, 'result' | 'edit' | keyof typeof NO_WORK>): TranscriptionSummary {
  const request = fromColumns(REQUEST, row);
  const { status, processing_seconds: processingSeconds, started_at_ms: startedAtMs } = row;
  const finishedAtMs = row.finished_at_ms ?? row.created_at_ms;
  switch (status) {
    case 'completed':
      return {
        ...request,
        status,
        processingSeconds: processingSeconds ?? 0,
        creditsUsed: row.credits_used ?? 0,
        startedAtMs,
        finishedAtMs,
      };
    case 'failed':
      return {
        ...request,
        status,
        error: fromJsonOrNull(row.error) ?? UNKNOWN_ERROR,
        processingSeconds,
        startedAtMs,
        finishedAtMs,
      };
    default:
      return { ...request, ...fromColumns(PROGRESS, row), status };
  }
}
