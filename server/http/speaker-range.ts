import { z } from 'zod';
import { MAX_SPEAKERS, type SpeakerRange } from '@jyutsing/contracts/diarizer';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import { numberField } from './fields.ts';

/** How many people speak, as fields of a form; they count only where speakers are told apart. */
export const speakerFields = {
  speakers: count('How many people speak, when it is known. Only for the identification of speakers.'),
  min_speakers: count('The fewest people that may speak.'),
  max_speakers: count('The most people that may speak.'),
};

function count(description: string) {
  const bounds = { min: 1, max: MAX_SPEAKERS, isWhole: true };
  const documented = { type: 'integer', minimum: bounds.min, maximum: bounds.max, description };
  return z
    .preprocess(
      (sent) => (typeof sent === 'string' && sent.trim() === '' ? undefined : sent),
      numberField(bounds, { description }),
    )
    .meta(documented);
}

type Sent = Readonly<Record<keyof typeof speakerFields, number | null>>;

/** Undefined when nothing was sent. Throws `code` for numbers that contradict each other. */
export function readSpeakerRange(sent: Sent, code: ErrorCode): SpeakerRange | undefined {
  const { speakers, min_speakers: min, max_speakers: max } = sent;
  const refuse = (field: string, rule: string, other: string) => {
    throw new AppError(code, `The field "${field}" must not be ${rule} "${other}".`);
  };
  if (min !== null && max !== null && min > max) refuse('min_speakers', 'above', 'max_speakers');
  if (speakers === null) {
    return min === null && max === null ? undefined : { min: min ?? 1, max: max ?? MAX_SPEAKERS };
  }
  if (min !== null && speakers < min) refuse('speakers', 'below', 'min_speakers');
  if (max !== null && speakers > max) refuse('speakers', 'above', 'max_speakers');
  return { min: speakers, max: speakers };
}

/** The fields that give this range. */
export function viewSpeakerRange({ min, max }: SpeakerRange): Partial<Record<keyof Sent, number>> {
  if (min === max) return { speakers: min };
  return { ...(min > 1 ? { min_speakers: min } : {}), ...(max < MAX_SPEAKERS ? { max_speakers: max } : {}) };
}
