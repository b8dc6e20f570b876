import type { PcmChunk } from './audio.ts';
import type { Engine, RankedCapabilities } from './engine.ts';
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

export type LanguageIdentifierEngine = Engine<'language-identifier', RankedCapabilities, LanguageIdentifier>;
