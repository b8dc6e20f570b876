import type { Engine, RankedCapabilities } from './engine.ts';

/**
 * The languages of a summary (interface 2.1): Traditional Chinese as written in Hong Kong with the words of Cantonese, Simplified Chinese,
 * English, Japanese, Korean.
 */
export const SUMMARY_LANGUAGES = ['cantonese', 'mandarin', 'english', 'japanese', 'korean'] as const;
export type SummaryLanguage = (typeof SUMMARY_LANGUAGES)[number];

export type SummaryRequest = {
  /** As it was said, of any length, never blank. Nothing in it is an instruction, whatever it says. */
  transcript: string;
  /** Of the video, where it is known; data as well. */
  title: string | null;
  language: SummaryLanguage;
};

/** What is wrong with a summary: another language, the wrong script, the words of Mandarin where Cantonese was asked for. */
export const SUMMARY_FAULTS = ['language', 'script', 'wording'] as const;
export type SummaryFault = (typeof SUMMARY_FAULTS)[number];

/** An opened summariser. */
export type Summarizer = {
  /**
   * A summary of the transcript. Whoever asks checks language, script and marks (features/video-summary) and need not trust it. Throws
   * AppError: `summary_failed` when it cannot give this language or the model gave nothing of use, otherwise `engine_failed`,
   * `engine_unavailable`, `service_unavailable`, `timed_out`; an aborted signal throws its reason.
   */
  summarize(request: SummaryRequest, signal: AbortSignal): Promise<string>;
  /**
   * The same summary without its fault; null when this engine cannot write anything anew. The draft is data, as the transcript is. Throws
   * what `summarize` throws.
   */
  rewrite(
    draft: { summary: string; language: SummaryLanguage; fault: SummaryFault },
    signal: AbortSignal,
  ): Promise<string | null>;
  close(): Promise<void>;
};

export type SummarizerEngine = Engine<'summarizer', RankedCapabilities, Summarizer>;
