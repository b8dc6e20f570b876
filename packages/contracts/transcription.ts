import type { SoundTrack } from './audio.ts';
import type { SpeakerRange, VoicePrint } from './diarizer.ts';
import type { ErrorCode, SerializedError } from './errors.ts';
import type { RecognitionEvent, RecognitionFailure } from './recognizer.ts';
import type { Language, LanguageChoice, Segment } from './transcript.ts';
import type { TranscriptionPlan } from './transcription-plan.ts';

export type TranscriptionStatus = 'pending' | 'processing' | 'completed' | 'failed';

/**
 * The validated options of a request. `corpusIds` null: the default public corpora; empty: no
 * fusion.
 */
export type TranscriptionOptions = {
  language: LanguageChoice;
  /** With `auto`: the languages that are possible; absent: all. */
  languages?: readonly Language[];
  withTimestamp: boolean;
  withDiarization: boolean;
  /** Each channel is recognized for itself and is a speaker; absent: they are mixed. */
  channels?: 'separate';
  /** How many people may speak; absent: the diarizer decides. */
  speakers?: SpeakerRange;
  /** See `DiarizationHints`. */
  diarizationThreshold?: number;
  /** People who may speak, with their voices; absent: speakers have numbers only. */
  knownSpeakers?: readonly { name: string; voice: VoicePrint }[];
  context: string | null;
  skipFusion: boolean;
  corpusIds: string[] | null;
  /** Marks such as commas and full stops; absent: with them. */
  withPunctuation?: false;
  /** False: numbers stay words. Absent: digits where people write them. */
  numerals?: false;
  /** Cantonese particles as most people type them; absent: as they sound. */
  everydaySpelling?: true;
  /** Keeps the recording as long as the record; absent: no. */
  keepAudio?: true;
  /**
   * The parts of Deepgram's answer, which then goes to the callback in place of the record as polls
   * show it.
   */
  deepgramAnswer?: { diarize: boolean; utterances: boolean; paragraphs: boolean };
  /** The requested model or engine; null leaves the choice to the server. */
  model: string | null;
};

/** The longest cue: characters of Chinese (Latin letters count half), and milliseconds. */
export type CueLimits = { maxCharacters: number; maxMs: number };

/** The stage of the work. `queued` includes waiting for a free worker. */
export const TRANSCRIPTION_STAGES = ['queued', 'recognition', 'diarization', 'fusion'] as const;
export type TranscriptionStage = (typeof TRANSCRIPTION_STAGES)[number];

/**
 * `processedMs` of the recording are done in the present stage; it never decreases within a stage.
 */
export type TranscriptionProgress = { stage: TranscriptionStage; processedMs: number };

/** The result of fusion. Both lists have one entry per segment of the transcription, in order. */
export type Fusion = {
  /** The same time spans and speakers with the corrected text. */
  segments: Segment[];
  /** The recognized syllables of each segment: jyutping separated by spaces. */
  romanization: string[];
};

/**
 * Notices of a result for people. `cut_off`: the recording ends too early. `one_channel`: there was
 * nothing to separate.
 */
export const TRANSCRIPTION_NOTICES = ['cut_off', 'one_channel'] as const;
export type TranscriptionNotice = (typeof TRANSCRIPTION_NOTICES)[number];

/** A model that was not believed in some segments, and the one whose text they have. */
export type ModelFailure = { model: string; failure: RecognitionFailure; answeredBy: string; segments: number };

/** The result of a transcription. Times of the work are seconds. */
export type TranscriptionResult = {
  language: Language;
  /** The model that recognized most of the recording. */
  backend: string;
  /** The models that were not believed in some segments; absent: none. */
  modelFailures?: readonly ModelFailure[];
  segments: Segment[];
  /** Names of speakers of the segments that were known; absent: none were looked for. */
  speakerNames?: Readonly<Record<string, string>>;
  /** The number of channels, each recognized for itself; absent: they were mixed. */
  channels?: number;
  /** The result of fusion, or null when fusion did not run. */
  fusion: Fusion | null;
  durationMs: number;
  /** The part of the duration that is no gap in the file, which is charged; absent: all. */
  soundMs?: number;
  notice?: TranscriptionNotice;
  /** The sound tracks of the file; absent: there is one. */
  tracks?: readonly SoundTrack[];
  transcriptionSeconds: number;
  fusionSeconds: number;
  isCached: boolean;
};

/**
 * The events of a transcription, the same ones from the recognizer to the job. A `segment-end`
 * comes before its correction; after `recognizeRecording` its syllables are null, and its text is
 * written as in the result. `gaps` comes before events about later times. `correction-failed`: a
 * corrector failed; with null, all of fusion did, and the text stays as recognized. `result` is
 * last; its lists come before it, in parts, so that no message of ten hours stops the server.
 */
