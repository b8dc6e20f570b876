import { z } from 'zod';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { TRANSCRIPTION_STAGES, type TranscriptionStatus } from '@jyutsing/contracts/transcription';

const STATUSES = ['pending', 'processing', 'completed', 'failed'] as const satisfies TranscriptionStatus[];

/** What a record tells beside its texts. */
const Summary = z.object({
  request_id: z.uuid(),
  status: z.enum(STATUSES),
  duration_s: z.number().describe('Seconds of audio.'),
  output_language: z.string(),
  backend: z.string().optional().describe('The recognition engine; while processing and when completed.'),
  with_diarization: z.boolean().optional(),
  include_timestamp: z.boolean().optional(),
  context: z.string().optional().describe('When one was supplied.'),
  processing_time: z.number().optional().describe('Seconds; when completed or failed.'),
  credits_used: z
    .number()
    .optional()
    .describe('One for each begun second of audio, 0 for a cached result; when completed.'),
  error: z.string().optional().describe('The reason; when failed.'),
});

export const Record = Summary.extend({
  transcription: z
    .string()
    .optional()
    .describe('The text as recognised, when completed; numbered blocks with `with_timestamp`.'),
  jyutping_transcription: z
    .string()
    .optional()
    .describe('What was heard in jyutping, in the same shape; when fusion ran.'),
  fused_transcription: z.string().optional().describe('The corrected text, in the same shape, to use when fusion ran.'),
  diarization: z.string().optional().describe('When completed, with diarization and no timestamps.'),
  transcription_time: z.number().optional().describe('Seconds of recognition; when completed.'),
  fusion_time: z.number().optional().describe('Seconds of correction, 0 when it did not run; when completed.'),
  is_cached: z.boolean().optional().describe('Only when the result came from a cache.'),
}).meta({ id: 'Transcription' });

export const PollQuery = z.object({ id: z.string().describe('The `request_id` of the submission.') });

export const RecordAnswer = z
  .object({ success: z.literal(true), transcription: Record })
  .meta({ id: 'TranscriptionRecord' });

export const PollAnswer = z
  .union([
    z.object({ success: z.literal(true), transcription: Record }),
    z.object({ success: z.literal(false), message: z.string().describe('Unknown id, or one of another account.') }),
  ])
  .meta({ id: 'PolledTranscription' });

export const RecordParams = z.object({
  id: z.string().describe('The `request_id`, or the `X-Request-Id` of a call that waited.'),
});

const once = 'must be given once';

export const ListQuery = z.object({
  limit: z
    .string(once)
    .regex(/^[1-9]\d{0,2}$/, 'must be a number from 1 to 100')
    .transform(Number)
    .pipe(z.number().max(100, 'must be a number from 1 to 100'))
    .default(20)
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 20 }),
  before: z
    .string(once)
    .optional()
    .describe('The `request_id` of the last record of the page before; the older ones follow.'),
  status: z
    .enum(STATUSES, `must be one of ${STATUSES.join(', ')}`)
    .optional()
    .describe('Only those.'),
});

export const ListedRecord = Summary.extend({
  created_at: z.iso.datetime().describe('When it was submitted.'),
  finished_at: z.iso.datetime().optional().describe('When completed or failed.'),
}).meta({ id: 'ListedTranscription' });

export const ListAnswer = z
  .object({
    success: z.literal(true),
    transcriptions: z.array(ListedRecord).describe('Newest first, without texts.'),
    has_more: z.boolean().describe('Whether there are older ones.'),
  })
  .meta({ id: 'Transcriptions' });

export const DeleteAnswer = z.object({ success: z.literal(true) }).meta({ id: 'Deleted' });

export const FileQuery = z.object({
  text: z
    .enum(['final', 'raw'], 'must be final or raw')
    .default('final')
    .describe('`raw`: as recognised, before the correction.'),
});

const seconds = z.number().describe('Seconds.');
const confidence = z.number().nullable().describe('From 0 to 1; null where the engine does not tell it.');

export const JsonFile = z
  .object({
    request_id: z.uuid(),
    language: z.enum(LANGUAGES),
    duration_s: seconds,
    text: z.string(),
    segments: z.array(
      z.object({
        start: seconds,
        end: seconds,
        text: z.string(),
        speaker: z.string().nullable().describe('`SPEAKER_<nn>`; null without diarization.'),
        confidence,
        words: z
          .array(
            z.object({
              text: z.string(),
              start: seconds,
              end: seconds,
              confidence,
              characters: z
                .array(
                  z.object({
                    text: z.string(),
                    jyutping: z.string().nullable().optional().describe('As heard; in Cantonese.'),
                    pinyin: z.string().nullable().optional().describe('As heard; in Mandarin.'),
                    start: seconds,
                    end: seconds,
                    confidence,
                  }),
                )
                .describe('Of Chinese; empty for a word in letters.'),
            }),
          )
          .describe('Empty where the engine times segments only.'),
      }),
    ),
  })
  .meta({ id: 'TranscriptionFile' });

/** `data` of the events `progress`, for the documentation. */
export const ProgressEvent = z
  .object({
    stage: z.enum(TRANSCRIPTION_STAGES),
    processed_s: z.number().describe('Seconds of the recording that this stage has done.'),
    duration_s: z.number().describe('Seconds of audio; 0 while unknown.'),
    percent: z.number().nullable().describe('Of this stage; null while the duration is unknown.'),
  })
  .meta({ id: 'TranscriptionProgress' });
