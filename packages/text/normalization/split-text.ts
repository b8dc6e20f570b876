import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { StyleChange } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { isWithinCharacter } from '#text/script/keep-positions.ts';
import { plainText } from './plain-text.ts';
import { cutTokens, tokenizePiece, tokensOf } from './tokenize.ts';
import type { PlacedToken, Token, TokenizedPiece } from './tokens.ts';
import { findUnbreakableSpans, type UnbreakableSpan } from './unbreakable-spans.ts';

/** A piece is spoken in one breath: about 40 Chinese characters or 25 English words. */
const MAX_SYLLABLES = 40;
/**
 * The fewest syllables of a part. A part that is cut between words exceeds the average length by at
 * most as many.
 */
const MIN_SYLLABLES = 6;
/**
 * Limit of a piece in UTF-16 units; thousands of signs in a row would occupy a worker for minutes.
 */
const MAX_PIECE_LENGTH = 300;
/** The first piece is short, so that its sound is ready soon. */
const FIRST = { least: 4, most: 16, usual: 12 } as const;

/**
 * Splits a text into pieces that are spoken one after the other: sentences, long ones cut at commas
 * or else between words, the first one kept short; never within a number, a date, a time, an
 * address or an abbreviation. Together they are the text. A text that has nothing to speak gives
 * none. Takes time in proportion to the text, whatever it holds.
 */
export function splitText(text: string, language: Language): TokenizedPiece[] {
  return cutText(tokenizePiece(text, language), language, FOR_SPEECH);
}

/**
 * A part of a text with one style. `tokens` are given by the request, without positions: together
 * they are the text, apart from white space; null: the text is tokenized.
 */
export type TextSpan = { text: string; tokens: readonly Token[] | null; style?: StyleChange };

/**
 * Splits the text of spans as `splitText` does, and serves other requests meanwhile. `continues`:
 * the last sentence goes on in another text, so the last piece does not end one.
 */
export async function splitSpans(
  spans: readonly TextSpan[],
  language: Language,
  continues = false,
): Promise<TokenizedPiece[]> {
  const text = spans.map((span) => span.text).join('');
  const plain = plainText(text, language);
  await yieldToEventLoop();
  const tokens: PlacedToken[] = [];
  let start = 0;
  for (const { text: written, tokens: spanTokens, style } of spans) {
    const end = start + written.length;
    const placed = spanTokens === null ? tokensOf(plain.slice(start, end), language) : placeTokens(spanTokens, written);
    for (const { token, at } of placed) {
      tokens.push({ token, at: start + at, ...(style === undefined ? {} : { style }) });
      await yieldToEventLoop();
    }
    start = end;
  }
  const pieces = cutText({ text, plain, tokens }, language, FOR_SPEECH);
  return pieces.map((piece, index) =>
    continues && index === pieces.length - 1 ? { ...piece, endsSentence: false } : piece,
  );
}

function* placeTokens(tokens: readonly Token[], text: string): Generator<PlacedToken> {
  let from = 0;
  for (const token of tokens) {
    const at = text.indexOf(token.text, from);
    from = at + token.text.length;
    yield { token, at };
  }
}

/** Splits a text into whole sentences. */
export function splitSentences(text: string, language: Language): TokenizedPiece[] {
  return cutText(tokenizePiece(text, language), language, { cut: (sentence) => [sentence], maxLength: Infinity });
}

type CutRules = {
  cut(sentence: UnbreakableSpan[], isFirst: boolean): UnbreakableSpan[][];
  /** In UTF-16 units. */
  maxLength: number;
};

const FOR_SPEECH: CutRules = {
  cut: (sentence, isFirst) => (isFirst ? cutFirst(sentence) : cutLong(sentence)),
  maxLength: MAX_PIECE_LENGTH,
};

function cutText(
  { text, plain, tokens }: Omit<TokenizedPiece, 'endsSentence'>,
  language: Language,
  { cut, maxLength }: CutRules,
): TokenizedPiece[] {
  const parts = sentencesOf(findUnbreakableSpans(plain, tokens)).flatMap((sentence, index) =>
    cut(sentence, index === 0).flatMap((spans, place, all) => {
      const part = { start: spans.at(0)?.start ?? 0, end: spans.at(-1)?.end ?? 0 };
      const piece = { ...part, endsSentence: place === all.length - 1 };
      return part.end - part.start > maxLength ? cutOverlong(piece, plain, tokens) : [piece];
    }),
  );
  const tokensOf = cutTokens(
    tokens,
    parts.map(({ end }) => end),
    language,
  );
  return parts.map(({ start, end, endsSentence }, index) => {
    return {
      text: text.slice(start, end),
      plain: plain.slice(start, end),
      tokens: tokensOf[index] ?? [],
      endsSentence,
    };
  });
}

