import type { PcmChunk } from './audio.ts';
import type { Engine, LanguageQuality, Model } from './engine.ts';
import type { RecognizedSyllable, Language, Segment } from './transcript.ts';

/** Sample rate of the mono audio that every recognizer receives. */
export const RECOGNIZER_SAMPLE_RATE_HZ = 16_000;

/**
 * Events of a recognition. `segment-end` is final; segments come in time order. `syllables` are
 * those of the segment when they were requested and the recognizer produces them, else null.
 * `processedMs` never decreases.
 */
export type RecognitionEvent =
  | { type: 'progress'; processedMs: number }
  | { type: 'segment-end'; segment: Segment; syllables: RecognizedSyllable[] | null };

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
  recognize(
    audio: AsyncIterable<PcmChunk>,
    options: RecognitionOptions,
    signal: AbortSignal,
  ): AsyncIterable<RecognitionEvent>;
  close(): Promise<void>;
};

export type RecognizerCapabilities = {
  /** 100 less the error rate in percent on recordings of people, published or measured. */
  languages: LanguageQuality;
  /** The finest unit with times. */
  timestamps: 'word' | 'segment' | 'none';
  confidence: boolean;
  /** Every word has its romanization. */
  readings: boolean;
};

export type RecognizerModel = Model<RecognizerCapabilities>;
export type RecognizerEngine = Engine<'recognizer', RecognizerCapabilities, Recognizer>;
