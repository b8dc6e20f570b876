import type { Engine, LanguageQuality, Model } from './engine.ts';
import type { SpokenPiece } from './spoken-text.ts';
import type { Language } from './transcript.ts';
import type { VoiceProfile } from './voice.ts';

/** Sample rate of the mono audio that every synthesizer produces. */
export const SYNTHESIS_SAMPLE_RATE_HZ = 24_000;

/** The voice to speak in. */
export type SynthesisVoice = {
  id: string;
  profile: VoiceProfile;
  /**
   * The sample (WAV, 24 kHz, mono, 16 bit) and its text where known; null for models that do not
   * use a sample.
   */
  reference: { wav: Uint8Array<ArrayBuffer>; transcript: string | null } | null;
};

/** How a text is spoken. */
export type SpeechStyle = {
  /** The variation of prosody, from 0 (none) to 2. */
  temperature: number;
  /** Nucleus sampling: above 0, at most 1. */
  topP: number;
  /** 0.5–3; 1 is the voice's own rate. Ignored when the model's `adjusts.speed` is false. */
  speed: number;
  /**
   * −12…12 semitones from the voice's own pitch. Ignored when the model's `adjusts.pitch` is false.
   */
  pitchSemitones: number;
};

export type SynthesisRequest = SpeechStyle & {
  /**
   * The pieces come in order. A model whose `unit` is "piece" receives one at a time, so that
   * requests share a processor fairly.
   */
  pieces: readonly SpokenPiece[];
  /** The language of the text; single words may have another. */
  language: Language;
  voice: SynthesisVoice;
  /** The same seed and request give the same prosody. */
  seed: number;
};

/** A word or syllable with its time, in milliseconds from the start of the request's audio. */
export type SpokenTime = { text: string; startMs: number; endMs: number };

/**
 * Events of a synthesis. `audio` comes in order and without gaps as soon as it is made: floats in
 * −1..1, at most 250 ms each. `word` comes in the order of the words, before, with or after its
 * audio; `syllables` is empty when the engine does not time them.
 */
export type SynthesisEvent =
  | { type: 'audio'; samples: Float32Array<ArrayBuffer> }
  | { type: 'word'; word: SpokenTime; syllables: readonly SpokenTime[] };

/**
 * An opened synthesizer. Throws `engine_unavailable` (cannot be reached), `service_unavailable`
 * (connection lost), `timed_out` or `engine_failed`. An aborted signal ends it at once with its
 * reason. Audio is generated as it is pulled, ahead only by a small buffer.
 */
export type Synthesizer = {
  synthesize(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<SynthesisEvent>;
  close(): Promise<void>;
};

export type SynthesizerCapabilities = {
  /** 0–100, published or judged by listening. */
  languages: LanguageQuality;
  /**
   * The parts of a voice that the model uses: the profile, the reference sample, the sample and
   * always its transcript, or nothing (it has one voice of its own).
   */
  clones: 'profile' | 'reference' | 'reference-and-text' | 'none';
  /** Quality with voices of recorded people, where it differs from that with designed voices. */
  cloned?: LanguageQuality;
  /** Only a request or a setting that names it gets it; it is never the best of several. */
  onlyByName?: true;
  /**
   * It may be slower than its sound: a stream begins when the rest will be made before it is
   * heard.
   */
  maySpeakSlowly?: true;
  /**
   * How often it speaks a text with other seeds, of which a recognizer takes what it understands
   * best; absent: once.
   */
  candidates?: number;
  /** How much text it receives at a time. */
  unit: 'piece' | 'text';
  /** Needs `SpokenWord.reading`; otherwise it reads `spokenForm` itself. */
  readings: boolean;
  /**
   * Languages whose words in a text it leaves to the best model of that language, in the same
   * voice; absent: it speaks all words of a text.
   */
  leaves?: readonly Language[];
  /** Emits `word` events. */
  wordTimes: boolean;
  /** Whether the model changes speed and pitch itself; otherwise they are changed in its audio. */
  adjusts: { speed: boolean; pitch: boolean };
  /**
   * `worker`: computes or calls native code, so it runs in a worker process. `server`: only waits
   * for a remote server.
   */
  placement: 'worker' | 'server';
};

export type SynthesizerModel = Model<SynthesizerCapabilities>;
export type SynthesizerEngine = Engine<'synthesizer', SynthesizerCapabilities, Synthesizer>;
