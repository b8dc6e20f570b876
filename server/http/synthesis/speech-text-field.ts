import { isSsml } from '@jyutsing/text/ssml/read-ssml';
import { withoutThinking } from '@jyutsing/text/normalization/thinking';
import { characterCount, MAX_TEXT_CHARACTERS, textField } from '#http/fields.ts';

const TOO_LONG = `must have at most ${MAX_TEXT_CHARACTERS} characters`;

/**
 * A required text that is spoken, without the thoughts of a language model. SSML may be longer than
 * other text, because only the characters that are spoken count; `readSpeechScript` counts them.
 */
export function speechTextField(description: string) {
  return textField(description, Infinity)
    .transform(withoutThoughts)
    .refine((text) => text !== '', 'has nothing that is spoken')
    .refine((text) => isSsml(text) || !isTooLong(text), TOO_LONG)
    .meta({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS, description });
}

/** Whether plain text has more characters than a request may have. */
export function isTooLong(text: string): boolean {
  // A code point has at most two UTF-16 units, so longer texts need no count.
  return text.length > 2 * MAX_TEXT_CHARACTERS || characterCount(text) > MAX_TEXT_CHARACTERS;
}

/** The text of a request without the thoughts of a language model. */
export function withoutThoughts(text: string): string {
  return withoutThinking(text).trim();
}
