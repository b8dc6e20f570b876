import type { Corpus, CorpusEntry } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { ACCEPTED_LANGUAGES, readLanguage } from '@jyutsing/text/language-names';

const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 2_000;

/** The contents of a corpus with checked entries. `language` null: Cantonese. */
export type CorpusDraft = { name: string; description: string; language: string | null; entries: CorpusEntry[] };

type Content = Pick<Corpus, 'name' | 'description' | 'language' | 'entries'>;

/** Checks a whole corpus. Throws `invalid_parameter` that names the field. */
export function checkDraft({ name, description, language, entries }: CorpusDraft): Content {
  return {
    name: checkName(name),
    description: checkDescription(description),
    language: checkLanguage(language ?? 'cantonese'),
    entries,
  };
}

/** Checks a change of at least one field. Throws `invalid_parameter` that names the field. */
export function checkChange({ name, description, language, entries }: Partial<CorpusDraft>): Partial<Content> {
  const change: Partial<Content> = {
    ...(name === undefined ? {} : { name: checkName(name) }),
    ...(description === undefined ? {} : { description: checkDescription(description) }),
    ...(language === undefined || language === null ? {} : { language: checkLanguage(language) }),
    ...(entries === undefined ? {} : { entries }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new AppError('invalid_parameter', 'Send at least one of "name", "description", "language" and "entries".');
}

function checkName(name: string): string {
  const trimmed = name.trim();
  // Control characters could forge lines in tables of the command line; PostgreSQL refuses \0.
  if (trimmed === '' || !isTextWithin(trimmed, MAX_NAME_LENGTH) || /\p{Cc}/u.test(trimmed)) {
    throw new AppError(
      'invalid_parameter',
      `The field "name" needs 1 to ${MAX_NAME_LENGTH} characters without control characters.`,
    );
  }
  return trimmed;
}

/** Line breaks and tabs are the only control characters allowed. */
function checkDescription(description: string): string {
  const trimmed = description.trim();
  if (!isTextWithin(trimmed, MAX_DESCRIPTION_LENGTH) || /(?![\n\r\t])\p{Cc}/u.test(trimmed)) {
    throw new AppError(
      'invalid_parameter',
      `The field "description" may have ${MAX_DESCRIPTION_LENGTH} characters and no control characters.`,
    );
  }
  return trimmed;
}

/** `zh` alone is Cantonese here, where no sound can tell. */
function checkLanguage(text: string): Language {
  const read = readLanguage(text);
  const language = LANGUAGES.find((each) => each === (read === 'chinese' ? 'cantonese' : read));
  if (language !== undefined) return language;
  throw new AppError('invalid_parameter', `The field "language" must be ${ACCEPTED_LANGUAGES}.`);
}

/** Counts code points; refuses lone surrogates. */
function isTextWithin(text: string, maxLength: number): boolean {
  return text.isWellFormed() && (text.length <= maxLength || [...text].length <= maxLength);
}
