import type { PcmChunk } from './audio.ts';
import type { Engine, RankedCapabilities } from './engine.ts';
import type { Language } from './transcript.ts';

/** `confidence` is the probability of the language among the candidates, 0..1. */
export type IdentifiedLanguage = { language: Language; confidence: number };

/**
 * An opened language identifier. It pulls audio (16 kHz mono) only until it can decide; null for a
 * recording without speech. Throws `engine_failed`; an aborted signal throws its reason.
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
