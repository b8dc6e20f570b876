import { reachOf, tokensInJson, type TextRange } from './summary-tokens.ts';

/** Patterns for the end of a piece, best first: sentence, line, clause, word. */
const ENDS = [/[。！？!?…]["'”’」』）)\]]*\s*|\.["'”’)\]]*\s+/gu, /\n\s*/gu, /[，、,;；:：]\s*/gu, /\s+/gu] as const;

/** Share of a piece that may be given up for a better end. */
const MOST_GIVEN_UP = 0.4;
/** Share of a piece that the next one repeats, for text that spans both. */
const OVERLAP = 0.08;
const MOST_OVERLAP_TOKENS = 200;

/**
 * Cuts the first piece of a text with at most `mostTokens` as a JSON string. `rest` is the
 * remaining text, which overlaps the end of the piece; null when nothing remains. The piece ends
 * with a sentence, line, clause or word where one ends late enough, else between two characters. It
 * is never empty, and the rest always begins later than the text.
 */
export function cutPiece(
  text: string,
  { start, end }: TextRange,
  mostTokens: number,
): { piece: TextRange; rest: TextRange | null } {
  const reach = reachOf(text, { start, end }, mostTokens);
  if (reach.end >= end) return { piece: { start, end }, rest: null };
  // Two halves are better than a long piece and a short rest.
  const next = reachOf(text, { start: reach.end, end }, mostTokens);
  const targetTokens = next.end < end ? mostTokens : Math.min(mostTokens, ((reach.tokens + next.tokens) / 2) * 1.1);
  const furthest = targetTokens < mostTokens ? reachOf(text, { start, end }, targetTokens).end : reach.end;
  const pieceEnd = bestEnd(text, start, furthest);
  return {
    piece: { start, end: pieceEnd },
    rest: { start: overlapStart(text, { start, end: pieceEnd }, targetTokens), end },
  };
}

function bestEnd(text: string, start: number, furthest: number): number {
  const earliest = furthest - Math.floor((furthest - start) * MOST_GIVEN_UP);
  const window = text.slice(earliest, furthest);
  for (const pattern of ENDS) {
    let matchEnd = -1;
    for (const { index, 0: mark } of window.matchAll(pattern)) matchEnd = index + mark.length;
    if (matchEnd > 0) return earliest + matchEnd;
  }
  return wholeCharacter(text, start, furthest);
}

/** Keep combining marks and joiners with their character, within a limit. */
function wholeCharacter(text: string, start: number, at: number): number {
  let end = at;
  for (let steps = 0; steps < 8 && end > start + 1 && isJoined(text, end); steps += 1) {
    end -= isLowSurrogate(text.charCodeAt(end - 1)) ? 2 : 1;
  }
  return end > start && !isJoined(text, end) ? end : at;
}

function isJoined(text: string, at: number): boolean {
  return /^[\p{M}\p{Emoji_Modifier}\u200d]/u.test(text.slice(at, at + 2)) || text[at - 1] === '\u200d';
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Returns the start of the last sentence (line, clause, word) that is short enough to repeat. */
function overlapStart(text: string, { start, end }: TextRange, pieceTokens: number): number {
  const mostTokens = Math.min(MOST_OVERLAP_TOKENS, pieceTokens * OVERLAP);
  const earliest = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
  let tokens = 0;
  let at = end;
  while (at > earliest) {
    const before = isLowSurrogate(text.charCodeAt(at - 1)) && at - 2 >= earliest ? at - 2 : at - 1;
    tokens += tokensInJson(text.codePointAt(before) ?? 0);
    if (tokens > mostTokens) break;
    at = before;
  }
  const window = text.slice(at, end);
  for (const pattern of ENDS) {
    for (const { index, 0: mark } of window.matchAll(pattern)) {
      // A match at the end of the piece begins nothing, so the first one with content counts.
      if (index + mark.length < window.length) return at + index + mark.length;
    }
  }
  return Math.max(wholeCharacter(text, start, at), earliest);
}
