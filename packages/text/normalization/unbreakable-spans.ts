import { isWithinCharacter } from '#text/script/keep-positions.ts';
import { isPicture, meaningOfMarks, openingLength } from './phrase-endings.ts';
import { countCharacters, countSyllables } from './syllables.ts';
import { matchAt } from './text-cursor.ts';
import type { PlacedToken, TokenKind } from './tokens.ts';
import { wordsOfToken } from './words-of-token.ts';

/** The suitability of the end of a span for a cut; `none` forbids it. */
type Break = 'none' | 'word' | 'clause' | 'sentence';

/** A part of a text that must not be cut: a word or a number with the marks and spaces after it. */
export type UnbreakableSpan = { start: number; end: number; syllables: number; after: Break };

const STRENGTH: Readonly<Record<Break, number>> = { none: 0, word: 1, clause: 2, sentence: 3 };
/**
 * Limit of a span in UTF-16 units. A longer token (a word of a thousand letters) is cut anywhere,
 * because people do not speak it in one breath; one whose reading is given is not, as a part of it
 * has no reading.
 */
const MAX_SPAN_LENGTH = 60;
/**
 * Four spoken signs in a row ("%%%%"). From there on every sign is a word by itself: a piece with
 * thousands of signs would take an hour to speak.
 */
const HEAP_OF_SIGNS = /[%&+<=>@°±×÷→√≈≤≥○]{4}$/u;
const HEAPED_SIGN = /^[%&+<=>@°±×÷→√≈≤≥○]$/u;
const SYLLABLES_OF_SIGN = 3;

/** The day of the week after a date: 26/11(四). */
const WEEKDAY = /(?<=\d\/\d{1,2} ?|[日號号] ?)\([一二三四五六日]\)/uy;
const NUMERIC: ReadonlySet<TokenKind> = new Set(['number', 'code', 'year', 'time', 'date'] as const);

/** Cantonese particles that end a word, and words that the segmenter does not know. */
const PARTICLE = /^[哋咗緊晒埋嘅㗎喇囉啩啫]/u;
const CANTONESE_WORD = /^(?:[邊呢嗰]度|乜嘢|[而依宜]家|唔\p{Script=Han}|傾偈|鍾意|點[樣解知]|屋企)/u;

/** Whether the characters on both sides of a place are spoken together: 去咗, 邊度. */
const isWithinWord = (text: string, at: number) =>
  text.charAt(at - 1) !== text.charAt(at) &&
  (PARTICLE.test(text.charAt(at)) || CANTONESE_WORD.test(text.slice(at - 1, at + 1)));

/** Divides a plain text into spans; together they cover it. */
export function findUnbreakableSpans(text: string, tokens: readonly PlacedToken[]): UnbreakableSpan[] {
  const spans: UnbreakableSpan[] = [];
  let isOpen = false;
  for (const placed of tokens) {
    const between = text.slice(spans.at(-1)?.end ?? 0, placed.at);
    if (/[\n\r\u2028\u2029]/.test(between)) strengthen(spans, 'sentence');
    if (placed.token.kind === 'mark' && matchAt(WEEKDAY, text, placed.at) !== null) {
      extend(spans, placed);
      keepWithNext(spans);
      continue;
    }
    if (placed.token.kind === 'mark') {
      const { ending, endsSentence, opens } = meaningOfMarks(placed.token.text);
      if (endsSentence) strengthen(spans, 'sentence');
      else if (ending !== 'none') strengthen(spans, 'clause');
      // An opening mark must stay with the text after it: it begins the next span.
      isOpen = opens;
      if (opens && spans.length > 0) {
        // The marks before the opening one, as in 。「, close the previous span.
        const start = endOf(placed) - openingLength(placed.token.text);
        extendTo(spans, start);
        spans.push({ start, end: endOf(placed), syllables: 0, after: 'none' });
      } else extend(spans, placed);
      continue;
    }
    addToken(spans, text, placed, isOpen);
    // A number stays with the character after it, because 2 is 兩 before 個, and 688 belongs to 號.
    if (isCounted(placed.token, text.slice(endOf(placed), endOf(placed) + 1))) keepWithNext(spans);
    if (isPicture(placed.token)) strengthen(spans, 'clause');
    isOpen = false;
  }
  return coverWhiteSpace(spans, text);
}

