/**
 * Tokens per character, in twelfths. The model's tokenizer is unknown, so these are the highest of
 * several measured ones: for speech in each language, the sum exceeds that of GPT-4 (cl100k),
 * GPT-4o (o200k), Llama 3, Llama 2 and Mistral. Newer models need half as many for Chinese,
 * Japanese and Korean. Rare text (random letters, 㗎 a hundred times) may need more: then the server
 * reports it, and the pieces become smaller.
 */
const TWELFTHS = {
  lowerCaseOrSpace: 4,
  upperCase: 6,
  /** Digits and symbols are often one token each. */
  otherAscii: 12,
  /** Latin letters with diacritics; Vietnamese has more, of three bytes. */
  latin: 18,
  vietnamese: 34,
  /** Greek, Cyrillic, Hebrew, Arabic and other scripts of two bytes. */
  twoBytes: 12,
  /** Han and Hangul outside a vocabulary are three bytes, including Cantonese characters. */
  hanOrHangul: 24,
  kana: 15,
  threeBytes: 18,
  /** Emoji, joiners and rare Han characters take one token per byte. */
  joinersAndSymbols: 36,
  fourBytes: 48,
} as const;

/** Returns an upper bound of the tokens of a text, except for rare text. */
export function estimateTokens(text: string): number {
  let twelfths = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at += 1;
    twelfths += twelfthsOf(code);
  }
  return Math.ceil(twelfths / 12);
}

/** Estimates the tokens of a text as a JSON string without quotes. */
export function jsonTokens(text: string): number {
  return Math.ceil(reachOf(text, { start: 0, end: text.length }, Infinity).tokens);
}

/** A range of a text in UTF-16 units; `end` is exclusive. */
export type TextRange = { start: number; end: number };

/**
 * Returns the end of a range with at most this many tokens (as a JSON string), in whole code
 * points; at least one.
 */
export function reachOf(text: string, { start, end }: TextRange, mostTokens: number): { end: number; tokens: number } {
  let tokens = 0;
  let at = start;
  while (at < end) {
    const code = text.codePointAt(at) ?? 0;
    const cost = tokensInJson(code);
    if (tokens + cost > mostTokens && at > start) break;
    tokens += cost;
    at += code > 0xffff ? 2 : 1;
  }
  return { end: Math.min(at, end), tokens };
}

/** Estimates the tokens of one code point in a JSON string. */
export function tokensInJson(code: number): number {
  // `\n` is two characters, `\u0007` six; quotes and backslashes are escaped, and `<` and `[` may
  // be (chat-data.ts).
  if (code < 0x20) return code === 0x0a || code === 0x09 || code === 0x0d ? 2 : ESCAPED;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code === 0x3c || code === 0x5b || (code >= 0xd800 && code <= 0xdfff)) return ESCAPED;
  return twelfthsOf(code) / 12;
}

/** Tokens of `\u003c`: a symbol, a letter and four more, mostly digits. */
const ESCAPED = 6;

function twelfthsOf(code: number): number {
  if (code < 0x80) {
    if ((code >= 0x61 && code <= 0x7a) || code === 0x20) return TWELFTHS.lowerCaseOrSpace;
    return code >= 0x41 && code <= 0x5a ? TWELFTHS.upperCase : TWELFTHS.otherAscii;
  }
  if (code < 0x250) return TWELFTHS.latin;
  if (code < 0x800) return TWELFTHS.twoBytes;
  if (code > 0xffff) return TWELFTHS.fourBytes;
  if ((code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af) || (code >= 0xf900 && code <= 0xfaff)) {
    return TWELFTHS.hanOrHangul;
  }
  if (code >= 0x1e00 && code < 0x1f00) return TWELFTHS.vietnamese;
  const isJoiner = (code >= 0x200b && code <= 0x200f) || (code >= 0xfe00 && code <= 0xfe0f);
  if (isJoiner || (code >= 0x2600 && code <= 0x27bf)) return TWELFTHS.joinersAndSymbols;
  // The ranges are CJK punctuation, hiragana, katakana and full-width forms.
  if ((code >= 0x3000 && code <= 0x30ff) || (code >= 0xff00 && code <= 0xffef)) return TWELFTHS.kana;
  return TWELFTHS.threeBytes;
}
