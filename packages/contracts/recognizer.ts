import type { PcmChunk } from './audio.ts';
import type { Engine, LanguageQuality, Model } from './engine.ts';
import type { RecognizedSyllable, Language, Segment } from './transcript.ts';

/** Sample rate of the mono audio that every recognizer receives. */
export const RECOGNIZER_SAMPLE_RATE_HZ = 16_000;

/**
 * Why the text of a model is not believed: none where somebody speaks, text without speech, a
 * phrase again and again, more than people say in that time, a script that the language does not
 * use; or the model itself failed.
 */
export const RECOGNITION_FAILURES = ['empty', 'no_speech', 'loop', 'too_fast', 'wrong_script', 'failed'] as const;
export type RecognitionFailure = (typeof RECOGNITION_FAILURES)[number];

/**
 * The events that a recognizer adds to those of a transcription (`TranscriptionEvent`).
 * `segment-end` is final; segments come in time order. `syllables` are those of the segment when
 * they were requested and the recognizer produces them, else null. `processedMs` never decreases.
 * `failure`: the text is the best that this model has, and another one should be asked;
 * `segment-failed` is the same where it has none.
 */
export type RecognitionEvent =
  | { type: 'progress'; stage: 'recognition'; processedMs: number }
  | { type: 'segment-end'; segment: Segment; syllables: RecognizedSyllable[] | null; failure?: RecognitionFailure }
  | { type: 'segment-failed'; failure: RecognitionFailure; startMs: number; endMs: number };

export type RecognitionOptions = {
  /**
   * A language of the model. Where the request names none, the language identifier has decided
   * before.
   */
  language: Language;
  /** A free-form hint about topic, names or domain; engines without support for hints ignore it. */
  context: string | null;
  /** Whether the caller uses `syllables`. */
  romanize: boolean;
};

/**
 * An opened recognizer. It pulls audio chunk by chunk, so memory does not grow with the recording.
 * Silence gives no segment. Throws `engine_failed`; an aborted signal ends the stream with its
 * reason.
 */
export type Recognizer = {
  /** Calls that gain from running at a time: 1 where they compute in this process. */
  concurrency: number;
  /**
   * Begins to follow a stretch of speech that is still growing; null: it is recognized again and
   * again as a whole. Throws `engine_unavailable` for a language that the model does not know.
   */
  follow: ((options: Omit<RecognitionOptions, 'romanize'>) => Promise<SpeechFollower>) | null;
  recognize(
    audio: AsyncIterable<PcmChunk>,
    options: RecognitionOptions,
    signal: AbortSignal,
  ): AsyncIterable<RecognitionEvent>;
  close(): Promise<void>;
};

/**
 * Recognizes one stretch of speech, of 20 s at most, while it grows. `samples` is the whole stretch
 * so far; times count from its beginning. Null: nothing was recognized. Throws `engine_failed`; an
 * aborted signal throws its reason.
 */
export type SpeechFollower = {
  /** Each call has the samples of the one before, and some more. The text may be revised. */
  update(samples: Float32Array, signal: AbortSignal): Promise<Segment | null>;
  /** The whole stretch, which may end before samples of the last update. Called once, last. */
  finish(samples: Float32Array, signal: AbortSignal): Promise<Segment | null>;
};

export type RecognizerCapabilities = {
  /** 100 less the error rate in percent on recordings of people, published or measured. */
  languages: LanguageQuality;
  /** The finest unit with times. */
  timestamps: 'word' | 'segment' | 'none';
  confidence: boolean;
  /** Words of Chinese have their romanization, where the recognizer heard it. */
  readings: boolean;
  /** The words of a context are heard more easily; absent: they change nothing that it hears. */
  hotWords?: true;
};

export type RecognizerModel = Model<RecognizerCapabilities>;
export type RecognizerEngine = Engine<'recognizer', RecognizerCapabilities, Recognizer>;
