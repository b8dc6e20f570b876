import type { PcmChunk } from './audio.ts';
import type { Availability, EngineEnv } from './recognizer.ts';
import type { Language } from './transcript.ts';

/** `confidence` is the probability of the language among those asked for, 0..1. */
export type IdentifiedLanguage = { language: Language; confidence: number };

/**
 * An opened language identifier. It pulls sound (16 kHz mono) only for as long as it needs to decide; null when it heard no speech.
 * Throws AppError `engine_failed`; an aborted signal throws its reason.
 */
export type LanguageIdentifier = {
  identify(
    audio: AsyncIterable<PcmChunk>,
    among: readonly Language[],
    signal: AbortSignal,
  ): Promise<IdentifiedLanguage | null>;
  close(): Promise<void>;
};

/** What an engine folder exports as `engine` from its `language-identifier.ts`. */
export type LanguageIdentifierEngine = {
  ability: 'language-identifier';
  /** Same as the folder. */
  name: string;
  /** Of code and weights: part of the cache key of what was asked for as `auto`. */
  version(env: EngineEnv): string;
  /** Higher wins when several are available. */
  priority: number;
  availability(env: EngineEnv): Availability;
  open(env: EngineEnv): Promise<LanguageIdentifier>;
};