const isCounted = ({ kind }: PlacedToken['token'], next: string) => NUMERIC.has(kind) && /^\p{Script=Han}/u.test(next);

function keepWithNext(spans: UnbreakableSpan[]): void {
  const last = spans.at(-1);
  if (last !== undefined) last.after = 'none';
}

const endOf = ({ token, at }: PlacedToken) => at + token.text.length;

function strengthen(spans: UnbreakableSpan[], strength: Break): void {
  const last = spans.at(-1);
  if (last !== undefined && STRENGTH[strength] > STRENGTH[last.after]) last.after = strength;
}

function extendTo(spans: UnbreakableSpan[], end: number): void {
  const last = spans.at(-1);
  if (last !== undefined && end > last.end) last.end = end;
}

function extend(spans: UnbreakableSpan[], placed: PlacedToken): void {
  const last = spans.at(-1);
  if (last === undefined) spans.push({ start: placed.at, end: endOf(placed), syllables: 0, after: 'none' });
  else last.end = endOf(placed);
}

function addToken(spans: UnbreakableSpan[], text: string, placed: PlacedToken, isOpen: boolean): void {
  const { token, at } = placed;
  if (token.kind === 'han') {
    let start = at;
    for (const word of wordsOfToken(token)) {
      const end = start + word.length;
      push(spans, { start, end, syllables: countCharacters(word), after: isWithinWord(text, end) ? 'none' : 'word' });
      start = end;
    }
    return;
  }
  const syllables = countSyllables(token);
  const previous = spans.at(-1);
  // A sign stays with the text before it; "5 個" and "第 5" may be cut.
  if (syllables === 0 && previous !== undefined && !isOpen) {
    if (HEAPED_SIGN.test(token.text) && HEAP_OF_SIGNS.test(text.slice(Math.max(0, at - 4), at))) {
      push(spans, { start: at, end: endOf(placed), syllables: SYLLABLES_OF_SIGN, after: 'word' });
    } else previous.end = endOf(placed);
    return;
  }
  if (endOf(placed) - at <= MAX_SPAN_LENGTH || token.kind === 'given') {
    push(spans, { start: at, end: endOf(placed), syllables, after: 'word' });
    return;
  }
  const chunks = Math.ceil((endOf(placed) - at) / MAX_SPAN_LENGTH);
  for (let start = at; start < endOf(placed);) {
    let end = Math.min(endOf(placed), start + MAX_SPAN_LENGTH);
    if (isWithinCharacter(text, end)) end += 1;
    push(spans, { start, end, syllables: Math.ceil(syllables / chunks), after: 'word' });
    start = end;
  }
}

/** Adds a span. A silent span before it, such as an opening bracket, becomes its beginning. */
function push(spans: UnbreakableSpan[], span: UnbreakableSpan): void {
  const last = spans.at(-1);
  if (last === undefined || last.after !== 'none' || last.syllables > 0) {
    spans.push(span);
    return;
  }
  last.end = span.end;
  last.syllables = span.syllables;
  last.after = span.after;
}

/**
 * Assigns white space to the span before it, or to the first span, and markup after it to the next
 * span.
 */
function coverWhiteSpace(spans: UnbreakableSpan[], text: string): UnbreakableSpan[] {
  const starts = spans.map(({ start }, index) => {
    const from = spans[index - 1]?.end ?? 0;
    if (index === 0) return 0;
    const markup = from === start ? null : /(?<=\s)\u2060+$/.exec(text.slice(from, start));
    return start - (markup?.[0].length ?? 0);
  });
  return spans.map((span, index) => ({
    ...span,
    start: starts[index] ?? span.start,
    end: starts[index + 1] ?? text.length,
  }));
}
