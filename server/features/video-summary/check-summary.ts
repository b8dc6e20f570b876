import { summaryFailed, type AppError } from '@jyutsing/contracts/errors';
import type { Summarizer, SummaryFault, SummaryLanguage, SummaryRequest } from '@jyutsing/contracts/summarizer';
import type { GroundingFault } from '@jyutsing/text/summary/check-grounding';
import { openSummaries } from '@jyutsing/text/summary/open-summaries';
import { plainText } from './plain-text.ts';

/** Longer answers are cut. */
const MAX_CHARACTERS = 4_000;
/** Injected instructions ask for short texts; longer answers are summaries. */
const MAX_INJECTED_CHARACTERS = 200;
const SENTENCE_END = /[。！？!?…]["'”’」』）)\]]*|\.["'”’」』）)\]]*(?=\s|$)|\n/gu;

type Verdict = { summary: string; fault: SummaryFault | GroundingFault | 'blank' | null };

/** The cause of `summary_failed`, for the log. */
const REASONS: Readonly<Record<Exclude<Verdict['fault'], null | 'wording'>, string>> = {
  language: 'the summary is not in the requested language',
  script: 'the summary is in the wrong Chinese script',
  blank: 'the summary is blank',
  refusal: 'the model refused',
  empty: 'the summary is almost empty',
  quotation: 'the summary is only a quotation of the transcript',
  unrelated: 'the summary is not about the transcript',
};

/**
 * Returns the answer as plain text of at most 4,000 characters that is about the transcript and in
 * the requested language and script. The summarizer may rewrite a wrong one once. Cantonese that
 * keeps Mandarin wording is accepted, because its readers understand it. Throws `summary_failed`
 * with the reason as cause, and what `rewrite` throws.
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
  const again = await rewrite(summarizer, { summary, language: request.language, fault }, signal);
  const revision = again === null ? draft : await judge(again, request, signal);
  if (revision.fault === null || revision.fault === 'wording') return revision.summary;
  if (fault === 'wording') return summary;
  throw refusal(revision.fault);
}

async function rewrite(
  summarizer: Pick<Summarizer, 'rewrite'>,
  draft: { summary: string; language: SummaryLanguage; fault: SummaryFault },
  signal: AbortSignal,
): Promise<string | null> {
  signal.throwIfAborted();
  try {
    return await summarizer.rewrite(draft, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // The draft is acceptable as it is.
    if (draft.fault === 'wording') return null;
    throw thrown;
  }
}

async function judge(answer: string, request: SummaryRequest, signal: AbortSignal): Promise<Verdict> {
  const { faultOf, repairScript, groundingFaultOf, detectTranscriptLanguage } = await openSummaries();
  signal.throwIfAborted();
  const summary = truncated(repairScript(plainText(answer), request.language));
  if (!/[\p{L}\p{N}]/u.test(summary)) return { summary, fault: 'blank' };
  const fault = faultOf(summary, request.language);
  // Checked before a rewrite into another language, which would make any answer look related.
  const language = fault === 'language' ? detectTranscriptLanguage(summary) : request.language;
  if (language === null) return { summary, fault };
  const grounding = await groundingFaultOf(summary, { ...request, language }, signal);
  // A long text in another language is more likely a summary than the result of an injection.
  const isSummary = fault === 'language' && grounding === 'unrelated' && summary.length > MAX_INJECTED_CHARACTERS;
  return { summary, fault: isSummary ? fault : (grounding ?? fault) };
}

function isRewritable(fault: Exclude<Verdict['fault'], null>): fault is SummaryFault {
  return fault === 'language' || fault === 'script' || fault === 'wording';
}

function refusal(fault: keyof typeof REASONS): AppError {
  return summaryFailed(REASONS[fault]);
}

/** Cuts at the last sentence end within the limit, or at the limit without one. */
function truncated(summary: string): string {
  if (summary.length <= MAX_CHARACTERS) return summary;
  const start = summary.slice(0, MAX_CHARACTERS);
  const ends = [...start.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
  const end = ends.at(-1) ?? 0;
  return start
    .slice(0, end > 0 ? end : MAX_CHARACTERS)
    .toWellFormed()
    .replace(/\uFFFD$/u, '')
    .trim();
}
