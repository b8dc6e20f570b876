import { z } from 'zod';
import { RECOGNITION_FAILURES } from '@jyutsing/contracts/recognizer';
import { TRANSCRIPTION_NOTICES, type TranscriptionResult } from '@jyutsing/contracts/transcription';

const SoundTrack = z
  .object({
    codec: z.string().describe('As FFmpeg names it.'),
    channels: z.int(),
    language: z.string().nullable().describe('As the file states it, mostly by ISO 639-2.'),
    title: z.string().nullable(),
    used: z.boolean().describe('Whether its sound was transcribed; several that were are mixed.'),
  })
  .meta({ id: 'SoundTrack' });

const ModelFailure = z
  .object({
    model: z.string(),
    reason: z
      .enum(RECOGNITION_FAILURES)
      .describe(
        '`empty`: no text in speech. `no_speech`: text without speech. `loop`: one phrase again and again. `too_fast`: faster than speech. `wrong_script`: not that of the language. `failed`: the model broke.',
      ),
    answered_by: z.string().describe('The model whose text those segments have.'),
    segments: z.int().describe('How many; with `failed` the rest of the recording.'),
  })
  .meta({ id: 'ModelFailure' });

/** The fields of answers for what a person should know about a recording. */
export const noteFields = {
  notice: z
    .enum(TRANSCRIPTION_NOTICES)
    .optional()
    .describe(
      '`cut_off`: the recording ends too early, and the text is that of what is there. `one_channel`: it has no channels to separate.',
    ),
  model_failures: z
    .array(ModelFailure)
    .optional()
    .describe('Models that were not believed in some segments; only where there are any.'),
  tracks: z
    .array(SoundTrack)
    .optional()
    .describe('The sound tracks of the file in their order; only when there are several.'),
};

type Notes = { [Field in keyof typeof noteFields]?: z.output<(typeof noteFields)[Field]> };

/** Returns the fields of a result; nothing when there is nothing to know. */
export function notesOf({ notice, tracks, modelFailures }: TranscriptionResult): Notes {
  return {
    ...(notice === undefined ? {} : { notice }),
    ...(modelFailures === undefined
      ? {}
      : {
          model_failures: modelFailures.map(({ failure, answeredBy, ...rest }) => ({
            ...rest,
            reason: failure,
            answered_by: answeredBy,
          })),
        }),
    ...(tracks === undefined ? {} : { tracks: tracks.map(({ isUsed, ...track }) => ({ ...track, used: isUsed })) }),
  };
}
