import type { z } from 'zod';
import { AppError, deserializeError } from '@jyutsing/contracts/errors';
import { FALLBACK_RECOGNIZER } from '@jyutsing/contracts/model-catalog';
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
import type { FoundTranscript } from '#features/search/transcript-search.ts';
import { cutCues } from '#features/transcription/cues.ts';
import { createPlainWriter, formatBlocks, formatDiarization, formatPlain } from '#features/transcription/format.ts';
import { shownTranscript, type ShownTranscript } from '#features/transcription/shown-transcript.ts';
import { viewDiarization } from '#http/diarization-fields.ts';
import { notesOf } from '#http/recording-notes.ts';
import type { ListedRecord, Record } from './record-schema.ts';
import { romanizedCues } from './romanized-cues.ts';
import type { BatchAnswer, BlockingAnswer } from './schema.ts';

type FinalSummary = Omit<CompletedTranscription, 'result' | 'edit'> | FailedTranscription;

/** The corrected text when there is one, else the recognized text. */
export function finalSegments({ segments, fusion }: TranscriptionResult): readonly Segment[] {
  return fusion?.segments ?? segments;
}

/** The record of a poll; each field is present exactly in the states that the interface lists. */
export async function viewRecord(record: TranscriptionRecord, cues: CueLimits): Promise<z.output<typeof Record>> {
  const view: z.output<typeof Record> = viewSummary(record);
  if (record.status !== 'completed') return view;
  const { options, result } = record;
  const { segments, fusion } = result;
  view.output_language = result.language;
  Object.assign(view, backendOf(result.backend));
  view.transcription = await shapeText(segments, options, cues);
  if (fusion !== null) {
    view.jyutping_transcription = await shapeRomanization(fusion, options, cues);
    view.fused_transcription = await shapeText(fusion.segments, options, cues);
  }
  Object.assign(view, diarizationOf(result, options));
  if (record.edit !== null) Object.assign(view, await viewEdited(record, cues));
  view.transcription_time = result.transcriptionSeconds;
  view.fusion_time = result.fusionSeconds;
  if (result.isCached) view.is_cached = true;
  return Object.assign(view, notesOf(result));
}

/** The texts to use, as people corrected them; the other texts stay as they were recognized. */
async function viewEdited(record: CompletedTranscription, cues: CueLimits) {
  const { options, result } = record;
  const { segments, names } = shownTranscript(record, { text: 'final', version: 'edited' });
  const text = await shapeText(segments, options, cues, names);
  return {
    [result.fusion === null ? 'transcription' : 'fused_transcription']: text,
    ...diarizationOf(result, options, { segments, names }),
  };
}

function viewMatch({ startMs, endMs, text, speaker, highlights }: FoundTranscript['matches'][number]) {
  return { start: startMs / 1_000, end: endMs / 1_000, text, speaker, highlights };
}

/** The record in a list. */
export function viewListed(
  record: TranscriptionSummary,
  { tags = [], found }: { tags?: string[] | undefined; found?: FoundTranscript | undefined } = {},
): z.output<typeof ListedRecord> {
  return {
    ...viewSummary(record),
    created_at: new Date(record.createdAtMs).toISOString(),
    ...(isFinal(record) ? { finished_at: new Date(record.finishedAtMs).toISOString() } : {}),
    ...(tags.length === 0 ? {} : { tags }),
    ...(found === undefined ? {} : { matches: found.matches.map(viewMatch), matches_count: found.matchCount }),
  };
}

/** The model, and a warning for the built-in one. */
function backendOf(backend: string): { backend: string; quality?: 'fallback' } {
  return backend === FALLBACK_RECOGNIZER ? { backend, quality: 'fallback' } : { backend };
}

