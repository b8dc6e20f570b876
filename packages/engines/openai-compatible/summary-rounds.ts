import type { SummaryLanguage, SummaryRequest } from '@jyutsing/contracts/summarizer';
import { AppError, summaryFailed } from '@jyutsing/contracts/errors';
import type { ChatClient } from './chat-client.ts';
import { SUMMARY_SERVER } from './failures.ts';
import { requestText } from './summary-request.ts';
import { cutPiece } from './summary-pieces.ts';
import { answerTokens, dataTokens, type SummaryTask } from './summary-prompt.ts';
import { clipText } from './summary-text.ts';
import { estimateTokens, jsonTokens, type TextRange } from './summary-tokens.ts';
import { SUMMARY_WORDINGS } from './summary-wording.ts';

/** State that the rounds of one summary share. */
type Work = {
  client: ChatClient;
  language: SummaryLanguage;
  title: string | null;
  concurrency: number;
  /** Size of the window, reduced when the server reports that a question is too long. */
  contextTokens: number;
};

/** Least tokens of data per question; less gives useless notes. */
const LEAST_DATA_TOKENS = 200;
/**
 * Notes are requested at a fifth of their text and cut at two fifths, so every round shrinks the
 * text.
 */
const NOTES_SHARE = 0.2;
const MOST_NOTES_SHARE = 0.4;
const LEAST_NOTES_TOKENS = 60;
/** Largest number of rounds, enough for any transcript. */
const MOST_ROUNDS = 16;

const FEWEST_WORDS = 30;
const MOST_WORDS = 300;
/** Summary words per token of the transcript: one per six or seven spoken words. */
const WORDS_PER_TOKEN = 0.06;
/** Share of the answer tokens to request; the rest is for JSON, reasoning and estimation errors. */
const REQUESTED_SHARE = 0.8;

/**
 * Summarizes a transcript of any length: at once when it fits the model's window, else from notes
 * of its pieces, and from notes of those notes. Throws the errors of the client, `summary_failed`,
 * and `engine_failed` when even the smallest piece does not fit.
 */
export async function summarizeInRounds(
  work: Omit<Work, 'language' | 'title'>,
  request: SummaryRequest,
  signal: AbortSignal,
): Promise<string> {
  const { transcript, title, language } = request;
  const rounds: Work = { ...work, language, title };
  const words = Math.min(MOST_WORDS, Math.max(FEWEST_WORDS, estimateTokens(transcript) * WORDS_PER_TOKEN));
  return (
    (await summarizeAtOnce(rounds, { kind: 'summary', title, transcript }, words, signal)) ??
    (await summarizeNotes(rounds, await notesOf(rounds, transcript, 'notes', signal), words, signal))
  );
}

/** Writes the same summary without its defect. */
export async function rewriteDraft(
  { client, contextTokens }: Pick<Work, 'client' | 'contextTokens'>,
  task: SummaryTask & { kind: 'rewrite' },
  language: SummaryLanguage,
  signal: AbortSignal,
): Promise<string> {
  const work: Work = { client, contextTokens, language, title: null, concurrency: 1 };
  const { tokensPerWord } = SUMMARY_WORDINGS[language];
  for (;;) {
    const available = dataTokens(work, task);
    if (available < LEAST_DATA_TOKENS / 2) throw windowTooSmall();
    // A draft may have any length, so its end is cut when it does not fit.
    const draft = clipText(task.draft, available);
    const words = Math.max(FEWEST_WORDS, Math.min(MOST_WORDS, (estimateTokens(draft) / tokensPerWord) * 1.2));
    const text = await summarizeAtOnce(work, { ...task, draft }, words, signal);
    if (text !== null) return text;
  }
}

/**
 * Summarizes in one question; null when it does not fit. The window is reduced when the server
 * reported it.
 */
async function summarizeAtOnce(
  work: Work,
  task: SummaryTask,
  wantedWords: number,
  signal: AbortSignal,
): Promise<string | null> {
  const { client, language, contextTokens } = work;
  if (tokensOf(task) > dataTokens(work, task)) return null;
  const words = Math.min(wantedWords, wordsThatFit(work));
  const text = await requestText(client, { task, language, words, contextTokens }, signal);
  if (text === null) shrink(work, contextTokens);
  return text;
}

