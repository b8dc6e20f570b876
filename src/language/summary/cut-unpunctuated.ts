import type { Lexicon } from './lexicon.ts';

/** Weight of the logarithm of a length against the usual one, squared. */
const LENGTH_WEIGHT = 2;
/** What every cut costs. */
const CUT_COST = 2;
/** A comma is the end of a sentence more often than a place without a mark. */
const COMMA_BONUS = 1.5;
/** In writing without spaces between words, a space is a pause. */
const SPACE_BONUS = 1.2;
/** What the end of a line is worth at most, where lines follow the speech, and how fast it comes to that. */
const MOST_LINE_BONUS = 2.5;
const LINE_BONUS_GAIN = 4;
/** After what scores less as the end of a sentence, the end of a line is no pause either; words in lines wrap more freely. */
const LEAST_PAUSE_SCORE = { words: 0.5, characters: -1 };
/** Text that a boundary is judged by on each side, where words do not stand apart. */
const CONTEXT_CHARACTERS = 5;
/** The segmenter's time grows faster than its text. */
const SEGMENTED_AT_ONCE = 1_500;

/** A place where the text can be cut: after `text`, which the next token follows. */
type Token = { text: string; size: number; isLineEnd: boolean; pauseBonus: number };

/**
 * Pieces of the length of sentences of a text without punctuation, which together are the text. The best of all ways to
 * cut it (dynamic programming): by the words that open and close sentences, by pauses, and by length. How much ends of
 * lines count is seen from the text itself: captions by people break where speakers pause, automatic ones anywhere.
 */
export function cutUnpunctuated(text: string, lexicon: Lexicon): string[] {
  const tokens = lexicon.spaced ? wordTokens(text) : characterTokens(text);
  const scores = boundaryScores(tokens, lexicon);
  const lineBonus = lineBonusOf(tokens, scores);
  const gains = scores.map(
    (score, index) => score + (tokens[index]!.isLineEnd ? lineBonus : tokens[index]!.pauseBonus),
  );
  const ends = bestEnds(
    tokens.map(({ size }) => size),
    gains,
    lexicon.sentenceLength,
  );
  const joinsLines = lineBonus > MOST_LINE_BONUS / 3;
  let start = 0;
  return ends.map((end) => {
    const piece = textOf(tokens.slice(start, end), scores.slice(start, end), lexicon, joinsLines);
    start = end;
    return piece;
  });
}

function wordTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (const line of text.split('\n')) {
    for (const word of line.split(' ')) {
      if (word === '') continue;
      tokens.push({ text: word, size: 1, isLineEnd: false, pauseBonus: /[,;:]$/.test(word) ? COMMA_BONUS : 0 });
    }
    const last = tokens.at(-1);
    if (last !== undefined) last.isLineEnd = true;
  }
  return tokens;
}

function characterTokens(text: string): Token[] {
  const tokens: Token[] = [];
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  for (const line of text.split('\n')) {
    for (let at = 0; at < line.length; at += SEGMENTED_AT_ONCE) {
      for (const { segment } of segmenter.segment(line.slice(at, at + SEGMENTED_AT_ONCE))) addSegment(tokens, segment);
    }
    const last = tokens.at(-1);
    if (last !== undefined) last.isLineEnd = true;
  }
  return tokens;
}

function addSegment(tokens: Token[], segment: string): void {
  const last = tokens.at(-1);
  if (/^[\s\p{P}]+$/u.test(segment) && last !== undefined) {
    last.text += segment;
    last.pauseBonus = /[，、,；;：:]/u.test(segment) ? COMMA_BONUS : Math.max(last.pauseBonus, SPACE_BONUS);
  } else tokens.push({ text: segment, size: Array.from(segment).length, isLineEnd: false, pauseBonus: 0 });
}

