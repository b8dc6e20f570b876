import { z } from 'zod';
import { MAX_SPEAKERS, type SpeakerRange } from '@jyutsing/contracts/diarizer';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { numberField, type Bounds } from './fields.ts';

/** How speakers are told apart, as fields of a form. */
export const diarizationFields = {
  speakers: count('How many people speak, when it is known. Only for the identification of speakers.'),
  min_speakers: count('The fewest people that may speak.'),
  max_speakers: count('The most people that may speak.'),
  diarization_threshold: fieldOf(
    { min: 0, max: 2, aboveMin: true },
    'Distance of two voices up to which they are one speaker: higher finds fewer speakers. Only for sherpa-onnx.',
  ),
};

function count(description: string) {
  return fieldOf({ min: 1, max: MAX_SPEAKERS, isWhole: true }, description);
}

function fieldOf(bounds: Bounds, description: string) {
  const { min, max, isWhole, aboveMin } = bounds;
  const documented = {
    type: isWhole === true ? 'integer' : 'number',
    [aboveMin === true ? 'exclusiveMinimum' : 'minimum']: min,
    maximum: max,
    description,
  } as const;
  return z
    .preprocess(
      (input) => (typeof input === 'string' && input.trim() === '' ? undefined : input),
      numberField(bounds, { description }),
    )
    .meta(documented);
}

type Sent = Readonly<Record<keyof typeof diarizationFields, number | null>>;
type Diarization = Pick<TranscriptionOptions, 'speakers' | 'diarizationThreshold'>;

/** Throws `code` for numbers that contradict each other. */
export function readDiarization(fields: Sent, code: ErrorCode): Diarization {
  const speakers = readSpeakerRange(fields, code);
  const { diarization_threshold: threshold } = fields;
  return {
    ...(speakers === undefined ? {} : { speakers }),
    ...(threshold === null ? {} : { diarizationThreshold: threshold }),
  };
}

function readSpeakerRange(fields: Sent, code: ErrorCode): SpeakerRange | undefined {
  const { speakers, min_speakers: min, max_speakers: max } = fields;
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

/** The fields that give these options. */
export function viewDiarization({ speakers, diarizationThreshold: threshold }: Diarization) {
  return {
    ...(speakers === undefined ? {} : viewSpeakerRange(speakers)),
    ...(threshold === undefined ? {} : { diarization_threshold: threshold }),
  };
}

function viewSpeakerRange({ min, max }: SpeakerRange): Partial<Record<keyof Sent, number>> {
  if (min === max) return { speakers: min };
  return { ...(min > 1 ? { min_speakers: min } : {}), ...(max < MAX_SPEAKERS ? { max_speakers: max } : {}) };
}
