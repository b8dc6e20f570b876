import { AppError } from '@jyutsing/contracts/errors';
import type { Summarizer, SummaryFault, SummaryLanguage, SummaryRequest } from '@jyutsing/contracts/summarizer';
import type { GroundingFault } from '@jyutsing/text/summary/check-grounding';
import { plainText } from './plain-text.ts';

/** Longer answers are cut: a summary that long sums nothing up. */
const MOST_CHARACTERS = 4_000;
/** Orders in a video are to say something short. */
const MOST_OBEYED_CHARACTERS = 200;
const SENTENCE_END = /[。！？!?…]["'”’」』）)\]]*|\.["'”’」』）)\]]*(?=\s|$)|\n/gu;

/** A summary that is fit to be given out, or why it is not. */
type Verdict = { summary: string; fault: SummaryFault | GroundingFault | 'blank' | null };

/** What the log says of an answer that is refused. */
const REASONS: Readonly<Record<Exclude<Verdict['fault'], null | 'wording'>, string>> = {
  language: 'the summary is not in the language asked for',
  script: 'the summary is in the wrong Chinese script',
  blank: 'the summary is blank',
  refusal: 'the model declined',
  empty: 'the summary says next to nothing',
  quotation: 'the summary is nothing but one passage of the transcript',
  unrelated: 'the summary is not about the transcript',
};

/**
 * The summary in a summariser's answer, as it is given out: plain text of at most 4,000 characters, cut at the end of a sentence, in the
 * language and the script asked for, and about the transcript. What is wrong and cannot be put right here, the summariser may
 * rewrite once. Cantonese that stays in the words of Mandarin is given out all the same, in Traditional characters: to its reader that is
 * better than nothing. Throws `summary_failed` for anything else, the reason as its cause, and what `rewrite` throws.
 */
export async function checkSummary(
  summarizer: Pick<Summarizer, 'rewrite'>,
  answer: string,
  request: SummaryRequest,
  signal: AbortSignal,
): Promise<string> {
  const draft = await judge(answer, request, signal);
  if (draft.fault === null) return draft.summary;
  const { summary, fault } = draft;
  if (!isRewritable(fault)) throw refusal(fault);
  const again = await rewritten(summarizer, { summary, language: request.language, fault }, signal);
  const revision = again === null ? draft : await judge(again, request, signal);
  if (revision.fault === null || revision.fault === 'wording') return revision.summary;
  if (fault === 'wording') return summary;
  throw refusal(revision.fault);
}

async function rewritten(
  summarizer: Pick<Summarizer, 'rewrite'>,
  draft: { summary: string; language: SummaryLanguage; fault: SummaryFault },
  signal: AbortSignal,
): Promise<string | null> {
  signal.throwIfAborted();
  try {
    return await summarizer.rewrite(draft, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // A draft that could be given out as it is does not become worse by a model that is away.
    if (draft.fault === 'wording') return null;
    throw thrown;
  }
}

async function judge(answer: string, request: SummaryRequest, signal: AbortSignal): Promise<Verdict> {
  // The tables of both Chinese scripts take their time to load, which a start should not pay.
  const { faultOf, repairScript } = await import('@jyutsing/text/summary/check-language');
  const { groundingFaultOf } = await import('@jyutsing/text/summary/check-grounding');
  const { detectTranscriptLanguage } = await import('@jyutsing/text/summary/languages');
  signal.throwIfAborted();
  const summary = bounded(repairScript(plainText(answer), request.language));
  if (!/[\p{L}\p{N}]/u.test(summary)) return { summary, fault: 'blank' };
  const fault = faultOf(summary, request.language);
  // Written anew in another language, an answer that has nothing to do with the transcript could no longer be told from one that has.
  const language = fault === 'language' ? detectTranscriptLanguage(summary) : request.language;
  if (language === null) return { summary, fault };
  const grounding = await groundingFaultOf(summary, { ...request, language }, signal);
  // What is said at length in another language is more likely a summary than an order that was obeyed.
  const isLikely = fault === 'language' && grounding === 'unrelated' && summary.length > MOST_OBEYED_CHARACTERS;
  return { summary, fault: isLikely ? fault : (grounding ?? fault) };
}

function isRewritable(fault: Exclude<Verdict['fault'], null>): fault is SummaryFault {
  return fault === 'language' || fault === 'script' || fault === 'wording';
}

function refusal(fault: keyof typeof REASONS): AppError {
  return new AppError('summary_failed', undefined, { cause: REASONS[fault] });
}

/** Up to the last sentence that ends within the bound; text without an end of a sentence is cut in the middle. */
function bounded(summary: string): string {
  if (summary.length <= MOST_CHARACTERS) return summary;
  const start = summary.slice(0, MOST_CHARACTERS);
  const ends = [...start.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
  const end = ends.at(-1) ?? 0;
  return start
    .slice(0, end > 0 ? end : MOST_CHARACTERS)
    .toWellFormed()
    .replace(/\uFFFD$/u, '')
    .trim();
}