/** How readily a sentence ends after each token. */
function boundaryScores(tokens: readonly Token[], lexicon: Lexicon): number[] {
  if (lexicon.spaced) {
    const words = tokens.map(({ text }) =>
      text
        .toLowerCase()
        .replace(/[,;:"“”]/g, '')
        .replace('’', "'"),
    );
    return words.map((word, index) => lexicon.closes(word) + lexicon.opens(words[index + 1] ?? ''));
  }
  const texts = tokens.map(({ text }) => text.replace(/[\s\p{P}]+$/u, ''));
  return texts.map((_, index) => lexicon.closes(before(texts, index)) + lexicon.opens(after(texts, index + 1)));
}

function before(texts: readonly string[], index: number): string {
  let text = '';
  for (let at = index; at >= 0 && text.length < CONTEXT_CHARACTERS; at -= 1) text = texts[at]! + text;
  return text;
}

function after(texts: readonly string[], index: number): string {
  let text = '';
  for (let at = index; at < texts.length && text.length < CONTEXT_CHARACTERS; at += 1) text += texts[at]!;
  return text;
}

/** By how much more the words at ends of lines look like ends of sentences than the words within lines do. */
function lineBonusOf(tokens: readonly Token[], scores: readonly number[]): number {
  let atEnds = 0;
  let ends = 0;
  let within = 0;
  for (let index = 0; index < tokens.length - 1; index += 1) {
    if (tokens[index]!.isLineEnd) {
      atEnds += scores[index]!;
      ends += 1;
    } else within += scores[index]!;
  }
  const others = tokens.length - 1 - ends;
  if (ends === 0 || others === 0) return MOST_LINE_BONUS;
  return Math.min(MOST_LINE_BONUS, Math.max(0, LINE_BONUS_GAIN * (atEnds / ends - within / others - 0.3)));
}

/** Where to cut, as numbers of tokens before each cut, so that the sum of gains less what unusual lengths cost is highest. */
function bestEnds(sizes: readonly number[], gains: readonly number[], length: Lexicon['sentenceLength']): number[] {
  const best = new Float64Array(sizes.length + 1).fill(-Infinity);
  const from = new Int32Array(sizes.length + 1);
  best[0] = 0;
  const costs = Float64Array.from({ length: length.most + 1 }, (_, size) => lengthCost(size, length));
  for (let end = 1; end <= sizes.length; end += 1) {
    let size = 0;
    for (let start = end - 1; start >= 0; start -= 1) {
      size += sizes[start]!;
      // One token may be longer than any sentence; it stands alone then.
      if (size > length.most && start < end - 1) break;
      const total = best[start]! + gains[end - 1]! - (costs[size] ?? lengthCost(size, length));
      if (total > best[end]!) {
        best[end] = total;
        from[end] = start;
      }
    }
  }
  const ends: number[] = [];
  for (let end = sizes.length; end > 0; end = from[end]!) ends.push(end);
  return ends.toReversed();
}

function lengthCost(size: number, { least, usual }: Lexicon['sentenceLength']): number {
  const apart = Math.log(size / usual);
  return CUT_COST + LENGTH_WEIGHT * apart * apart + (size < least ? 3 : 0);
}

/** Ends of lines become pauses where they are; what cannot end a clause is not followed by one. */
function textOf(
  tokens: readonly Token[],
  scores: readonly number[],
  lexicon: Lexicon,
  linesArePauses: boolean,
): string {
  const least = lexicon.spaced ? LEAST_PAUSE_SCORE.words : LEAST_PAUSE_SCORE.characters;
  const isPause = (index: number) => linesArePauses && scores[index]! > least && index < tokens.length - 1;
  if (lexicon.spaced) {
    const marked = tokens.map(({ text, isLineEnd }, index) =>
      isLineEnd && isPause(index) && /[\p{L}\d]$/u.test(text) ? text + lexicon.comma : text,
    );
    return marked.join(' ');
  }
  return tokens
    .map(({ text, isLineEnd }, index) => (isLineEnd ? text.trimEnd() + (isPause(index) ? ' ' : '\n') : text))
    .join('')
    .replace(/(?<=[\p{Script=Latin}\d])\n(?=[\p{Script=Latin}\d])/gu, ' ')
    .replaceAll('\n', '');
}
