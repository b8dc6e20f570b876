import type { PcmChunk } from './audio.ts';
import type { Engine, LanguageQuality, Model } from './engine.ts';
import type { RecognizedSyllable, Language, Segment } from './transcript.ts';

/** Every recogniser is given mono sound at this rate. */
export const RECOGNIZER_SAMPLE_RATE_HZ = 16_000;

/**
 * What a recogniser says while it listens. `segment-end` is final and never revised; segments come in time order. `heard` are the
 * syllables of the segment, where they were asked for and the recogniser has them anyway; null: it does not say.
 * `progress.processedMs` never goes back.
 */
export type RecognitionEvent =
  | { type: 'progress'; processedMs: number }
  | { type: 'segment-end'; segment: Segment; syllables: RecognizedSyllable[] | null };

export type RecognitionOptions = {
  /** One that the model recognises; where it is not known, a language identifier has decided before. */
  language: Language;
  /** A free-form hint about topic, names or domain; engines that cannot use one ignore it. */
  context: string | null;
  /** Whether `heard` is of use to the caller. */
  romanize: boolean;
};

/**
 * An opened recogniser. Sound is pulled chunk by chunk (16 kHz mono), so memory does not grow with the recording.
 * Silence gives no segment. Throws AppError: `engine_failed` for its own failure; an aborted signal ends the stream by throwing its reason.
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
  /**
   * The languages it recognises, and how well: 100 less the error rate in percent, as published or measured on people's speech.
   * Where a request names no model, the available one that is best at its language does the work.
   */
  languages: LanguageQuality;
  /** The finest unit that gets a time. */
  timestamps: 'word' | 'segment' | 'none';
  confidence: boolean;
  /** Gives the romanisation that was heard with every word. */
  readings: boolean;
};

export type RecognizerModel = Model<RecognizerCapabilities>;
export type RecognizerEngine = Engine<'recognizer', RecognizerCapabilities, Recognizer>;
