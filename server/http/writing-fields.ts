import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { formBoolean } from './fields.ts';

/** How a recognized text is written, as fields of a form. */
export const writingFields = {
  with_punctuation: formBoolean('With commas and full stops.', true),
  numerals: formBoolean('Numbers in digits where people write them: `$128.50`, `9:30`.', true),
};

type Sent = Readonly<Record<keyof typeof writingFields, boolean>>;

/** Returns the options that differ from their defaults. */
export function readWriting(fields: Sent): Pick<TranscriptionOptions, 'withPunctuation' | 'numerals'> {
  return {
    ...(fields.with_punctuation ? {} : { withPunctuation: false as const }),
    ...(fields.numerals ? {} : { numerals: false as const }),
  };
}
