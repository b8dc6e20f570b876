import type { LanguageModel } from '@jyutsing/contracts/language-model';

/** The language model of the service. */
export type LanguageModels = {
  /** Throws `language_model_required` when none is configured. */
  open(): Promise<LanguageModel>;
  /** Runs work that a stopping server waits for, with a signal that also ends it then. */
  run<Result>(signal: AbortSignal, work: (stop: AbortSignal) => Promise<Result>): Promise<Result>;
};
