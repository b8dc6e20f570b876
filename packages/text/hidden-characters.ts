/**
 * Control characters, separators of lines and marks of writing direction, which are invisible but
 * break or reorder the text around them.
 */
export const HIDDEN_CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]/u;

/**
 * A text as a name in one line: trimmed, without hidden controls, of which tabs and line
 * breaks become one space; lone surrogates are replaced. '' when nothing of it is visible.
 */
export function cleanName(text: string): string {
  const hidden = new RegExp(`${HIDDEN_CONTROL.source}+`, 'gu');
  const name = text.toWellFormed().replaceAll(hidden, (controls) => (/\s/.test(controls) ? ' ' : ''));
  return isVisible(name) ? name.trim() : '';
}

/**
 * Matches a visible character: no space, no combining mark, and none of the characters without a
 * glyph.
 */
const VISIBLE = /[^\p{White_Space}\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/u;

/** Whether a text has a character that is visible by itself. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
