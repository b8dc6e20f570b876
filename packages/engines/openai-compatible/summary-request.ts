import { AppError } from '@jyutsing/contracts/errors';
import type { ChatClient } from './chat-client.ts';
import { isRefusal, readSummary } from './summary-answer.ts';
import { repeatsPrompt, summaryQuestion, type SummaryAsk } from './summary-prompt.ts';
import { clipText, wholeSentences } from './summary-text.ts';
import { SUMMARY_WORDINGS } from './summary-wording.ts';

/** An answer so much longer than was asked for is as good as one without an end. */
const MOST_OF_WORDS = 3;
const SPARE_TOKENS = 200;
/** What is asked for the second time. */
const SHORTER = 0.5;

/**
 * The text that the model gives; null when the question does not fit its window. An answer that is cut off is asked for once more,
 * shorter; when that is cut off too, what is whole of it is taken. Throws `summary_failed` for an answer of no use, otherwise what the
 * client throws.
 */
export async function askForText(
  client: ChatClient,
  ask: Omit<SummaryAsk, 'isRetry'>,
  signal: AbortSignal,
): Promise<string | null> {
  let best = '';
  for (const isRetry of [false, true]) {
    const words = isRetry ? Math.max(20, Math.round(ask.words * SHORTER)) : ask.words;
    const question = summaryQuestion({ ...ask, words, isRetry });
    const { written, ending } = await client.ask(question, signal);
    if (ending === 'too-long') return null;
    if (ending === 'withheld') throw failed('the model said nothing, or its answer was withheld');
    const { text: given, isWhole } = readSummary(written);
    const isCutOff = isWhole === false || (isWhole === null && ending === 'cut-off');
    const mostTokens = MOST_OF_WORDS * ask.words * SUMMARY_WORDINGS[ask.language].tokensPerWord + SPARE_TOKENS;
    const text = clipText(given, mostTokens);
    if (text === '' && !isCutOff) throw failed('the model answered, but nothing in it is a summary');
    if (isRefusal(text)) throw failed('the model refused');
    if (repeatsPrompt(text, question.system)) throw failed('the model repeated its instructions');
    if (!isCutOff && text === given) return text;
    const kept = wholeSentences(text);
    // The second is what was asked for, where anything of it is whole.
    if (kept !== '') best = kept;
  }
  if (best === '') throw failed('the answer was cut off twice, and no sentence of it is whole');
  return best;
}

/** Why there is no summary, for the log: nothing of what was said or written is in it. */
export function failed(cause: string): AppError {
  return new AppError('summary_failed', undefined, { cause });
}
