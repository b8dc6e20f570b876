import type { FinishCall, FinishedSpeech } from '#audio/finishing/finish-speech.ts';
import type { SpokenPiece, TextPiece } from '#contracts/spoken-text.ts';
import type { SynthesisEvent, SynthesisRequest, SynthesizerCapabilities } from '#contracts/synthesizer.ts';
import type { Language } from '#contracts/transcript.ts';

/** What is to be said: text that the front end still has to read, or words with their readings already. */
export type SpeechPart = TextPiece | SpokenPiece;

export type SpeakCall = Omit<SynthesisRequest, 'pieces'> & {
  /** Of the model that was chosen. */
  model: string;
  parts: readonly SpeechPart[];
  /** The text is in Simplified characters although the language is written in Traditional ones: converted before it is read. */
  fromSimplified: boolean;
};

/** Reads the parts and says them; the events of one synthesiser, as its contract promises them. */
export type Speak = (call: SpeakCall, signal: AbortSignal) => AsyncIterable<SynthesisEvent>;

/** Who would speak a language here. Throws `model_not_found` for a name that nothing has, `engine_unavailable` when nobody can. */
export type ChooseSpeaker = (
  language: Language,
  preference: string,
) => { model: string; capabilities: SynthesizerCapabilities };

/** Makes one file of raw sound. */
export type FinishSpeech = (call: FinishCall, signal: AbortSignal) => Promise<FinishedSpeech>;
