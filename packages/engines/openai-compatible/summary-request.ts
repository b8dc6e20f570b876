import { summaryFailed } from '@jyutsing/contracts/errors';
import type { ChatClient } from './chat-client.ts';
import { isRefusal, readSummary } from './summary-answer.ts';
import { repeatsPrompt, summaryQuestion, type SummaryQuery } from './summary-prompt.ts';
import { clipText, wholeSentences } from './summary-text.ts';
import { SUMMARY_WORDINGS } from './summary-wording.ts';

/** Multiple of the requested length to which an answer is clipped. */
const MAX_LENGTH_RATIO = 3;
const SPARE_TOKENS = 200;
/** Length of the second request, relative to the first. */
const RETRY_LENGTH_SHARE = 0.5;

/**
 * Requests the text of the model; null when the question does not fit its window. A truncated
 * answer is requested once more, shorter; when that one is truncated too, its complete sentences
 * are used. Throws `summary_failed` for an unusable answer, and the errors of the client.
 */
export async function requestText(
  client: ChatClient,
  query: Omit<SummaryQuery, 'isRetry'>,
  signal: AbortSignal,
): Promise<string | null> {
  let best = '';
  for (const isRetry of [false, true]) {
    const words = isRetry ? Math.max(20, Math.round(query.words * RETRY_LENGTH_SHARE)) : query.words;
    const question = summaryQuestion({ ...query, words, isRetry });
    const { written, ending } = await client.ask(question, signal);
    if (ending === 'too-long') return null;
    if (ending === 'withheld') throw summaryFailed('the answer of the model is empty or was withheld');
    const { text: summary, isWhole } = readSummary(written);
    const isCutOff = isWhole === false || (isWhole === null && ending === 'cut-off');
    const mostTokens = MAX_LENGTH_RATIO * query.words * SUMMARY_WORDINGS[query.language].tokensPerWord + SPARE_TOKENS;
    const text = clipText(summary, mostTokens);
    if (text === '' && !isCutOff) throw summaryFailed('the answer of the model contains no summary');
    if (isRefusal(text)) throw summaryFailed('the model refused');
    if (repeatsPrompt(text, question.system)) throw summaryFailed('the model repeated its instructions');
    if (!isCutOff && text === summary) return text;
    const sentences = wholeSentences(text);
    // The second answer follows the request better, when any sentence of it is complete.
    if (sentences !== '') best = sentences;
  }
  if (best === '') throw summaryFailed('the answer was cut off twice and has no complete sentence');
  return best;
}