/** The fields of a record beside its texts. */
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
          ...backendOf(record.backend),
          with_diarization: options.withDiarization,
          include_timestamp: options.withTimestamp,
          ...viewDiarization(options),
          ...(options.channels === undefined ? {} : { channels: options.channels }),
        }),
    ...(options.context === null ? {} : { context: options.context }),
    ...(record.title === null ? {} : { title: record.title }),
    ...(options.keepAudio === true ? { audio_kept: true as const } : {}),
    ...(record.editedAtMs === null ? {} : { edited_at: new Date(record.editedAtMs).toISOString() }),
    ...(record.batchId === null ? {} : { batch_id: record.batchId }),
    ...(isFinal(record) ? { processing_time: processingSeconds(record) } : {}),
    ...(record.status === 'completed' ? { credits_used: record.creditsUsed } : {}),
    ...(record.status === 'failed' ? { error: record.error.message, error_code: record.error.code } : {}),
  };
}

/** The answer of a waiting call. Throws the error of a failed record. */
export async function viewBlocking(
  record: TranscriptionRecord,
  cues: CueLimits,
): Promise<z.output<typeof BlockingAnswer>> {
  const completed = assertCompleted(record);
  const { result } = completed;
  return {
    text: await shapeText(finalSegments(result), record.options, cues),
    ...diarizationOf(result, record.options),
    duration: (result.durationMs / 1_000).toFixed(6),
    ...(result.isCached ? { is_cached: true } : {}),
    ...notesOf(result),
    process_time: processingSeconds(completed),
  };
}

/** The files' names are known only now; records do not keep them. */
export function viewBatch(
  batch: readonly TranscriptionSummary[],
  files: readonly { name: string }[],
): z.output<typeof BatchAnswer> {
  const transcriptions = batch.map((record) => ({
    request_id: record.id,
    file_name: files[record.batchPosition ?? 0]?.name ?? '',
    status: record.status,
    ...(record.status === 'failed' ? { error: record.error.message, error_code: record.error.code } : {}),
  }));
  return { success: true, data: { batch_id: batch[0]?.batchId ?? '', status: 'processing', transcriptions } };
}

/** Throws the error of a failed record. */
export function resultOf(record: TranscriptionRecord): TranscriptionResult {
  return assertCompleted(record).result;
}

/** The record as a completed one. Throws the error of a failed record. */
export function assertCompleted(record: TranscriptionRecord): CompletedTranscription {
  if (record.status === 'failed') throw deserializeError(record.error);
  if (record.status !== 'completed') throw new AppError('internal_error');
  return record;
}

/** Numbered blocks with timestamps, one line without. */
async function shapeText(
  segments: readonly Segment[],
  { withTimestamp, withDiarization, channels }: TranscriptionOptions,
  cues: CueLimits,
  names?: ReadonlyMap<string, string>,
): Promise<string> {
  if (!withTimestamp) return formatPlain(segments);
  const speakers = { speakers: withDiarization || channels !== undefined, ...(names === undefined ? {} : { names }) };
  return formatBlocks(await cutCues(segments, cues), speakers);
}

function diarizationOf(
  result: TranscriptionResult,
  { withTimestamp, withDiarization }: TranscriptionOptions,
  { segments, names }: Partial<ShownTranscript> = {},
): { diarization?: string } {
  // Blocks contain the speakers already.
  if (withTimestamp || !(withDiarization || result.channels !== undefined)) return {};
  return { diarization: formatDiarization(segments ?? finalSegments(result), names) };
}

/** The syllables in the format of the text; blocks are those of the corrected text. */
async function shapeRomanization(
  { segments, romanization }: Fusion,
  { withTimestamp, withDiarization, channels }: TranscriptionOptions,
  limits: CueLimits,
): Promise<string> {
  if (!withTimestamp)
    return romanization
      .map((text) => ({ text }))
      .map(createPlainWriter())
      .join('');
  const cues = await cutCues(segments, limits);
  return formatBlocks(romanizedCues(cues, segments, romanization), {
    speakers: withDiarization || channels !== undefined,
  });
}

/** Falls back to the lifetime of the record when its job was abandoned without a measurement. */
function processingSeconds(record: FinalSummary): number {
  return record.processingSeconds ?? (record.finishedAtMs - record.createdAtMs) / 1_000;
}
