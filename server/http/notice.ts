import { z } from 'zod';
import { TRANSCRIPTION_NOTICES, type TranscriptionResult } from '@jyutsing/contracts/transcription';

/** The field of answers for what a person should know about a result. */
export const noticeField = z
  .enum(TRANSCRIPTION_NOTICES)
  .optional()
  .describe('`cut_off`: the recording ends too early, and the text is that of what is there.');

/** Returns the field of a result; nothing when there is nothing to know. */
export function noticeOf({ notice }: TranscriptionResult): Pick<TranscriptionResult, 'notice'> {
  return notice === undefined ? {} : { notice };
}
