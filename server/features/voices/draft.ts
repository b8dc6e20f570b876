import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { VOICE_GENDERS, type Voice, type VoiceGender } from '@jyutsing/contracts/voice';
import { ACCEPTED_LANGUAGES, readLanguage } from '@jyutsing/text/language-names';

const MAX_NAME_LENGTH = 100;
const MAX_TEXT_LENGTH = 2_000;

/** The contents of a new voice. Null: absent; the language is then Cantonese. */
export type VoiceDraft = {
  name: string;
  language: string | null;
  gender: string | null;
  description: string | null;
  /** The words of the sample. */
  transcript: string | null;
  /** Whether the speaker agreed to be imitated; required. */
  consent: boolean;
  /** The recording, which is neither moved nor changed. */
  samplePath: string;
};

type Content = Pick<Voice, 'name' | 'language' | 'gender' | 'description' | 'transcript'>;

/** Checks the fields of a voice. Throws `invalid_parameter` that names the field. */
export function checkDraft({ name, language, gender, description, transcript, consent }: VoiceDraft): Content {
  if (!consent) {
    throw new AppError(
      'invalid_parameter',
      'A voice needs the consent of its speaker: send the field "consent" with the value true.',
    );
  }
  return {
    name: checkName(name),
    language: isBlank(language) ? 'cantonese' : checkLanguage(language),
    gender: isBlank(gender) ? null : checkGender(gender),
    description: isBlank(description) ? null : checkText('description', description),
    transcript: isBlank(transcript) ? null : checkText('transcript', transcript),
  };
}

/** The form in which names are compared: width, case and extra spaces are ignored. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}

function isBlank(text: string | null): text is null {
  return text === null || text.trim() === '';
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
function checkText(field: string, text: string): string {
  const trimmed = text.trim();
  if (!isTextWithin(trimmed, MAX_TEXT_LENGTH) || /(?![\n\r\t])\p{Cc}/u.test(trimmed)) {
    throw new AppError(
      'invalid_parameter',
      `The field "${field}" may have ${MAX_TEXT_LENGTH} characters and no control characters.`,
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

function checkGender(text: string): VoiceGender {
  return oneOf('gender', VOICE_GENDERS, text);
}

function oneOf<Value extends string>(field: string, values: readonly Value[], text: string): Value {
  const found = values.find((value) => value === text.trim().toLowerCase());
  if (found !== undefined) return found;
  throw new AppError('invalid_parameter', `The field "${field}" must be one of ${values.join(', ')}.`);
}

/** Counts code points; refuses lone surrogates. */
function isTextWithin(text: string, maxLength: number): boolean {
  return text.isWellFormed() && (text.length <= maxLength || [...text].length <= maxLength);
}
