/** Marks that end what is before them, or that join it with what follows; and spaces. */
const NEVER_FIRST = /[\p{Pe}\p{Pf}\s，。、！？；：…‥‼⁇⁈⁉,.!?;:%％‰°℃～·・．ー々]/u;
const NEVER_LAST = /[\p{Ps}\p{Pi}]/u;
const NUMERALS = new Set('零〇一二三四五六七八九十百千萬億兆兩廿卅万亿两');
/** A letter right after one of these belongs to another word. */
const ENDS_PHRASES = /[,;!]/;
const ELLIPSES = /[…‥‼⁇⁈⁉]/;
const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;
/** Full-width marks within times, dates, fractions and ranges. */
const JOINS_DIGITS = /[：／－．～]/;
/** Ideographs and what is as wide begin here. */
const FIRST_WIDE = 0x2e_80;

/**
 * Tells whether a line or a subtitle may end before a place in the text, in UTF-16 units: not
 * within letters and digits that are written together, such as prices, dates and addresses, nor
 * within Chinese numerals; not before a closing mark or a space, nor after an opening mark. The
 * words of Chinese are for the word segmenter.
 */
export function lineBreaksOf(text: string): (at: number) => boolean {
  const opening = openingQuotes(text);
  return (at) => {
    if (at <= 0 || at >= text.length) return false;
    const before = text[at - 1]!;
    const after = text[at]!;
    if (isIdeograph(before) && isIdeograph(after)) return !NUMERALS.has(before) || !NUMERALS.has(after);
    if (/[\uDC00-\uDFFF]/.test(after) || NEVER_FIRST.test(after) || NEVER_LAST.test(before)) return false;
    if (opening.has(at - 1) || (after === '"' && !opening.has(at))) return false;
    if (/\s/u.test(before) || ELLIPSES.test(before) || (ENDS_PHRASES.test(before) && LETTER.test(after))) return true;
    if (before.charCodeAt(0) < FIRST_WIDE && after.charCodeAt(0) < FIRST_WIDE) return false;
    if (DIGIT.test(before) && (NUMERALS.has(after) || DIGIT.test(after))) return false;
    return !(JOINS_DIGITS.test(before) && DIGIT.test(after) && DIGIT.test(text[at - 2] ?? ''));
  };
}

const isIdeograph = (character: string) => character >= '一' && character <= '鿿';

/** The places of every other straight quotation mark, from the first one. */
function openingQuotes(text: string): ReadonlySet<number> {
  const opening = new Set<number>();
  let isOpening = true;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    if (isOpening) opening.add(at);
    isOpening = !isOpening;
  }
  return opening;
}