async function summarizeNotes(work: Work, first: string[], words: number, signal: AbortSignal): Promise<string> {
  let notes = first;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (notes.length === 0) throw summaryFailed('the transcript gave no notes');
    const summary = await summarizeAtOnce(work, { kind: 'final', title: work.title, notes }, words, signal);
    if (summary !== null) return summary;
    notes = await notesOf(work, notes.join('\n'), 'merge', signal);
  }
  throw new AppError('engine_failed', SUMMARY_SERVER.failed, {
    cause: 'the notes stay too long for the context window',
  });
}

/**
 * Takes notes of the pieces of a text, in order, with some requests at a time. The first failure
 * aborts the others.
 */
async function notesOf(work: Work, text: string, kind: 'notes' | 'merge', signal: AbortSignal): Promise<string[]> {
  const ranges: TextRange[] = [{ start: 0, end: text.length }];
  const notes: { start: number; note: string }[] = [];
  const group = new AbortController();
  const stop = AbortSignal.any([signal, group.signal]);
  const takePieces = async (): Promise<void> => {
    for (let range = ranges.shift(); range !== undefined; range = ranges.shift()) {
      const { contextTokens } = work;
      const { piece, rest } = cutPiece(text, range, dataTokensFor(work, kind));
      if (rest !== null) ranges.unshift(rest);
      const part = text.slice(piece.start, piece.end).trim();
      if (part === '') continue;
      const note = await noteOf(work, { kind, title: work.title, part }, stop);
      if (note !== null) {
        notes.push({ start: piece.start, note });
        continue;
      }
      // Ask again in smaller pieces; the server's report counts where questions run concurrently.
      shrink(work, contextTokens);
      ranges.unshift(piece);
    }
  };
  const workers = Array.from({ length: work.concurrency }, () =>
    takePieces().catch((thrown: unknown) => group.abort(thrown)),
  );
  await Promise.all(workers);
  stop.throwIfAborted();
  return notes.toSorted((first, second) => first.start - second.start).map(({ note }) => note);
}

async function noteOf(work: Work, task: SummaryTask & { part: string }, signal: AbortSignal): Promise<string | null> {
  const { client, language, contextTokens } = work;
  // Tokens are counted in JSON strings: escapes must not make notes longer than their text.
  const tokens = jsonTokens(task.part);
  const { tokensPerWord } = SUMMARY_WORDINGS[language];
  const words = Math.min(wordsThatFit(work), Math.max(FEWEST_WORDS, (tokens * NOTES_SHARE) / tokensPerWord));
  const note = await requestText(client, { task, language, words, contextTokens }, signal);
  return note === null ? null : clipText(note, Math.max(LEAST_NOTES_TOKENS, tokens * MOST_NOTES_SHARE));
}

function dataTokensFor(work: Work, kind: 'notes' | 'merge'): number {
  return dataTokens(work, { kind, title: work.title, part: '' });
}

/**
 * Halves the data limit, unless another request did so since the question was sent. Throws
 * `engine_failed` at the minimum.
 */
function shrink(work: Work, sentWithTokens: number): void {
  if (work.contextTokens < sentWithTokens) return;
  const halvedTokens = answerTokens(sentWithTokens) + dataTokensFor(work, 'notes');
  work.contextTokens = sentWithTokens - Math.ceil(halvedTokens / 2);
  if (dataTokensFor(work, 'notes') < LEAST_DATA_TOKENS) throw windowTooSmall();
}

function windowTooSmall(): AppError {
  return new AppError('engine_failed', SUMMARY_SERVER.failed, {
    cause:
      'the context window is too small for a piece of the transcript; LLM_CONTEXT_TOKENS may exceed the window of the model',
  });
}

function wordsThatFit({ language, contextTokens }: Work): number {
  return (answerTokens(contextTokens) * REQUESTED_SHARE) / SUMMARY_WORDINGS[language].tokensPerWord;
}

/** Counts tokens in JSON strings, with quotes and comma for each note. */
function tokensOf(task: SummaryTask): number {
  switch (task.kind) {
    case 'summary':
      return jsonTokens(task.transcript);
    case 'final':
      return task.notes.reduce((sum, note) => sum + jsonTokens(note) + 3, 0);
    case 'rewrite':
      return jsonTokens(task.draft);
    case 'notes':
    case 'merge':
      return jsonTokens(task.part);
  }
}
