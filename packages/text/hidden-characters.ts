/**
 * Control characters, separators of lines and marks of writing direction, which are invisible but
 * break or reorder the text around them.
 */
export const HIDDEN_CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]/u;

/** No space, no combining mark, and none of the characters that have no glyph. */
const VISIBLE = /[^\p{White_Space}\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/u;

/** Whether a text has a character that is visible by itself. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
