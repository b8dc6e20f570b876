import type { PcmChunk } from './audio.ts';
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
  languages: Readonly<Partial<Record<Language, number>>>;
  /** The finest unit that gets a time. */
  timestamps: 'word' | 'segment' | 'none';
  confidence: boolean;
  /** Gives the romanisation that was heard with every word. */
  readings: boolean;
};

export type Availability = { available: true } | { available: false; reason: string };

/** Variables that a program started by an engine may need; `settings` holds those that are set. */
export const PROGRAM_VARIABLES: readonly string[] = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'SystemRoot',
  'TEMP',
];

/**
 * What an engine may know of the process. `settings` are the environment variables that begin with
 * an engine's prefix (STT_, TTS_, LLM_, …) and the `PROGRAM_VARIABLES`.
 */
export type EngineEnv = {
  /** Where weights that ship with the project lie. */
  builtinModelsDir: string;
  /** Where pulled weights lie. */
  modelsDir: string;
  settings: Readonly<Record<string, string>>;
};

/** One model that an engine can run, whether or not it can do so here and now. */
export type RecognizerModel = {
  /** Unlike that of any other model of any engine: what a request may name, and the `backend` of a record. */
  name: string;
  /** Of code and weights: part of the cache key, so it changes whenever the text could. */
  version: string;
  capabilities: RecognizerCapabilities;
  availability: Availability;
};

/**
 * What an engine folder exports as `engine` from its `recognizer.ts`. A plain object; heavy libraries are imported in `open` only,
 * because the registry reads every folder at start.
 */
export type RecognizerEngine = {
  ability: 'recognizer';
  /** Same as the folder. */
  name: string;
  /** Asked at every request, so that a model that was pulled meanwhile is found: it must be cheap. */
  models(env: EngineEnv): readonly RecognizerModel[];
  /** Opens one of its models. Throws `engine_unavailable` when it is not there, `engine_failed` when it cannot be loaded. */
  open(env: EngineEnv, modelName: string): Promise<Recognizer>;
};

/** A model and the engine that runs it. */
export type RecognizerChoice = { engine: RecognizerEngine; model: RecognizerModel };