export type TranscriptionEvent =
  | Exclude<RecognitionEvent, { type: 'segment-failed' }>
  /** The model that hears from here on. */
  | { type: 'recognizer'; model: string }
  | ({ type: 'progress' } & TranscriptionProgress)
  /** So much of the recording until now is silence of gaps in the file, in milliseconds. */
  | { type: 'gaps'; totalMs: number }
  | { type: 'correction-failed'; corrector: string | null; code: ErrorCode; message: string }
  | ({ type: 'result-part' } & Pick<TranscriptionResult, 'segments' | 'fusion'>)
  | { type: 'result'; result: TranscriptionResult };

/** The corrections that a person saved. Speakers are named by their labels, `SPEAKER_<nn>`. */
export type TranscriptEdit = {
  /** The corrected segments; null when the segments of the result are unchanged. */
  segments: Segment[] | null;
  /** Names by label; a speaker without one is shown by the label. */
  speakers: Readonly<Record<string, string>>;
};

/** Recordings that were sent together, and the place of one among them, from 0. */
export type TranscriptionBatch = { id: string; position: number };

/** The part of a record that every status has. */
export type TranscriptionRequest = {
  id: string;
  accountId: string;
  /** The upload in the blob store, deleted once the record is final. Null: it was never stored. */
  blobKey: string | null;
  contentSha256: string;
  sizeBytes: number;
  options: TranscriptionOptions;
  /** The models chosen at acceptance. Null: accepted by a version that did not store them. */
  plan: TranscriptionPlan | null;
  /** Declared by the file; measured once the recording is decoded. */
  durationMs: number;
  /** The requested language; the recognized one once completed. */
  outputLanguage: LanguageChoice;
  /** The planned model, or `auto`; the model that recognized the recording once completed. */
  backend: string;
  /** Names everything the text depends on; equal keys within an account mean equal texts. */
  cacheKey: string;
  /** Receives the final record as a signed POST; null: no delivery. */
  callbackUrl: string | null;
  /** Names the records of one submission with several recordings; null: it had one. */
  batchId: string | null;
  batchPosition: number | null;
  /** The title that a person gave the recording, or null. */
  title: string | null;
  /** Increases with every change of `title` and `edit`; 0: as it was recognized. */
  editVersion: number;
  editedAtMs: number | null;
  createdAtMs: number;
};

/** The progress of a record that is not final. */
export type WorkProgress = TranscriptionProgress & {
  /** The time at which a worker first took the job; null while the job waits. */
  startedAtMs: number | null;
  /** The last progress; a record without progress for too long is failed. */
  progressAtMs: number | null;
};

export type OpenTranscription = TranscriptionRequest & WorkProgress & { status: 'pending' | 'processing' };

export type CompletedTranscription = TranscriptionRequest & {
  status: 'completed';
  result: TranscriptionResult;
  /** The corrections of the result, or null when there are none. */
  edit: TranscriptEdit | null;
  processingSeconds: number;
  creditsUsed: number;
  startedAtMs: number | null;
  finishedAtMs: number;
};

export type FailedTranscription = TranscriptionRequest & {
  status: 'failed';
  error: SerializedError;
  /** The seconds that the work took; null when the server gave the record up without measuring. */
  processingSeconds: number | null;
  startedAtMs: number | null;
  finishedAtMs: number;
};

/** One request for speech-to-text: its request, and by status its progress or its outcome. */
export type TranscriptionRecord = OpenTranscription | CompletedTranscription | FailedTranscription;

/** A record without its texts, which may be large. */
export type TranscriptionSummary =
  | OpenTranscription
  | Omit<CompletedTranscription, 'result' | 'edit'>
  | FailedTranscription;

/**
 * A result taken from the cache or from joined work: marked as such, with processing times of 0.
 */
export function asCached(result: TranscriptionResult): TranscriptionResult {
  return { ...result, isCached: true, transcriptionSeconds: 0, fusionSeconds: 0 };
}

/** The blob folder of kept recordings; other uploads are deleted with the end of their record. */
export const KEPT_FOLDER = 'recordings';

/** Whether a stored upload is a recording that is kept as long as its record. */
export function isKeptRecording(blobKey: string | null): blobKey is string {
  return blobKey?.startsWith(`${KEPT_FOLDER}/`) ?? false;
}

/** Narrows a record, or any part of it that has the status, to the final states. */
export function isFinal<Part extends { status: TranscriptionStatus }>(
  record: Part,
): record is Extract<Part, { status: 'completed' | 'failed' }> {
  return record.status === 'completed' || record.status === 'failed';
}
