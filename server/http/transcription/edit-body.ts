import { z } from 'zod';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import type { Segment, Word } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription, TranscriptEdit, TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { keepWords } from '#features/transcription/edited-words.ts';
import { shownTranscript } from '#features/transcription/shown-transcript.ts';
import { checkFields } from '#http/field-fault.ts';
import { formText, nameText } from '#http/fields.ts';
import { isObject } from '#http/is-object.ts';
import { Tags } from './record-schema.ts';
import { completedRecordOf } from './transcript-file.ts';

const MAX_SEGMENTS = 50_000;
const MAX_SPEAKERS = 100;
/**
 * The limits of a corrected transcript: a fixed number, and more for each second of its recording
 * than people can say. A segment takes space in the database and time in every file of the
 * transcript; a word of one letter takes a hundred times its size in memory.
 */
const ALLOWED = {
  segments: { anyway: 1_000, aSecond: 5 },
  characters: { anyway: 10_000, aSecond: 30 },
};
/** A segment or a word with its times, as JSON in the database, without the text of a segment. */
const STORED_BYTES = 120;
/** UTF-8. */
const BYTES_PER_CHARACTER = 3;
/** Players and editors round times. */
const TOLERANCE_MS = 1_000;

const seconds = z.number().min(0).max(1_000_000);
const label = z.string().regex(/^SPEAKER_\d{2,3}$/, 'must be SPEAKER_ and a number');

/** Before the names are checked: each of a hundred thousand wrong ones would be an object. */
function refuseManyNames(input: unknown, context: z.RefinementCtx): unknown {
  if (!isObject(input) || Object.keys(input).length <= MAX_SPEAKERS) return input;
  context.addIssue(`must have at most ${MAX_SPEAKERS} names`);
  return z.NEVER;
}

const SentSegment = z.object({
  start: seconds,
  end: seconds,
  text: formText(10_000, 'The corrected text.'),
  speaker: label.nullable().default(null),
});
type SentSegment = z.output<typeof SentSegment>;

export const EditBody = z
  .object({
    segments: z
      .array(SentSegment)
      .max(MAX_SEGMENTS)
      .optional()
      .describe('All segments, in order, without overlap. Absent parts stay as they are.'),
    speakers: z
      .preprocess(refuseManyNames, z.record(label, nameText(100, 'The name.')).optional())
      .describe('Names by label.'),
    title: nameText(200, 'Empty: none.').nullable().optional(),
    tags: Tags.optional(),
  })
  .meta({ id: 'TranscriptEdit' });

/** The same before its segments are checked, which takes several turns of the event loop. */
export const UncheckedEdit = EditBody.extend({ segments: z.array(z.unknown()).max(MAX_SEGMENTS).optional() });

/**
 * The change of a record that a body asks for. Throws `invalid_request`, `invalid_parameter` and
 * `conflict`.
 */
export async function changeOf(
  { segments, speakers, title }: z.output<typeof UncheckedEdit>,
  record: TranscriptionRecord,
): Promise<{ title?: string | null; edit?: TranscriptEdit }> {
  const titled = title === undefined ? {} : { title: title === '' ? null : title };
  if (segments === undefined && speakers === undefined) return titled;
  const completed = completedRecordOf(record);
  const before = completed.edit ?? { segments: null, speakers: {} };
  const edited = segments === undefined ? before.segments : await editedSegments(segments, completed);
  return {
    ...titled,
    edit: { segments: edited, speakers: speakers === undefined ? before.speakers : named(speakers) },
  };
}

/** About the bytes that the segments of an edit take in the database. */
export function storedBytes({ segments }: Pick<TranscriptEdit, 'segments'>): number {
  let bytes = 0;
  for (const { text, words } of segments ?? []) {
    bytes += STORED_BYTES * (1 + words.length) + BYTES_PER_CHARACTER * text.length;
  }
  return bytes;
}

async function editedSegments(unchecked: readonly unknown[], record: CompletedTranscription): Promise<Segment[]> {
  checkAmount('segments', unchecked.length, record);
  const sentSegments = await checkedSegments(unchecked);
  const characters = sentSegments.reduce((sum, { text }) => sum + text.length, 0);
  checkAmount('characters', characters, record);
  const { segments: recognized } = shownTranscript({ ...record, edit: null }, { text: 'final', version: 'original' });
  const hasChannels = record.result.channels !== undefined;
  const withWords = keepWords(recognized, { hasChannels });
  const read = async (segment: Segment): Promise<Segment> => {
    if (record.result.language !== 'cantonese' || !segment.words.some(isUnread)) return segment;
    // Loaded when it is needed, with the dictionary.
    const { withTypedReadings } = await import('#features/transcription/character-readings.ts');
    return withTypedReadings(segment);
  };
  const edited: Segment[] = [];
  let lastStartMs = 0;
  /** The end of the segment before, of each channel where there are several. */
  const lastEndMs = new Map<string | null, number>();
  for (const [index, { start, end, text, speaker }] of sentSegments.entries()) {
    // Comparing long segments with what was recognized takes half a second in all.
    await yieldToEventLoop();
    const [startMs, endMs] = [Math.round(start * 1_000), Math.round(end * 1_000)];
    const refuse = (why: string) => new AppError('invalid_parameter', `The field "segments.${index}" ${why}.`);
    const track = hasChannels ? speaker : null;
    if (startMs < (lastEndMs.get(track) ?? 0)) throw refuse('begins before the one before it ends');
    if (startMs < lastStartMs) throw refuse('begins before the one before it');
    if (endMs < startMs) throw refuse('ends before it begins');
    if (endMs > record.durationMs + TOLERANCE_MS) throw refuse('ends after the recording');
    lastStartMs = startMs;
    lastEndMs.set(track, endMs);
    edited.push(await read(withWords({ text, startMs, endMs, speaker })));
  }
  return edited;
}

async function checkedSegments(unchecked: readonly unknown[]): Promise<SentSegment[]> {
  const segments: SentSegment[] = [];
  for (const [index, segment] of unchecked.entries()) {
    await yieldToEventLoop();
    const nameOf = (path: string) => `The field "segments.${index}${path === '' ? '' : `.${path}`}"`;
    const checked = checkFields(SentSegment, segment, nameOf);
    if (checked.fault !== null) throw new AppError('invalid_request', checked.fault);
    segments.push(checked.value);
  }
  return segments;
}

const isUnread = ({ text, reading }: Word) => reading === null && /^\p{Script=Han}$/u.test(text);

function checkAmount(
  what: keyof typeof ALLOWED,
  amount: number,
  { durationMs }: Pick<CompletedTranscription, 'durationMs'>,
): void {
  const { anyway, aSecond } = ALLOWED[what];
  const most = anyway + Math.ceil((aSecond * durationMs) / 1_000);
  if (amount <= most) return;
  throw new AppError('invalid_parameter', `The field "segments" has more than ${most} ${what} for this recording.`);
}

function named(speakers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(speakers).filter(([, name]) => name !== ''));
}

/** The version that a client has read; null: any. Throws `invalid_request`. */
export function expectedVersion(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === '') return 0;
  if (ifMatch.trim() === '*') return null;
  const version = /^(?:W\/)?"(\d{1,9})"$/.exec(ifMatch.trim())?.[1];
  if (version === undefined) {
    throw new AppError('invalid_request', 'The header "If-Match" must be the ETag of the transcript, or *.');
  }
  return Number(version);
}
