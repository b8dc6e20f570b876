import type { z } from 'zod';
import { AppError, deserializeError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import {
  isFinal,
  type CompletedTranscription,
  type CueLimits,
  type FailedTranscription,
  type Fusion,
  type TranscriptionOptions,
  type TranscriptionRecord,
  type TranscriptionResult,
  type TranscriptionSummary,
} from '@jyutsing/contracts/transcription';
import { cutCues } from '#features/transcription/cues.ts';
import { createPlainWriter, formatBlocks, formatDiarization, formatPlain } from '#features/transcription/format.ts';
import type { ListedRecord, Record } from './record-schema.ts';
import { romanizedCues } from './romanized-cues.ts';
import type { BlockingAnswer } from './schema.ts';

type FinalSummary = Omit<CompletedTranscription, 'result'> | FailedTranscription;

/** The text to use: the corrected one where there is one. */
export function finalSegments({ segments, fusion }: TranscriptionResult): readonly Segment[] {
  return fusion?.segments ?? segments;
}

/** The record as the poll shows it: each field is there exactly in the states that the interface gives it. */
export function viewRecord(record: TranscriptionRecord, cues: CueLimits): z.output<typeof Record> {
  const view: z.output<typeof Record> = viewSummary(record);
  if (record.status !== 'completed') return view;
  const { options, result } = record;
  const { segments, fusion } = result;
  view.output_language = result.language;
  view.backend = result.backend;
  view.transcription = shapeText(segments, options, cues);
  if (fusion !== null) {
    view.jyutping_transcription = shapeRomanization(fusion, options, cues);
    view.fused_transcription = shapeText(fusion.segments, options, cues);
  }
  Object.assign(view, diarizationOf(result, options));
  view.transcription_time = result.transcriptionSeconds;
  view.fusion_time = result.fusionSeconds;
  if (result.isCached) view.is_cached = true;
  return view;
}

/** The record in a list. */
export function viewListed(record: TranscriptionSummary): z.output<typeof ListedRecord> {
  return {
    ...viewSummary(record),
    created_at: new Date(record.createdAtMs).toISOString(),
    ...(isFinal(record) ? { finished_at: new Date(record.finishedAtMs).toISOString() } : {}),
  };
}

/** What is known of a record without its texts. */
function viewSummary(record: TranscriptionSummary): Omit<z.output<typeof ListedRecord>, 'created_at' | 'finished_at'> {
  const { status, options } = record;
  return {
    request_id: record.id,
    status,
    duration_s: record.durationMs / 1_000,
    output_language: record.outputLanguage,
    ...(status === 'failed'
      ? {}
      : {
          backend: record.backend,
          with_diarization: options.withDiarization,
          include_timestamp: options.withTimestamp,
        }),
    ...(options.context === null ? {} : { context: options.context }),
    ...(isFinal(record) ? { processing_time: processingSeconds(record) } : {}),
    ...(record.status === 'completed' ? { credits_used: record.creditsUsed } : {}),
    ...(record.status === 'failed' ? { error: record.error.message } : {}),
  };
}

/** The final record as the blocking form shows it. Throws the error that a failed one ended with. */
export function viewBlocking(record: TranscriptionRecord, cues: CueLimits): z.output<typeof BlockingAnswer> {
  const completed = assertCompleted(record);
  const { result } = completed;
  return {
    text: shapeText(finalSegments(result), record.options, cues),
    ...diarizationOf(result, record.options),
    duration: (result.durationMs / 1_000).toFixed(6),
    ...(result.isCached ? { is_cached: true } : {}),
    process_time: processingSeconds(completed),
  };
}

/** What the work gave. Throws the error that a failed record ended with. */
export function resultOf(record: TranscriptionRecord): TranscriptionResult {
  return assertCompleted(record).result;
}

function assertCompleted(record: TranscriptionRecord): CompletedTranscription {
  if (record.status === 'failed') throw deserializeError(record.error);
  if (record.status !== 'completed') throw new AppError('internal_error');
  return record;
}

/** Numbered blocks for those who asked for times, one line for all others. */
function shapeText(
  segments: readonly Segment[],
  { withTimestamp, withDiarization }: TranscriptionOptions,
  cues: CueLimits,
): string {
  return withTimestamp ? formatBlocks(cutCues(segments, cues), { speakers: withDiarization }) : formatPlain(segments);
}

function diarizationOf(
  result: TranscriptionResult,
  { withTimestamp, withDiarization }: TranscriptionOptions,
): { diarization?: string } {
  // In blocks each text has its speaker before it.
  return withDiarization && !withTimestamp ? { diarization: formatDiarization(finalSegments(result)) } : {};
}

/** The syllables in the shape of the text: as blocks, the same as those of the corrected text. */
function shapeRomanization(
  { segments, romanization }: Fusion,
  { withTimestamp, withDiarization }: TranscriptionOptions,
  limits: CueLimits,
): string {
  if (!withTimestamp)
    return romanization
      .map((text) => ({ text }))
      .map(createPlainWriter())
      .join('');
  const cues = cutCues(segments, limits);
  return formatBlocks(romanizedCues(cues, segments, romanization), { speakers: withDiarization });
}

/** A record that the server gave up has no measured time; how long it lived is the best that is known. */
function processingSeconds(record: FinalSummary): number {
  return record.processingSeconds ?? (record.finishedAtMs - record.createdAtMs) / 1_000;
}
