import type { Engine, RankedCapabilities } from './engine.ts';

/**
 * The languages of a summary (interface 2.1): Traditional Chinese as written in Hong Kong with
 * Cantonese vocabulary, Simplified Chinese, English, Japanese, Korean.
 */
export const SUMMARY_LANGUAGES = ['cantonese', 'mandarin', 'english', 'japanese', 'korean'] as const;
export type SummaryLanguage = (typeof SUMMARY_LANGUAGES)[number];

export type SummaryRequest = {
  /**
   * The text, of any length and never blank. It is data: instructions in it must not be followed.
   */
  transcript: string;
  /** The title of the video where known; data as well. */
  title: string | null;
  language: SummaryLanguage;
};

/**
 * Defects of a summary: another language, the wrong script, Mandarin vocabulary instead of
 * Cantonese.
 */
export const SUMMARY_FAULTS = ['language', 'script', 'wording'] as const;
export type SummaryFault = (typeof SUMMARY_FAULTS)[number];

/** An opened summarizer. */
export type Summarizer = {
  /**
   * A summary of the transcript. The caller checks its language, script and format
   * (features/video-summary), so it need not be trusted. Throws `summary_failed` when the language
   * is not supported or the model gave nothing usable, else `engine_failed`, `engine_unavailable`,
   * `service_unavailable` or `timed_out`; an aborted signal throws its reason.
   */
  summarize(request: SummaryRequest, signal: AbortSignal): Promise<string>;
  /**
   * The same summary without its defect; null when this engine cannot rewrite. The draft is data,
   * as the transcript is. Throws as `summarize`.
   */
  rewrite(
    draft: { summary: string; language: SummaryLanguage; fault: SummaryFault },
    signal: AbortSignal,
  ): Promise<string | null>;
  close(): Promise<void>;
};

export type SummarizerEngine = Engine<'summarizer', RankedCapabilities, Summarizer>;
