import type { ModelRef } from './abilities.ts';
import type { Language } from './transcript.ts';

/** The models of a transcription. Plain data, chosen once: jobs and workers open exactly these. */
export type TranscriptionModels = {
  /**
   * By language: one where the language is known, else one for each that the recording may be in;
   * at least one.
   */
  recognizers: Readonly<Partial<Record<Language, ModelRef<'recognizer'>>>>;
  /** Null where there is only one language to choose. */
  languageIdentifier: ModelRef<'language-identifier'> | null;
  /** Null where no speakers are wanted. */
  diarizer: ModelRef<'diarizer'> | null;
  /** Null where there is no fusion. */
  romanizer: ModelRef<'romanizer'> | null;
  /** Best first: where one fails, the next takes its place. Empty where there is no fusion. */
  correctors: readonly ModelRef<'corrector'>[];
};

/** What a transcription will be done with, decided when the request is accepted. */
export type TranscriptionPlan = {
  /**
   * The field `backend` of a record that is not finished: the model, or for the language "auto" the
   * requested model.
   */
  backend: string;
  /** Digest of the names and versions of all its models; part of the cache key. */
  version: string;
  willFuse: boolean;
  models: TranscriptionModels;
};
