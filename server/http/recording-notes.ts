import { z } from 'zod';
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

/** The fields of answers for what a person should know about a recording. */
export const noteFields = {
  notice: z
    .enum(TRANSCRIPTION_NOTICES)
    .optional()
    .describe(
      '`cut_off`: the recording ends too early, and the text is that of what is there. `one_channel`: it has no channels to separate.',
    ),
  tracks: z
    .array(SoundTrack)
    .optional()
    .describe('The sound tracks of the file in their order; only when there are several.'),
};

type Notes = { [Field in keyof typeof noteFields]?: z.output<(typeof noteFields)[Field]> };

/** Returns the fields of a result; nothing when there is nothing to know. */
export function notesOf({ notice, tracks }: TranscriptionResult): Notes {
  return {
    ...(notice === undefined ? {} : { notice }),
    ...(tracks === undefined ? {} : { tracks: tracks.map(({ isUsed, ...track }) => ({ ...track, used: isUsed })) }),
  };
}
