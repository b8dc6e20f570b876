import type { Lexicon } from './lexicon.ts';

/** What follows a token in the text: nothing, the end of a line, a space (a pause, where words do not stand apart), a comma. */
export type Mark = 'none' | 'line' | 'space' | 'comma';

/** A place where the text can be cut: after `text`, which the next token follows. */
export type Token = {
  text: string;
  /** What is judged of it: lower-case, without marks, in the characters that the model knows. */
  word: string;
  /** Words, or characters where words do not stand apart. */
  size: number;
  mark: Mark;
};

/** A word of Latin letters or digits, any other character, and the marks and spaces that follow. */
const CHARACTER_TOKEN = /(?:[\p{Script=Latin}\d]+|[^\s\p{P}])[\s\p{P}]*|[\s\p{P}]+/gu;

/** The tokens of a text: its words, or its characters where words do not stand apart. Together they are the text. */
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
    // The other writing of the same characters has the same number of them, or is not asked.
    const standard = boundaries.standard?.(line) ?? line;
    const known = standard.length === line.length ? standard : line;
    for (const match of line.matchAll(CHARACTER_TOKEN)) {
      const bare = /^[^\s\p{P}]*/u.exec(match[0])![0];
      const marks = match[0].slice(bare.length);
      tokens.push({
        text: match[0],
        word: known.slice(match.index, match.index + bare.length).toLowerCase(),
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

/** A piece as it is written: ends of lines become pauses where they are; what cannot end a clause is not followed by one. */
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
