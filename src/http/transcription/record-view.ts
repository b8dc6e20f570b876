import type { z } from 'zod';
import { AppError, deserializeError } from '#contracts/errors.ts';
import type { TranscriptionOptions, TranscriptionRecord, TranscriptionResult } from '#contracts/transcription.ts';
import { formatBlocks, formatDiarization, formatPlain } from '#features/transcription/format.ts';
import type { BlockingAnswer, Record } from './schema.ts';

/** The record as the poll shows it: each field is there exactly in the states that the interface gives it. */
export function viewRecord(record: TranscriptionRecord): z.output<typeof Record> {
  const { status, options, result } = record;
  const view: z.output<typeof Record> = {
    request_id: record.id,
    status,
    duration_s: record.durationMs / 1_000,
    output_language: result?.language ?? record.outputLanguage,
  };
  if (status !== 'failed') {
    view.backend = result?.backend ?? record.backend;
    view.with_diarization = options.withDiarization;
    view.include_timestamp = options.withTimestamp;
  }
  if (options.context !== null) view.context = options.context;
  if (status === 'completed' && result !== null) {
    const { text, diarization } = shapeText(result, options);
    view.transcription = text;
    if (diarization !== null) view.diarization = diarization;
    view.processing_time = processingSeconds(record);
    view.transcription_time = result.transcriptionSeconds;
    view.fusion_time = result.fusionSeconds;
    view.credits_used = record.creditsUsed ?? 0;
  }
  if (status === 'failed') {
    view.processing_time = processingSeconds(record);
    view.error = record.error?.message ?? 'The transcription failed.';
  }
  return view;
}

/** The final record as the blocking form shows it. Throws the error that a failed one ended with. */
export function viewBlocking(record: TranscriptionRecord): z.output<typeof BlockingAnswer> {
  if (record.error !== null) throw deserializeError(record.error);
  if (record.result === null) throw new AppError('internal_error');
  const { text, diarization } = shapeText(record.result, record.options);
  return {
    text,
    ...(diarization === null ? {} : { diarization }),
    duration: (record.result.durationMs / 1_000).toFixed(6),
    ...(record.result.isCached ? { is_cached: true } : {}),
    process_time: processingSeconds(record),
  };
}

function shapeText(
  { segments }: TranscriptionResult,
  { withTimestamp, withDiarization }: TranscriptionOptions,
): { text: string; diarization: string | null } {
  if (withTimestamp) return { text: formatBlocks(segments, { speakers: withDiarization }), diarization: null };
  return { text: formatPlain(segments), diarization: withDiarization ? formatDiarization(segments) : null };
}

/** A record that the server gave up has no measured time; how long it lived is the best that is known. */
function processingSeconds(record: TranscriptionRecord): number {
  if (record.processingSeconds !== null) return record.processingSeconds;
  return record.finishedAtMs === null ? 0 : (record.finishedAtMs - record.createdAtMs) / 1_000;
}
