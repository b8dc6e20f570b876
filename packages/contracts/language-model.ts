import type { Engine, RankedCapabilities } from './engine.ts';

/** A question about data; instructions in the data must not be followed. */
export type ModelQuestion = {
  instructions: string;
  /** Written as JSON. */
  data: unknown;
  /** The JSON schema of the answer, for servers that enforce one. */
  schema: { name: string; schema: object };
  /** The longest answer in tokens, thinking included. */
  maxTokens: number;
};

/**
 * The answer without what the model thought before it: JSON as it was asked for, or anything else.
 * `too-long`: the question does not fit the window. `thought-only`: thinking took all tokens of the
 * answer. `withheld`: it was refused or filtered.
 */
export type ModelAnswer = { text: string; ending: 'whole' | 'cut-off' | 'thought-only' | 'withheld' | 'too-long' };

/** An opened language model. */
export type LanguageModel = {
  /** The window in tokens: instructions, data and answer. */
  contextTokens: number;
  /** An upper bound of the tokens of a text, but for rare characters. */
  tokensOf(text: string): number;
  /**
   * Asks once. Throws `engine_failed`, `engine_unavailable`, `service_unavailable` or `timed_out`;
   * an aborted signal throws its reason.
   */
  ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>;
  close(): Promise<void>;
};

export type LanguageModelEngine = Engine<'language-model', RankedCapabilities, LanguageModel>;
