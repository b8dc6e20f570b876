import * as traditionalPresets from 'opencc-js/preset/t2cn';
import { chooseTraditional } from './choose-traditional.ts';
import { USUAL_FORMS, USUAL_PHRASES } from './hong-kong-forms.ts';
import { keepPositions } from './keep-positions.ts';
import { withParticles, withWritings } from './writings.ts';
import { createConverter } from './opencc.ts';
import { openTraditionalWordsInTurns } from './traditional-words.ts';
import { SPELLING_RULES, type SpellingRule } from '#text/spelling/spelling-rules.ts';
import { spellingByReading } from '#text/spelling/spelling-by-reading.ts';

const fromHongKong = createConverter(traditionalPresets, 'hk2s');
// Taiwan writes 著 for 着; its table distinguishes them by word.
const fromTaiwan = createConverter(traditionalPresets, 'tw2s');
const USUAL_PATTERN = new RegExp(`[${Object.keys(USUAL_FORMS).join('')}]`, 'gu');
const PHRASES = new Map(USUAL_PHRASES);
const PHRASE_PATTERN = new RegExp(USUAL_PHRASES.map(([from]) => from).join('|'), 'gu');

/**
 * Characters of written Cantonese; one of them makes a sentence Cantonese rather than written
 * Chinese.
 */
const COLLOQUIAL = /[嘅咗喺唔佢哋啲嘢冇嗰睇嚟係畀噉咁㗎乜咩瞓啱攞搵諗]/u;

/**
 * Opens the list of words for Traditional characters without blocking for more than some 20 ms; the
 * first conversion would block for 100.
 */
export const openTraditional = openTraditionalWordsInTurns;

/**
 * Converts Simplified Chinese (Traditional is nearly unchanged) to Hong Kong's characters for
 * Cantonese. Every character gives exactly one, at the same position.
 */
export function toHongKong(text: string): string {
  return usualHongKongForms(withOpenSpelling(text, toTraditional(text)));
}

/**
 * Converts a text by `toHongKong` so that every UTF-16 unit keeps its position (see
 * `keepPositions`).
 */
export function toHongKongInPlace(text: string): string {
  return keepPositions(text, (characters) => Array.from(toHongKong(characters.join(''))));
}

/**
 * Converts Simplified Chinese to Traditional with Hong Kong's characters, one for one; written
 * Cantonese needs `toHongKong`.
 */
export function toTraditional(text: string): string {
  return chooseTraditional(Array.from(text)).join('');
}

/** Leaves 系 as it is where the rules for spelling decide between 係, 喺 and 系. */
function withOpenSpelling(text: string, converted: string): string {
  if (!text.includes('系')) return converted;
  const characters = Array.from(text);
  return Array.from(converted, (char, index) => (characters[index] === '系' && char === '係' ? '系' : char)).join('');
}

/**
 * The second half of `toHongKong`: converts Traditional text to Hong Kong's usual forms. Latin
 * letters, digits and punctuation are unchanged.
 */
export function usualHongKongForms(text: string): string {
  const usual = text
    .replace(USUAL_PATTERN, (char) => USUAL_FORMS[char] ?? char)
    .replace(PHRASE_PATTERN, (phrase) => PHRASES.get(phrase) ?? phrase);
  return SPELLING_RULES.reduce(applyRule, usual);
}

/**
 * Converts Traditional Chinese of any region to Simplified, one for one. Simplified is unchanged.
 */
export function toSimplified(text: string): string {
  const converted: string = fromTaiwan(fromHongKong(text));
  return withParticles(text, withWritings(text, converted));
}

/**
 * Characters that Simplified writing keeps in words of their own (乾坤, 显著), though by themselves
 * they are converted. Those of GB 2312, but for 後 and 於, which are Simplified in surnames only.
 */
const IN_BOTH_SCRIPTS = '乾著徵夥麽菸薹拚捱摺吒榘袷麴醣昇';

/** Whether a text has characters that only Traditional writing has. */
export function isTraditional(text: string): boolean {
  const deciding = Array.from(text).filter((char) => !IN_BOTH_SCRIPTS.includes(char));
  // Line breaks between the characters prevent that words decide about them.
  const apart = deciding.join('\n');
  return toSimplified(apart) !== apart;
}

/**
 * Converts characters with times by `toHongKong`: one result for every piece, which may be a Latin
 * word or several characters; context counts across pieces. `readings` of the recognizer (jyutping
 * or null) decide what the spelling leaves open: 系 recognized as hai2 is 喺.
 */
export function toHongKongEach(pieces: readonly string[], readings: readonly (string | null)[] = []): string[] {
  const chosen = pieces.map((piece, index) => spellingByReading(piece, readings[index] ?? null) ?? piece);
  return redistribute(toHongKong(chosen.join('')), pieces);
}

/** Converts pieces by `toSimplified`: one result for every piece. */
export function toSimplifiedEach(pieces: readonly string[]): string[] {
  return redistribute(toSimplified(pieces.join('')), pieces);
}

/** Divides a text with the same number of characters into pieces of the same sizes. */
function redistribute(text: string, pieces: readonly string[]): string[] {
  const chars = [...text];
  let at = 0;
  return pieces.map((piece) => {
    const start = at;
    at += [...piece].length;
    return chars.slice(start, at).join('');
  });
}

function applyRule(text: string, rule: SpellingRule): string {
  let at = text.indexOf(rule.from);
  if (at < 0 || (rule.colloquial === true && !COLLOQUIAL.test(text))) return text;
  let line = text;
  for (; at >= 0; at = line.indexOf(rule.from, at + 1)) {
    if (isSpellingMeant(line, at, rule)) line = line.slice(0, at) + rule.to + line.slice(at + rule.from.length);
  }
  return line;
}

function isSpellingMeant(line: string, at: number, rule: SpellingRule): boolean {
  const kept = longestAround(line, at, rule.from, rule.keep);
  const changed = longestAround(line, at, rule.from, rule.words);
  if (changed > kept) return true;
  if (kept > 0 || (rule.before === undefined && rule.after === undefined)) return false;
  const isBefore = rule.before?.test(line.slice(0, at)) ?? true;
  return isBefore && (rule.after?.test(line.slice(at + rule.from.length)) ?? true);
}

/** The length of the longest of these words that covers the character at `at`; 0 if none does. */
function longestAround(line: string, at: number, char: string, words: readonly string[] = []): number {
  let longest = 0;
  for (const word of words) {
    for (let inside = word.indexOf(char); inside >= 0; inside = word.indexOf(char, inside + 1)) {
      if (word.length > longest && inside <= at && line.startsWith(word, at - inside)) longest = word.length;
    }
  }
  return longest;
}
