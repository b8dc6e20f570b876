import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import { withoutBreaks } from '@jyutsing/text/normalization/break-tags';
import { languageOfText } from '@jyutsing/text/language-of-text';
import { isSsml, readSsml, type SsmlDocument } from '@jyutsing/text/ssml/read-ssml';
import { characterCount, MAX_TEXT_CHARACTERS } from '#http/fields.ts';

/** A text as it was sent: plain text with break tags, or SSML. */
export type SpeechScript = {
  /** The plain text, or the text of the document without its tags. */
  text: string;
  /** The document of SSML; null for plain text. */
  document: SsmlDocument | null;
  /** Code points that count for limits and costs: of SSML those that are spoken. */
  characters: number;
};

/**
 * Reads the text of a field. Throws what `readSsml` throws, and `tooLong` for SSML with more text
 * than a request may have.
 */
export async function readSpeechScript(
  text: string,
  field: string,
  tooLong: ErrorCode = 'invalid_request',
): Promise<SpeechScript> {
  if (!isSsml(text)) return { text, document: null, characters: characterCount(text) };
  const document = await readSsml(text);
  const { characters } = document;
  if (characters > MAX_TEXT_CHARACTERS) {
    const limit = `The SSML of the field "${field}" may have at most ${MAX_TEXT_CHARACTERS} characters of text`;
    throw new AppError(tooLong, `${limit}, without its tags; it has ${characters}.`);
  }
  const written = document.items.map((item) => (item.kind === 'text' ? item.text : ' ')).join('');
  return { text: written, document, characters };
}

/** The language that a script names itself, else that of its text. */
export function languageOfScript({ text, document }: SpeechScript): Language {
  return document === null ? languageOfText(withoutBreaks(text)) : (document.language ?? languageOfText(text));
}
