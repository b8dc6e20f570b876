import type { Token } from './tokens.ts';

/** Words that begin a sentence rather than go on after an abbreviation. */
export const SENTENCE_BEGINS =
  '(?:It|The|He|She|We|They|I|You|This|That|There|But|And|So|In|On|At|My|Our|His|Her|Their|A|An|Is|Are|If|When)(?!\\p{L})';
const SENTENCE_FOLLOWS = new RegExp(`^\\s+(?!A(?!\\p{L}))${SENTENCE_BEGINS}`, 'u');
/** Abbreviations before a name, which may be He or So, and those before an example. */
const GOES_ON = /^(?!(?:St|Rd|Ave|Blvd)\.$)\p{L}+\.$|^(?:e\.g|i\.e|P\.S|N\.B)\.$/u;

/**
 * A token of English without its last point where that ends the sentence: 12 Main St. It rained; at
 * 5 p.m. We left. `after` is the text behind the token.
 */
export function withoutFullStop<Kind extends Token>(token: Kind, after: string): Kind {
  const isShort = token.kind === 'latin' || token.kind === 'letters' || token.kind === 'time';
  if (!isShort || !token.text.endsWith('.') || GOES_ON.test(token.text) || !SENTENCE_FOLLOWS.test(after)) return token;
  return { ...token, text: token.text.slice(0, -1) };
}