type Part = { start: number; end: number; endsSentence: boolean };

/** Cuts only while something is left to speak: marks and emoji alone are no piece. */
function cutOverlong(part: Part, plain: string, tokens: readonly PlacedToken[]): Part[] {
  const parts: Part[] = [];
  let { start } = part;
  while (part.end - start > MAX_PIECE_LENGTH) {
    let end = start + MAX_PIECE_LENGTH;
    if (isWithinCharacter(plain, end)) end += 1;
    const isSpoken = ({ token, at }: PlacedToken) =>
      at + token.text.length > end && at < part.end && token.kind !== 'mark' && token.kind !== 'silent';
    if (!tokens.some(isSpoken)) break;
    parts.push({ start, end, endsSentence: false });
    start = end;
  }
  return [...parts, { ...part, start }];
}

/**
 * Groups spans into sentences; spans without anything to speak (emoji, marks) join an adjacent
 * sentence.
 */
function sentencesOf(spans: readonly UnbreakableSpan[]): UnbreakableSpan[][] {
  const sentences: UnbreakableSpan[][] = [];
  let sentence: UnbreakableSpan[] = [];
  for (const span of spans) {
    sentence.push(span);
    if (span.after === 'sentence' && countOf(sentence) > 0) {
      sentences.push(sentence);
      sentence = [];
    }
  }
  if (countOf(sentence) > 0) sentences.push(sentence);
  else sentences.at(-1)?.push(...sentence);
  return sentences;
}

function countOf(spans: readonly UnbreakableSpan[]): number {
  return spans.reduce((sum, { syllables }) => sum + syllables, 0);
}

/** Separates the first clause, or the first dozen syllables, of the first sentence. */
function cutFirst(sentence: UnbreakableSpan[]): UnbreakableSpan[][] {
  const total = countOf(sentence);
  if (total <= FIRST.most && !sentence.some((span, index) => span.after === 'clause' && index < sentence.length - 1)) {
    return [sentence];
  }
  const cut = firstCut(sentence, total);
  if (cut === null) return cutLong(sentence);
  return [sentence.slice(0, cut), ...cutLong(sentence.slice(cut))];
}

/** The number of spans in the first piece; null for all of them. */
function firstCut(sentence: readonly UnbreakableSpan[], total: number): number | null {
  let passed = 0;
  let atWord: number | null = null;
  for (const [index, span] of sentence.entries()) {
    passed += span.syllables;
    if (passed > FIRST.most) break;
    const rest = total - passed;
    if (rest <= 0) return null;
    if (passed < FIRST.least) continue;
    if (span.after === 'clause') return index + 1;
    if (span.after === 'word' && rest >= FIRST.least && (passed <= FIRST.usual || atWord === null)) atWord = index + 1;
  }
  return total <= FIRST.most ? null : atWord;
}

/**
 * Cuts a sentence into parts of at most `MAX_SYLLABLES`, after the last comma that fits, else
 * between words.
 */
function cutLong(sentence: UnbreakableSpan[]): UnbreakableSpan[][] {
  const groups: UnbreakableSpan[][] = [];
  let start = 0;
  let left = countOf(sentence);
  while (left > MAX_SYLLABLES) {
    const end = cutAt(sentence, start, left);
    const group = sentence.slice(start, end);
    left -= countOf(group);
    // Marks behind the last word belong to its part.
    if (left <= 0) break;
    groups.push(group);
    start = end;
  }
  groups.push(sentence.slice(start));
  return groups;
}

function cutAt(sentence: readonly UnbreakableSpan[], start: number, left: number): number {
  let passed = 0;
  let atClause: number | null = null;
  let atWord: number | null = null;
  // Two parts of similar length sound better than a long one and a very short one.
  const balancedSyllables = Math.min(MAX_SYLLABLES, Math.ceil(left / Math.ceil(left / MAX_SYLLABLES)) + MIN_SYLLABLES);
  for (let index = start; index < sentence.length; index += 1) {
    const span = sentence[index];
    if (span === undefined || (passed > 0 && passed + span.syllables > MAX_SYLLABLES)) break;
    passed += span.syllables;
    if (passed < MIN_SYLLABLES || left - passed <= 0) continue;
    if (span.after === 'clause') atClause = index + 1;
    else if (span.after === 'word' && passed <= balancedSyllables) atWord = index + 1;
  }
  return atClause ?? atWord ?? Math.max(start + 1, nextAfter(sentence, start));
}

/** The first index after `start` with something spoken before it. */
function nextAfter(sentence: readonly UnbreakableSpan[], start: number): number {
  let index = start;
  while (index < sentence.length && (sentence[index]?.syllables ?? 0) === 0) index += 1;
  return index + 1;
}
