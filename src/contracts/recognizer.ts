import type { PcmChunk } from './audio.ts';
import type { Language, LanguageChoice, Segment } from './transcript.ts';

/** Every recogniser is given mono sound at this rate. */
export const RECOGNIZER_SAMPLE_RATE_HZ = 16_000;

/**
 * What a recogniser says while it listens. `segment-end` is final and never revised; segments come in time order.
 * `progress.processedMs` never goes back. `language-detected` comes at most once, before the first segment, when asked for `auto`.
 */
export type RecognitionEvent =
  | { type: 'progress'; processedMs: number }
  | { type: 'language-detected'; language: Language; confidence: number | null }
  | { type: 'segment-end'; segment: Segment };

export type RecognitionOptions = {
  language: LanguageChoice;
  /** A free-form hint about topic, names or domain; engines that cannot use one ignore it. */
  context: string | null;
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
  languages: readonly Language[];
  /** Can decide between its languages itself. */
  detectsLanguage: boolean;
  /** The finest unit that gets a time. */
  timestamps: 'word' | 'segment' | 'none';
  confidence: boolean;
  /** Gives the romanisation that was heard with every word. */
  readings: boolean;
};

export type Availability = { available: true } | { available: false; reason: string };

/** What an engine may know of its surroundings. `settings` are the process's variables that begin with an engine's prefix (STT_, TTS_, LLM_, …). */
export type EngineSurroundings = {
  /** Where weights that ship with the project lie. */
  builtinModelsDir: string;
  /** Where pulled weights lie. */
  modelsDir: string;
  settings: Readonly<Record<string, string>>;
};

/**
 * What an engine folder exports as `engine` from its `recognizer.ts`. A plain object; heavy libraries are imported in `open` only,
 * because the registry reads every folder at start.
 */
export type RecognizerEngine = {
  ability: 'recognizer';
  /** Same as the folder; what a user writes to choose it, and the `backend` of a record. */
  name: string;
  /** Engine and model versions: part of the cache key, so it changes whenever the text could. */
  version: string;
  /** Higher wins when several engines are available for a language. */
  priority: number;
  capabilities: RecognizerCapabilities;
  availability(surroundings: EngineSurroundings): Availability;
  open(surroundings: EngineSurroundings): Promise<Recognizer>;
};
