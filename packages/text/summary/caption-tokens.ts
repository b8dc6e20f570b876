import type { Lexicon } from './lexicon.ts';

/**
 * The mark after a token: none, a line break, a space (a pause in languages without word spaces),
 * or a comma.
 */
export type Mark = 'none' | 'line' | 'space' | 'comma';

/** A token; the text can be cut after it. */
export type Token = {
  text: string;
  /** Lower-case, without punctuation, in the script of the model. */
  word: string;
  /** Number of words, or of characters in languages without word spaces. */
  size: number;
  mark: Mark;
};

/** A Latin word or number, or another character, with the punctuation and spaces after it. */
const CHARACTER_TOKEN = /(?:[\p{Script=Latin}\d]+|[^\s\p{P}])[\s\p{P}]*|[\s\p{P}]+/gu;

/**
 * Splits a text into words, or into characters in languages without word spaces. Joined, the tokens
 * are the text.
 */
export function tokensOf(text: string, lexicon: Lexicon): Token[] {
  return lexicon.spaced ? wordTokens(text) : characterTokens(text, lexicon);
}

function wordTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (const line of text.split('\n')) {
    for (const part of line.split(' ')) {
      if (part === '') continue;
      const word = part
        .toLowerCase()
        .replace(/[,;:"“”]/g, '')
        .replaceAll('’', "'");
      tokens.push({ text: part, word, size: 1, mark: /[,;:]$/.test(part) ? 'comma' : 'none' });
    }
    const last = tokens.at(-1);
    if (last?.mark === 'none') last.mark = 'line';
  }
  return tokens;
}

function characterTokens(text: string, { boundaries }: Lexicon): Token[] {
  const tokens: Token[] = [];
  for (const line of text.split('\n')) {
    // The converted text is used only if it has the same length.
    const standard = boundaries.standard?.(line) ?? line;
    const modelText = standard.length === line.length ? standard : line;
    for (const match of line.matchAll(CHARACTER_TOKEN)) {
      const bare = /^[^\s\p{P}]*/u.exec(match[0])![0];
      const marks = match[0].slice(bare.length);
      tokens.push({
        text: match[0],
        word: modelText.slice(match.index, match.index + bare.length).toLowerCase(),
        size: sizeOf(bare),
        mark: /[，、,；;：:]/u.test(marks) ? 'comma' : marks === '' ? 'none' : 'space',
      });
    }
    const last = tokens.at(-1);
    if (last?.mark === 'none') last.mark = 'line';
  }
  return tokens;
}

function sizeOf(word: string): number {
  return word.length <= 1 ? 1 : Array.from(word).length;
}

/**
 * Joins tokens to text. Line breaks become pauses where `isPause` is true, except after tokens that
 * cannot end a clause.
 */
export function textOf(tokens: readonly Token[], lexicon: Lexicon, isPause: (index: number) => boolean): string {
  if (lexicon.spaced) {
    return tokens
      .map(({ text, mark }, index) =>
        mark === 'line' && isPause(index) && /[\p{L}\d]$/u.test(text) ? text + lexicon.comma : text,
      )
      .join(' ');
  }
  return tokens
    .map(({ text, mark }, index) => (mark === 'line' ? text.trimEnd() + (isPause(index) ? ' ' : '\n') : text))
    .join('')
    .replace(/(?<=[\p{Script=Latin}\d])\n(?=[\p{Script=Latin}\d])/gu, ' ')
    .replaceAll('\n', '');
}
