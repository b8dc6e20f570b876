import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { VOICE_GENDERS, type Voice } from '@jyutsing/contracts/voice';
import type { VoiceDraft } from '#features/voices/draft.ts';
import { apiKeyField, audioFile, formBoolean, parseForm } from '#http/form-fields.ts';
import type { FormFields } from '#http/upload.ts';

/** The form of POST /api/voices, for the documentation; the library judges its texts. */
export const VoiceForm = z.object({
  api_key: apiKeyField,
  name: z.string().describe('For people, and for finding it; 1 to 100 characters.'),
  sample: audioFile.meta({
    description: 'One person speaking, 3 to 30 seconds: wav, mp3, m4a, flac or ogg, decided by its content.',
    format: 'binary',
  }),
  language: z
    .string()
    .optional()
    .meta({ enum: [...LANGUAGES], default: 'cantonese', description: 'The language of the speaker.' }),
  transcript: z.string().optional().describe('What is said in the sample; some models imitate better when they know.'),
  gender: z
    .string()
    .optional()
    .meta({ enum: [...VOICE_GENDERS] }),
  description: z.string().optional().describe('At most 2000 characters.'),
  consent: z.string().meta({
    type: 'boolean',
    description: 'Must be true: the speaker of the sample agrees to being imitated.',
  }),
});

/** The fields that a handler keeps. */
export const FIELD_NAMES: ReadonlySet<string> = new Set(Object.keys(VoiceForm.shape));

const Consent = z.object({ consent: formBoolean('') });

/** The form without its file. Throws `invalid_request` for what is missing, `invalid_parameter` for a consent that is no boolean. */
export function parseVoiceForm(fields: FormFields): Omit<VoiceDraft, 'samplePath'> {
  const textOf = (name: string) => fields.get(name) ?? null;
  const name = textOf('name');
  if (name === null) throw new AppError('invalid_request', 'The field "name" is missing.');
  if ((textOf('consent') ?? '').trim() === '') {
    throw new AppError(
      'invalid_request',
      'The field "consent" is missing; send true when the speaker of the sample agrees to being imitated.',
    );
  }
  return {
    name,
    language: textOf('language'),
    gender: textOf('gender'),
    description: textOf('description'),
    transcript: textOf('transcript'),
    consent: parseForm(Consent, new Map([['consent', (textOf('consent') ?? '').trim()]])).consent,
  };
}

export const IdParameter = z.object({ id: z.string().describe('The id of a voice.') });

const SummaryView = z
  .object({
    voice_id: z.string(),
    name: z.string(),
    language: z.enum(LANGUAGES),
    gender: z.enum(VOICE_GENDERS).optional(),
    description: z.string().optional(),
    public: z.boolean().describe('Shipped with the service: everybody may use it and nobody can delete it.'),
  })
  .meta({ id: 'VoiceSummary' });

const VoiceView = SummaryView.extend({
  transcript: z.string().optional().describe('What is said in the sample.'),
  sample_seconds: z.number().describe('Length of the sample as it is kept, pauses at its ends cut off.'),
  created_at: z.iso.datetime(),
  consented_at: z.iso.datetime().optional().describe('When its consent was given; absent: nobody was recorded.'),
}).meta({ id: 'Voice' });

const success = z.literal(true);
export const VoicesAnswer = z.object({ success, voices: z.array(SummaryView) });
export const VoiceAnswer = z.object({ success, voice: VoiceView });
export const DeletedAnswer = z.object({ success });

/** A voice in a list. */
export function viewSummary(voice: Voice): z.output<typeof SummaryView> {
  const { id, name, language, gender, description, accountId } = voice;
  return {
    voice_id: id,
    name,
    language,
    ...(gender === null ? {} : { gender }),
    ...(description === null ? {} : { description }),
    public: accountId === null,
  };
}

/** A voice by itself. */
export function viewVoice(voice: Voice): z.output<typeof VoiceView> {
  const { transcript, sample, createdAtMs, consentedAtMs } = voice;
  return {
    ...viewSummary(voice),
    ...(transcript === null ? {} : { transcript }),
    sample_seconds: sample.durationMs / 1_000,
    created_at: new Date(createdAtMs).toISOString(),
    ...(consentedAtMs === null ? {} : { consented_at: new Date(consentedAtMs).toISOString() }),
  };
}
