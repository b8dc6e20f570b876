import type { Language } from '@jyutsing/contracts/transcript';
import type { Token, TokenKind } from './tokens.ts';

/** Tokens that may have Chinese characters: 12月8日, 3點半, 5蚊. */
const OF_NUMBERS: ReadonlySet<TokenKind> = new Set(['date', 'time', 'year', 'money', 'range'] as const);

/**
 * The language in which each token of a piece is spoken. In a Chinese text, a piece with Latin
 * words and without Chinese characters is English, numbers included, and so is a number between two
 * Latin words (top 10 list); in an English text, a piece of Chinese characters alone is Cantonese.
 */
export function languageOfTokens(tokens: readonly Token[], language: Language): (index: number) => Language {
  const hasHan = tokens.some(
    (token) =>
      token.kind === 'han' || token.kind === 'syllables' || (token.kind === 'given' && token.language !== 'english'),
  );
  const latinWords = tokens.filter(({ kind, text }) => kind === 'latin' && text.length > 1).length;
  if (language === 'english') {
    const all: Language = hasHan && latinWords === 0 ? 'cantonese' : 'english';
    return () => all;
  }
  const isWritten = tokens.some(({ kind, text }) => OF_NUMBERS.has(kind) && /\p{Script=Han}/u.test(text));
  if (!hasHan && !isWritten && latinWords > 1) return () => 'english';
  return (index) => (isBetweenLatin(tokens, index, language) ? 'english' : language);
}

/** Words whose number is English even in Chinese: level nine, number one. */
const NUMBERED_IN_ENGLISH =
  /^(?:No\.|Nos\.|Vol\.|Level|Band|Top|Part|Chapter|Windows|Version|PlayStation|Grade|Type|Phase|Round|Day|Season|Episode|Ep|Gate|Size|Series|Step|Unit|Year|Form|Team|Class|Group|Lv\.?)$/iu;

function isBetweenLatin(tokens: readonly Token[], index: number, language: Language): boolean {
  const token = tokens[index];
  // The sign of a power is read in the language of the text.
  if (token?.kind === 'symbol' && token.text !== '^') {
    const [left, right] = [tokens[index - 1], tokens[index + 1]];
    return isWord(left) && isWord(right) && !(/[=+×]/u.test(token.text) && (isVariable(left) || isVariable(right)));
  }
  if (token?.kind !== 'number' && token?.kind !== 'year') return false;
  const before = tokens[index - 1];
  if (before?.kind !== 'latin') return false;
  // In Mandarin the numbers of products are Chinese (iPhone 15 Pro), those of phrases English.
  if (language === 'mandarin')
    return /^(?:Nos?|Vol)\.$/u.test(before.text) || /^\p{Ll}/u.test(tokens[index + 1]?.text ?? '');
  return tokens[index + 1]?.kind === 'latin' || NUMBERED_IN_ENGLISH.test(before.text);
}

/** A variable on either side of = makes a formula, which is read in the language of the text. */
function isVariable(token: Token | undefined): boolean {
  return token?.kind === 'letters' && token.text.length === 1;
}

function isWord(token: Token | undefined): boolean {
  return token?.kind === 'latin' || token?.kind === 'letters';
}
