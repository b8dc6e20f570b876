const FULL_WIDTH: Readonly<Record<string, string>> = {
  ',': '，',
  '.': '。',
  '?': '？',
  '!': '！',
  ':': '：',
  ';': '；',
};
const HAN = /\p{Script=Han}/u;
/** A mark with its surroundings; the points of an ellipsis belong together. */
const HALF_WIDTH_MARK = /(?<before>[^\s,.?!:;])\s*(?<mark>[?!]+|[,.:;])(?![,.?!:;])\s*(?=(?<after>.?))/gsu;
const CHINESE_EDGE = /[\p{Script=Han}「」『』《》（）“”]/u;

/**
 * Returns a text of Chinese with full-width marks, which some models write half-width: behind or
 * before a character of Chinese, and at the end of a sentence that ends with a Latin word. Marks
 * between Latin words and inside of numbers are left (3.5, 10:30, e.g. "Hello, world").
 */
export function toChineseMarks(text: string): string {
  if (!HAN.test(text)) return text;
  return text.replace(HALF_WIDTH_MARK, (whole, before: string, mark: string, after: string) => {
    const isChinese = CHINESE_EDGE.test(before) || after === '' || (mark !== '.' && CHINESE_EDGE.test(after));
    return isChinese ? before + Array.from(mark, (half) => FULL_WIDTH[half]).join('') : whole;
  });
}
