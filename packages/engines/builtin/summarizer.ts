import { summaryFailed } from '@jyutsing/contracts/errors';
import type { Summarizer, SummarizerEngine, SummaryLanguage, SummaryRequest } from '@jyutsing/contracts/summarizer';
import { openSummaries } from '@jyutsing/text/summary/open-summaries';
import { createWeightedSemaphore } from '@jyutsing/concurrency/weighted-semaphore';

/** Increase when this code or the summarizer of the text package may return another summary. */
const CODE_VERSION = '2';

/**
 * Largest number of characters summarized at the same time, over all requests. Each takes up to 150
 * bytes, and all share one processor. Three hours of speech have 160,000; a request may have four
 * million.
 */
const MAX_CHARACTERS_AT_ONCE = 4_000_000;
/** Least cost of a transcript in characters, which bounds the number of parallel summaries. */
const MIN_CHARACTERS = 250_000;
const capacity = createWeightedSemaphore(MAX_CHARACTERS_AT_ONCE);

const LANGUAGE_NAMES: Readonly<Record<SummaryLanguage, string>> = {
  cantonese: 'Cantonese',
  mandarin: 'Mandarin',
  english: 'English',
  japanese: 'Japanese',
  korean: 'Korean',
};

/**
 * Extractive summaries: sentences of the transcript itself, without a model or network. It supports
 * only the transcript's own language (Chinese in both scripts) and never rewrites.
 */
export const engine: SummarizerEngine = {
  ability: 'summarizer',
  name: 'builtin',
  models: () => [
    { name: 'builtin', version: CODE_VERSION, capabilities: { quality: 10 }, availability: { available: true } },
  ],
  open: async () => summarizer,
};

const summarizer: Summarizer = {
  summarize,
  async rewrite(_draft, signal) {
    signal.throwIfAborted();
    return null;
  },
  async close() {},
};

async function summarize({ transcript, title, language }: SummaryRequest, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const { detectTranscriptLanguage, summarizableLanguages, summarizeText } = await openSummaries();
  signal.throwIfAborted();
  const spoken = detectTranscriptLanguage(transcript);
  if (!summarizableLanguages(spoken).includes(language)) {
    throw summaryFailed(cannotWrite(language, spoken));
  }
  const characters = Math.max(MIN_CHARACTERS, transcript.length);
  const summary = await capacity.use(characters, signal, () => summarizeText(transcript, { language, title, signal }));
  signal.throwIfAborted();
  if (summary === '') throw summaryFailed('no sentence was found in the transcript');
  return summary;
}

/** Explains what to change on this server. */
function cannotWrite(language: SummaryLanguage, spoken: SummaryLanguage | null): string {
  const source = spoken === null ? 'an unsupported language' : LANGUAGE_NAMES[spoken];
  return (
    'LLM_BASE_URL and LLM_MODEL are not set: ' +
    `the built-in summarizer cannot write ${LANGUAGE_NAMES[language]} from a transcript in ${source}`
  );
}
