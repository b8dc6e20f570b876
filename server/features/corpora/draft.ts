import type { Corpus, CorpusEntry } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { checkLanguage, checkName, checkText } from '#features/checked-fields.ts';

const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 2_000;

/** The contents of a corpus with checked entries. `language` null: Cantonese. */
export type CorpusDraft = { name: string; description: string; language: string | null; entries: CorpusEntry[] };

type Content = Pick<Corpus, 'name' | 'description' | 'language' | 'entries'>;

/** Checks a whole corpus. Throws `invalid_parameter` that names the field. */
export function checkDraft({ name, description, language, entries }: CorpusDraft): Content {
  return {
    name: checkName(name, MAX_NAME_LENGTH),
    description: checkText('description', description, MAX_DESCRIPTION_LENGTH),
    language: checkLanguage(language ?? 'cantonese'),
    entries,
  };
}

/** Checks a change of at least one field. Throws `invalid_parameter` that names the field. */
export function checkChange({ name, description, language, entries }: Partial<CorpusDraft>): Partial<Content> {
  const change: Partial<Content> = {
    ...(name === undefined ? {} : { name: checkName(name, MAX_NAME_LENGTH) }),
    ...(description === undefined
      ? {}
      : { description: checkText('description', description, MAX_DESCRIPTION_LENGTH) }),
    ...(language === undefined || language === null ? {} : { language: checkLanguage(language) }),
    ...(entries === undefined ? {} : { entries }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new AppError('invalid_parameter', 'Send at least one of "name", "description", "language" and "entries".');
}
