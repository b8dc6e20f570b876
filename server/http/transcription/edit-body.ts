import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription, TranscriptEdit, TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { keepWords } from '#features/transcription/edited-words.ts';
import { shownTranscript } from '#features/transcription/shown-transcript.ts';
import { formText } from '#http/fields.ts';
import { completedRecordOf } from './transcript-file.ts';

const MAX_SEGMENTS = 50_000;
const MAX_SPEAKERS = 100;
/**
 * Characters of a corrected transcript: so many, and more for each second of its recording than
 * people can say. A word of one letter takes a hundred times its size in memory.
 */
const MAX_CHARACTERS = 10_000;
const MAX_CHARACTERS_A_SECOND = 30;
/** Players and editors round times. */
const TOLERANCE_MS = 1_000;

const seconds = z.number().min(0).max(1_000_000);
const label = z.string().regex(/^SPEAKER_\d{2,3}$/, 'must be SPEAKER_ and a number');

export const EditBody = z
  .object({
    segments: z
      .array(
        z.object({
          start: seconds,
          end: seconds,
          text: formText(10_000, 'The corrected text.'),
          speaker: label.nullable().default(null),
        }),
      )
      .max(MAX_SEGMENTS)
      .optional()
      .describe('All segments, in order, without overlap. Absent parts stay as they are.'),
    speakers: z
      .record(label, formText(100, 'The name.'))
      .refine((names) => Object.keys(names).length <= MAX_SPEAKERS, `must have at most ${MAX_SPEAKERS} names`)
      .optional()
      .describe('Names by label.'),
    title: formText(200, 'Empty: none.').nullable().optional(),
  })
  .meta({ id: 'TranscriptEdit' });

/** The change of a record that a body asks for. Throws `invalid_parameter` and `conflict`. */
export function changeOf(
  { segments, speakers, title }: z.output<typeof EditBody>,
  record: TranscriptionRecord,
): { title?: string | null; edit?: TranscriptEdit } {
  const titled = title === undefined ? {} : { title: title === null || title.trim() === '' ? null : title.trim() };
  if (segments === undefined && speakers === undefined) return titled;
  const completed = completedRecordOf(record);
  const before = completed.edit ?? { segments: null, speakers: {} };
  const edited = segments === undefined ? before.segments : editedSegments(segments, completed);
  return {
    ...titled,
    edit: { segments: edited, speakers: speakers === undefined ? before.speakers : named(speakers) },
  };
}

type SentSegment = { start: number; end: number; text: string; speaker: string | null };

function editedSegments(sent: readonly SentSegment[], record: CompletedTranscription): Segment[] {
  const { segments: recognized } = shownTranscript({ ...record, edit: null }, { text: 'final', version: 'original' });
  const characters = sent.reduce((sum, { text }) => sum + text.length, 0);
  const most = MAX_CHARACTERS + Math.ceil((MAX_CHARACTERS_A_SECOND * record.durationMs) / 1_000);
  if (characters > most) {
    throw new AppError(
      'invalid_parameter',
      `The field "segments" has more than ${most} characters for this recording.`,
    );
  }
  const withWords = keepWords(recognized);
  let lastMs = 0;
  return sent.map(({ start, end, text, speaker }, index) => {
    const [startMs, endMs] = [Math.round(start * 1_000), Math.round(end * 1_000)];
    const refuse = (why: string) => new AppError('invalid_parameter', `The field "segments.${index}" ${why}.`);
    if (startMs < lastMs) throw refuse('begins before the one before it ends');
    if (endMs < startMs) throw refuse('ends before it begins');
    if (endMs > record.durationMs + TOLERANCE_MS) throw refuse('ends after the recording');
    lastMs = endMs;
    return withWords({ text, startMs, endMs, speaker });
  });
}

function named(speakers: Record<string, string>): Record<string, string> {
  const names = Object.entries(speakers).map(([speaker, name]) => [speaker, name.trim()] as const);
  return Object.fromEntries(names.filter(([, name]) => name !== ''));
}

/** The version that a client has read; null: any. Throws `invalid_request`. */
export function expectedVersion(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined) return 0;
  if (ifMatch.trim() === '*') return null;
  const version = /^(?:W\/)?"(\d{1,9})"$/.exec(ifMatch.trim())?.[1];
  if (version === undefined) {
    throw new AppError('invalid_request', 'The header "If-Match" must be the ETag of the transcript, or *.');
  }
  return Number(version);
}
