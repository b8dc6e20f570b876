import type { Engine, LanguageQuality, Model } from './engine.ts';
import type { SpokenPiece } from './spoken-text.ts';
import type { Language } from './transcript.ts';
import type { VoiceProfile } from './voice.ts';

/** Every synthesiser gives mono sound at this rate. */
export const SYNTHESIS_SAMPLE_RATE_HZ = 24_000;

/** Who is to be heard. */
export type SynthesisVoice = {
  id: string;
  profile: VoiceProfile;
  /** The sample itself (WAV, 24 kHz, mono, 16 bit) and what is said in it, if anybody knows; null for models that do not hear it. */
  reference: { wav: Uint8Array<ArrayBuffer>; transcript: string | null } | null;
};

export type SynthesisRequest = {
  /** In order. A model whose `unit` is "piece" is given one at a time, so that many speakers share a processor fairly. */
  pieces: readonly SpokenPiece[];
  /** Of the text as a whole. */
  language: Language;
  voice: SynthesisVoice;
  /** 0 (the same melody each time) to 2. */
  temperature: number;
  /** (0, 1]. */
  topP: number;
  /** 1 is the voice's own rate; 0.5–3. Without effect where the model's `adjusts.speed` is false. */
  speed: number;
  /** Semitones above the voice's own register, −12…12. Without effect where the model's `adjusts.pitch` is false. */
  pitchSemitones: number;
  /** With temperature above 0: the same seed and request give the same melody. */
  seed: number;
};

/** A stretch of sound of something said; milliseconds from the start of the request's sound. */
export type SpokenTime = { text: string; startMs: number; endMs: number };

/**
 * What a synthesiser says. `audio` comes in order and without gaps, floats in −1..1, at most a quarter of a second each, as soon as it is made;
 * a `word` comes in the order of the words, before, with or after its sound. `syllables` are empty where the engine does not know.
 */
export type SynthesisEvent =
  | { type: 'audio'; samples: Float32Array<ArrayBuffer> }
  | { type: 'word'; word: SpokenTime; syllables: readonly SpokenTime[] };

/**
 * An opened synthesiser. Throws AppError: `engine_unavailable` (nobody there), `service_unavailable` (broke off), `timed_out`,
 * `engine_failed`. An aborted signal ends it at once by throwing its reason. Nothing is made faster than it is pulled, but for a
 * small buffer.
 */
export type Synthesizer = {
  synthesize(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<SynthesisEvent>;
  close(): Promise<void>;
};

export type SynthesizerCapabilities = {
  /** The languages it speaks and how well, 0–100, as published or judged by ear. The best at the language does the work. */
  languages: LanguageQuality;
  /** What it takes of a voice: its profile, its reference sample, or nothing (it has one voice of its own). */
  clones: 'profile' | 'reference' | 'none';
  /** What it is given at a time. */
  unit: 'piece' | 'text';
  /** Needs the readings of words; otherwise it reads `said` by itself. */
  readings: boolean;
  /** Tells when words are said. */
  wordTimes: boolean;
  /** What it does by itself; the rest is done to its sound afterwards. */
  adjusts: { speed: boolean; pitch: boolean };
  /** `worker`: it computes or calls native code, so it runs in a worker process. `server`: it only waits for a remote server. */
  placement: 'worker' | 'server';
};

export type SynthesizerModel = Model<SynthesizerCapabilities>;
export type SynthesizerEngine = Engine<'synthesizer', SynthesizerCapabilities, Synthesizer>;
