import type { ModelRef } from './abilities.ts';
import type { Language } from './transcript.ts';

/** The models of a transcription. Plain data, chosen once: jobs and workers open exactly these. */
export type TranscriptionModels = {
  /**
   * By language: one where the language is known, else one for each that the recording may be in;
   * at least one.
   */
  recognizers: Readonly<Partial<Record<Language, ModelRef<'recognizer'>>>>;
  /**
   * By language: the recognizers that are asked, best first, where the one above fails; absent:
   * none, as the request or the server chose a model.
   */
  otherRecognizers?: Readonly<Partial<Record<Language, readonly ModelRef<'recognizer'>[]>>>;
  /** The model that identifies the language; null when the request names the language. */
  languageIdentifier: ModelRef<'language-identifier'> | null;
  /** The model that finds the speakers; null when the request does not ask for them. */
  diarizer: ModelRef<'diarizer'> | null;
  /** The model that recognizes jyutping; null for a transcription without fusion. */
  romanizer: ModelRef<'romanizer'> | null;
  /** Best first: where one fails, the next takes its place. Empty where there is no fusion. */
  correctors: readonly ModelRef<'corrector'>[];
};

/** The models of a transcription, chosen when the request is accepted. */
export type TranscriptionPlan = {
  /**
   * The field `backend` of a record that is not finished: the model, or for the language "auto" the
   * requested model.
   */
  backend: string;
  /** Digest of the names and versions of all its models; part of the cache key. */
  version: string;
  willFuse: boolean;
  /** A recognizer takes the words of the corpora that the request names; absent: none does. */
  hearsCorpora?: true;
  models: TranscriptionModels;
};
