import { AppError } from '@jyutsing/contracts/errors';
import { VOICE_GENDERS, type Voice, type VoiceGender } from '@jyutsing/contracts/voice';
import { checkLanguage, checkName, checkText } from '#features/checked-fields.ts';

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
  /** The name of a synthesis model. */
  engine: string | null;
  /** Whether the speaker agreed to be imitated; required. */
  consent: boolean;
  /** The recording, which is neither moved nor changed. */
  samplePath: string;
};

type Content = Pick<Voice, 'name' | 'language' | 'gender' | 'description' | 'transcript' | 'engine'>;

/** Checks the fields of a voice. Throws `invalid_parameter` that names the field. */
export function checkDraft({ consent, name, ...draft }: VoiceDraft): Content {
  if (!consent) {
    throw new AppError(
      'invalid_parameter',
      'A voice needs the consent of its speaker: send the field "consent" with the value true.',
    );
  }
  const { language, gender, description, transcript, engine } = draft;
  return {
    name: checkVoiceName(name),
    language: isBlank(language) ? 'cantonese' : checkLanguage(language),
    gender: isBlank(gender) ? null : checkGender(gender),
    description: isBlank(description) ? null : checkText('description', description, MAX_TEXT_LENGTH),
    transcript: isBlank(transcript) ? null : checkText('transcript', transcript, MAX_TEXT_LENGTH),
    engine: isBlank(engine) || engine.trim() === 'auto' ? null : checkText('engine', engine, MAX_NAME_LENGTH),
  };
}

/** The form in which names are compared: width, case and extra spaces are ignored. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}

/** `default` as the voice of a request is no voice of the account. */
function checkVoiceName(name: string): string {
  const checked = checkName(name, MAX_NAME_LENGTH);
  if (nameKey(checked) !== 'default') return checked;
  throw new AppError('invalid_parameter', 'The name "default" means the voice of the server; choose another one.');
}

function isBlank(text: string | null): text is null {
  return text === null || text.trim() === '';
}

function checkGender(text: string): VoiceGender {
  return oneOf('gender', VOICE_GENDERS, text);
}

function oneOf<Value extends string>(field: string, values: readonly Value[], text: string): Value {
  const found = values.find((value) => value === text.trim().toLowerCase());
  if (found !== undefined) return found;
  throw new AppError('invalid_parameter', `The field "${field}" must be one of ${values.join(', ')}.`);
}
