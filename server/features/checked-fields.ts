import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { HIDDEN_CONTROL, isVisible } from '@jyutsing/text/hidden-characters';
import { ACCEPTED_LANGUAGES, readLanguage } from '@jyutsing/text/language-names';

/**
 * Whether a text can be shown as a name: one line with something to see, and nothing that breaks or
 * reorders the text around it. Control characters could also forge lines in tables of the command
 * line; PostgreSQL refuses \0 and lone surrogates.
 */
function isNameText(text: string): boolean {
  return text.isWellFormed() && isVisible(text) && !HIDDEN_CONTROL.test(text);
}

/** Trims a name of 1 to `maxLength` characters (`isNameText`). Throws `invalid_parameter`. */
export function checkName(name: string, maxLength: number): string {
  const trimmed = name.trim();
  if (isTextWithin(trimmed, maxLength) && isNameText(trimmed)) return trimmed;
  throw new AppError(
    'invalid_parameter',
    `The field "name" needs 1 to ${maxLength} characters, one of them visible, without control characters and marks of writing direction.`,
  );
}

/**
 * Trims a text of at most `maxLength` characters, which may have several lines. Throws
 * `invalid_parameter`.
 */
export function checkText(field: string, text: string, maxLength: number): string {
  const trimmed = text.trim();
  // Line breaks and tabs are the only control characters allowed.
  if (isTextWithin(trimmed, maxLength) && !/(?![\n\r\t])\p{Cc}/u.test(trimmed)) return trimmed;
  throw new AppError(
    'invalid_parameter',
    `The field "${field}" may have ${maxLength} characters and no control characters.`,
  );
}

/**
 * Reads the name or code of a language; `zh` alone is Cantonese here, where no sound can tell.
 * Throws `invalid_parameter`.
 */
export function checkLanguage(text: string): Language {
  const read = readLanguage(text);
  const language = LANGUAGES.find((candidate) => candidate === (read === 'chinese' ? 'cantonese' : read));
  if (language !== undefined) return language;
  throw new AppError('invalid_parameter', `The field "language" must be ${ACCEPTED_LANGUAGES}.`);
}

/** Counts code points; refuses lone surrogates. */
function isTextWithin(text: string, maxLength: number): boolean {
  // A code point has at most two UTF-16 units, and counting millions takes a tenth of a second.
  if (text.length > 2 * maxLength || !text.isWellFormed()) return false;
  return text.length <= maxLength || [...text].length <= maxLength;
}
