import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { VOICE_GENDERS, type Voice } from '@jyutsing/contracts/voice';
import type { VoiceDraft } from '#features/voices/draft.ts';
import { apiKeyField, audioFile, formBoolean, nameField, parseFields } from '#http/fields.ts';
import type { FormFields } from '#http/upload.ts';

/** The form of POST /api/voices, for the documentation; the voice library checks its texts. */
export const VoiceForm = z.object({
  api_key: apiKeyField,
  name: nameField(100, 'Synthesis requests can name it.'),
  sample: audioFile.meta({
    description:
      'One speaker, 3 to 30 seconds: wav, mp3, m4a, flac, ogg, webm and others. Its content decides, not its name.',
    format: 'binary',
  }),
  language: z
    .string()
    .optional()
    .meta({
      enum: [...LANGUAGES],
      default: 'cantonese',
      description: 'The language of the speaker, by name or code. Also `lang`.',
    }),
  transcript: z.string().optional().describe('The words of the sample; some models imitate better with them.'),
  engine: z
    .string()
    .optional()
    .describe('A synthesis model that speaks this voice in its languages; absent: the best one.'),
  gender: z
    .string()
    .optional()
    .meta({ enum: [...VOICE_GENDERS] }),
  description: z.string().optional().meta({ maxLength: 2_000 }),
  consent: z.string().meta({
    type: 'boolean',
    description: 'Must be true: the speaker of the sample agrees to being imitated.',
  }),
});

export const FIELD_NAMES: ReadonlySet<string> = new Set([...Object.keys(VoiceForm.shape), 'lang']);

/** The form of POST /api/voices/check. */
export const SampleForm = VoiceForm.pick({ api_key: true, sample: true });

const Consent = z.object({ consent: formBoolean('') });

/**
 * The form without its file. Throws `invalid_request` for a missing field, `invalid_parameter` for
 * a consent that is not a boolean.
 */
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
    language: textOf('language') ?? textOf('lang'),
    gender: textOf('gender'),
    description: textOf('description'),
    transcript: textOf('transcript'),
    engine: textOf('engine'),
    consent: parseFields(Consent, { consent: (textOf('consent') ?? '').trim() }, 'invalid_parameter').consent,
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
    public: z.boolean().describe('Shipped with the service: every account can use it, none can delete it.'),
  })
  .meta({ id: 'VoiceSummary' });

const VoiceView = SummaryView.extend({
  transcript: z.string().optional().describe('The words of the sample, as given or once recognized.'),
  engine: z.string().optional().describe('The model that speaks it, where one was chosen.'),
  sample_seconds: z.number().describe('Length of the stored sample, without the pauses at its ends.'),
  created_at: z.iso.datetime(),
  consented_at: z.iso
    .datetime()
    .optional()
    .describe('When consent was given; absent for a voice without a recorded person.'),
}).meta({ id: 'Voice' });

const success = z.literal(true);
export const VoicesAnswer = z.object({ success, voices: z.array(SummaryView) });
export const VoiceAnswer = z.object({ success, voice: VoiceView });
export const SampleAnswer = z.object({ success, sample_seconds: VoiceView.shape.sample_seconds });
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

/** One voice with its details. */
export function viewVoice(voice: Voice): z.output<typeof VoiceView> {
  const { transcript, engine, sample, createdAtMs, consentedAtMs } = voice;
  return {
    ...viewSummary(voice),
    ...(transcript === null ? {} : { transcript }),
    ...(engine === null ? {} : { engine }),
    sample_seconds: sample.durationMs / 1_000,
    created_at: new Date(createdAtMs).toISOString(),
    ...(consentedAtMs === null ? {} : { consented_at: new Date(consentedAtMs).toISOString() }),
  };
}
