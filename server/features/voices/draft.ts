import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { VOICE_GENDERS, type Voice, type VoiceGender } from '@jyutsing/contracts/voice';

const MAX_NAME_LENGTH = 100;
const MAX_TEXT_LENGTH = 2_000;

/** What a caller says of a voice to be made. Null: nothing; the language is Cantonese then. */
export type VoiceDraft = {
  name: string;
  language: string | null;
  gender: string | null;
  description: string | null;
  /** What is said in the sample. */
  transcript: string | null;
  /** That the speaker agreed to being imitated. Without it no voice is made. */
  consent: boolean;
  /** The recording; read, but neither moved nor changed. */
  samplePath: string;
};

type Content = Pick<Voice, 'name' | 'language' | 'gender' | 'description' | 'transcript'>;

/** The texts of a voice as they are kept. Throws `invalid_parameter`, with the name of the field. */
export function checkDraft({ name, language, gender, description, transcript, consent }: VoiceDraft): Content {
  if (!consent) {
    throw new AppError(
      'invalid_parameter',
      'A voice is made only with the consent of its speaker: send the field "consent" with the value true.',
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

/** A name as names are compared: full-width letters, case and surplus spaces make no difference. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}

function isBlank(text: string | null): text is null {
  return text === null || text.trim() === '';
}

function checkName(name: string): string {
  const trimmed = name.trim();
  // Control characters would forge lines in the tables of the command line, and PostgreSQL refuses the null character.
  if (trimmed === '' || !isTextWithin(trimmed, MAX_NAME_LENGTH) || /\p{Cc}/u.test(trimmed)) {
    throw new AppError(
      'invalid_parameter',
      `The field "name" needs 1 to ${MAX_NAME_LENGTH} characters without control characters.`,
    );
  }
  return trimmed;
}

/** Lines may be broken in it, but nothing else may be controlled. */
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

function checkLanguage(text: string): Language {
  return oneOf('language', LANGUAGES, text);
}

function checkGender(text: string): VoiceGender {
  return oneOf('gender', VOICE_GENDERS, text);
}

function oneOf<Value extends string>(field: string, values: readonly Value[], text: string): Value {
  const found = values.find((value) => value === text.trim().toLowerCase());
  if (found !== undefined) return found;
  throw new AppError('invalid_parameter', `The field "${field}" must be one of ${values.join(', ')}.`);
}

/** Characters are Unicode code points; half of a pair is no text. */
function isTextWithin(text: string, maxLength: number): boolean {
  return text.isWellFormed() && (text.length <= maxLength || [...text].length <= maxLength);
}
