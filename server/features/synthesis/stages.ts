import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { SpeechFileRequest, RenderedSpeechFile } from '@jyutsing/audio/encoding/render-speech-file';
import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import type { TokenizedPiece } from '@jyutsing/text/normalization/tokens';
import type { SynthesisEvent, SynthesisRequest, SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';

/** Tokenized text that the worker normalizes, or words whose readings the request has given. */
export type SpeechPart = TokenizedPiece | SpokenPiece;

export type SpeakCall = Omit<SynthesisRequest, 'pieces'> & {
  model: ModelRef<'synthesizer'>;
  parts: readonly SpeechPart[];
  /** The text is in Simplified characters although the language is written in Traditional ones: converted before it is read. */
  fromSimplified: boolean;
};

/** Reads the parts and says them; the events of one synthesiser, as its contract promises them. */
export type Speak = (call: SpeakCall, signal: AbortSignal) => AsyncIterable<SynthesisEvent>;

/** The chosen model, and how many calls it takes at a time. */
export type Speaker = ModelRef<'synthesizer'> & {
  /** Calls that are spoken at a time, those of all such speakers together; null: as many as come, the work is done elsewhere. */
  places: number | null;
};

/**
 * Who would speak a language here. Throws `model_not_found` for a name that nothing has, `invalid_parameter` for a model that does not
 * know the language, `engine_unavailable` when nobody can.
 */
export type ChooseSpeaker = (language: Language, preference: string) => Speaker;

/** What is to be said, in parts of about a breath each; at least one. */
export type Script = { language: Language; parts: readonly SpeechPart[]; fromSimplified: boolean };

/** A script, who speaks it, in whose voice, and how. */
export type Speech = { script: Script; speaker: Speaker; voice: SynthesisVoice } & Pick<
  SynthesisRequest,
  'temperature' | 'topP' | 'speed' | 'pitchSemitones' | 'seed'
>;

/** Makes one file of raw sound. */
export type RenderSpeechFile = (call: SpeechFileRequest, signal: AbortSignal) => Promise<RenderedSpeechFile>;
