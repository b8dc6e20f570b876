import { z } from 'zod';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { TRANSCRIPTION_STAGES, type TranscriptionStatus } from '@jyutsing/contracts/transcription';
import { cleanName } from '@jyutsing/text/hidden-characters';
import { TRANSLATION_CHOICES } from '#features/after-transcript/text-choices.ts';
import { MAX_FOUND } from '#features/search/transcript-search.ts';
import { formText } from '#http/fields.ts';
import { noteFields } from '#http/recording-notes.ts';

export const STATUSES = ['pending', 'processing', 'completed', 'failed'] as const satisfies TranscriptionStatus[];

/** The fields of a record beside its texts. */
const Summary = z
  .object({
    request_id: z.uuid(),
    status: z.enum(STATUSES),
    duration_s: z.number().describe('Seconds of audio.'),
    output_language: z.string(),
    backend: z.string().optional().describe('The recognition engine; while processing and when completed.'),
    quality: z
      .literal('fallback')
      .optional()
      .describe(
        'When `backend` is the built-in model, usable for clear speech; pulled models are far better: `npm run models -- pull sense-voice-2024`.',
      ),
    with_diarization: z.boolean().optional(),
    speakers: z
      .number()
      .optional()
      .describe('While processing and when completed, when it was sent; so are the next three.'),
    min_speakers: z.number().optional(),
    max_speakers: z.number().optional(),
    diarization_threshold: z.number().optional(),
    channels: z.literal('separate').optional().describe('When each channel is a speaker.'),
    include_timestamp: z.boolean().optional(),
    context: z.string().optional().describe('When one was sent.'),
    title: z.string().optional(),
    audio_kept: z.literal(true).optional().describe('With `keep_audio`.'),
    edited_at: z.iso.datetime().optional().describe('The last correction by people.'),
    batch_id: z.uuid().optional().describe('When several recordings were sent together.'),
    processing_time: z.number().optional().describe('Seconds; when completed or failed.'),
    credits_used: z
      .number()
      .optional()
      .describe('One for each started second of sound without gaps, 0 for a cached result; when completed.'),
    error: z.string().optional().describe('The reason; when failed.'),
    error_code: z.string().optional().describe('The code of the reason in docs/errors.md; when failed.'),
  })
  .meta({ id: 'TranscriptionSummary' });

export const Record = z
  .intersection(
    Summary,
    z.object({
      transcription: z
        .string()
        .optional()
        .describe('The recognized text, when completed; numbered blocks with `with_timestamp`.'),
      jyutping_transcription: z
        .string()
        .optional()
        .describe('The recognized syllables in jyutping, in the same format; when fusion ran.'),
      fused_transcription: z
        .string()
        .optional()
        .describe('The corrected text in the same format, preferred when present; when fusion ran.'),
      diarization: z.string().optional().describe('When completed, with diarization and without timestamps.'),
      transcription_time: z.number().optional().describe('Seconds of recognition; when completed.'),
      fusion_time: z.number().optional().describe('Seconds of correction, 0 when it did not run; when completed.'),
      is_cached: z.boolean().optional().describe('Only when the result came from a cache.'),
      ...noteFields,
    }),
  )
  .meta({ id: 'Transcription' });

export const PollQuery = z.object({ id: z.string().optional().describe('The `request_id`.') });

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
  id: z.string().describe('The `request_id`, or the `X-Request-Id` of a waiting call.'),
});

const once = 'must be given once';

/** The most tags of a transcription. */
const MAX_TAGS = 20;
/** A comma separates tags in a query. */
const cleanTag = (tag: string) => cleanName(tag.replaceAll(',', ' ')).normalize('NFC');

export const Tags = z
  .array(formText(50, 'A tag.').transform(cleanTag))
  .max(MAX_TAGS, `must be at most ${MAX_TAGS} tags`)
  .transform((tags) => [...new Set(tags)].filter((tag) => tag !== ''))
  .meta({ type: 'array', items: { type: 'string', maxLength: 50 }, description: 'Replace all tags.' });

export const ListQuery = z.object({
  limit: z
    .string(once)
    .regex(/^[1-9]\d{0,2}$/, 'must be a number from 1 to 100')
    .transform(Number)
    .pipe(z.number().max(100, 'must be a number from 1 to 100'))
    .default(20)
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 20 }),
  before: z.string(once).optional().describe('The `request_id` of the last record of the previous page.'),
  status: z
    .enum(STATUSES, `must be one of ${STATUSES.join(', ')}`)
    .optional()
    .describe('Lists only this status.'),
  batch_id: z.uuid('must be the id of a batch').optional().describe('Lists only the records of this batch.'),
  tag: z
    .string(once)
    .transform((tags) => [...new Set(tags.split(',').map(cleanTag))].filter((tag) => tag !== ''))
    .pipe(z.array(z.string()).max(MAX_TAGS, `must be at most ${MAX_TAGS} tags`))
    .default([])
    .meta({ type: 'string', description: 'Lists only records with this tag; several with commas: with all of them.' }),
  query: z
    .string(once)
    .max(500, 'must have at most 500 characters')
    .optional()
    .describe('Words, characters in either script or jyutping, all of which occur; `"…"` keeps words together.'),
  in: z
    .enum(['any', 'text', 'jyutping'], 'must be any, text or jyutping')
    .default('any')
    .describe('Where `query` is looked for; syllables without a tone mean any.'),
  order: z.enum(['best', 'newest'], 'must be best or newest').default('best').describe('Of what `query` finds.'),
});

export const ListedRecord = z
  .intersection(
    Summary,
    z.object({
      created_at: z.iso.datetime().describe('When it was submitted.'),
      tags: z.array(z.string()).optional().describe('When it has some.'),
      matches: z
        .array(
          z.object({
            start: z.number().describe('Seconds.'),
            end: z.number(),
            text: z.string(),
            speaker: z.string().nullable(),
            highlights: z.array(z.tuple([z.number(), z.number()])).describe('Places in `text`, in UTF-16 units.'),
          }),
        )
        .optional()
        .describe('The first segments with what `query` looks for; none when it is in the title.'),
      matches_count: z.number().optional().describe('How many segments match `query`.'),
      finished_at: z.iso.datetime().optional().describe('When completed or failed.'),
    }),
  )
  .meta({ id: 'ListedTranscription' });

export const ListAnswer = z
  .object({
    success: z.literal(true),
    transcriptions: z.array(ListedRecord).describe('Newest first, without texts.'),
    has_more: z.boolean().describe('Whether there are further transcriptions.'),
    total: z.number().optional().describe(`How many \`query\` finds, at most ${MAX_FOUND}.`),
    unindexed: z
      .number()
      .optional()
      .describe('Older transcriptions that `query` cannot find yet; present while there are some.'),
  })
  .meta({ id: 'Transcriptions' });

export const DeleteAnswer = z.object({ success: z.literal(true) }).meta({ id: 'Deleted' });

export const IdsBody = z
  .object({
    ids: z
      .array(z.string().max(100, 'must be an id'))
      .min(1, 'must have at least one id')
      .max(100, 'must have at most 100 ids')
      .describe('`request_id` of each.'),
  })
  .meta({ id: 'TranscriptionIds' });

export const DeletionsAnswer = z
  .object({
    success: z.literal(true),
    deleted: z.number(),
    unknown: z.array(z.string()).describe('Ids that the account does not have.'),
  })
  .meta({ id: 'DeletedTranscriptions' });

export const TagsAnswer = z
  .object({ success: z.literal(true), tags: z.array(z.object({ tag: z.string(), count: z.number() })) })
  .meta({ id: 'TranscriptionTags' });

const FileQuery = z.object({
  text: z.enum(['final', 'raw'], 'must be final or raw').default('final').describe('`raw`: before any correction.'),
  version: z
    .enum(['edited', 'original'], 'must be edited or original')
    .default('edited')
    .describe('`original`: not corrected by people.'),
});

const querySwitch = (description: string) =>
  z
    .stringbool({ truthy: ['true', '1'], falsy: ['false', '0'], error: 'must be true, false, 1 or 0' })
    .optional()
    .meta({ type: 'boolean', description });

function queryNumber(min: number, max: number, description: string) {
  const message = `must be a number from ${min} to ${max}`;
  return z
    .string(once)
    .regex(/^\d{1,3}(?:\.\d{1,4})?$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
    .optional()
    .meta({ type: 'number', minimum: min, maximum: max, description });
}

const speakers = querySwitch(
  'Whether names of speakers are shown; default: when there are several, or one has a name.',
);
const times = querySwitch('Whether each paragraph has its time.');
const jyutping = querySwitch('Jyutping over the characters.');

const language = z
  .enum(TRANSLATION_CHOICES, `must be one of ${TRANSLATION_CHOICES.join(', ')}`)
  .optional()
  .describe('A translation that is completed, in place of the text.');
const bilingual = querySwitch('With `language`: the text and its translation.');
const Translated = FileQuery.extend({ language, bilingual });

export const JsonQuery = FileQuery.extend({ language });
export const TxtQuery = Translated.extend({ speakers, times });
export const DocumentQuery = Translated.extend({
  speakers,
  times: times.default(true),
  jyutping,
  note: z.string(once).max(500).optional().describe('A line below the title, such as how far to trust the text.'),
  speaker_label: z
    .string(once)
    .max(50)
    .refine((label) => label.includes('{n}'), 'must contain {n}')
    .optional()
    .describe('The name of speakers without one, such as `Speaker {n}`, counted from 1. Absent: their label.'),
});
export const DeckQuery = Translated.extend({ speakers });
export const SubtitleQuery = Translated.extend({
  speakers,
  max_line_length: queryNumber(4, 100, 'Chinese characters in a line; letters count half.'),
  max_lines: queryNumber(1, 4, 'Lines of a subtitle.').refine(
    (lines) => lines === undefined || Number.isInteger(lines),
    'must be a whole number',
  ),
  min_duration: queryNumber(0, 10, 'Seconds that a subtitle stays, if the next one leaves time.'),
  reading_speed: queryNumber(1, 50, 'Chinese characters a second that people can read.'),
});

export const ExportBody = z
  .object({
    ids: IdsBody.shape.ids,
    format: z
      .enum(['json', 'txt', 'srt', 'vtt', 'md', 'docx'], 'must be json, txt, srt, vtt, md or docx')
      .describe('Of every file.'),
  })
  .meta({ id: 'TranscriptionExport' });

const seconds = z.number().describe('Seconds.');
const confidence = z.number().nullable().describe('0 to 1; null when the engine does not report it.');

export const EditAnswer = z
  .object({
    success: z.literal(true),
    version: z.number(),
    edited_at: z.iso.datetime().optional().describe('Absent when only tags were ever saved.'),
  })
  .meta({ id: 'EditedTranscription' });

export const JsonFile = z
  .object({
    request_id: z.uuid(),
    title: z.string().optional(),
    version: z.number().describe('Of its corrections; also the `ETag`.'),
    edited_at: z.iso.datetime().optional(),
    speakers: z.record(z.string(), z.string()).optional().describe('Names by label.'),
    language: z.enum(LANGUAGES),
    duration_s: seconds,
    ...noteFields,
    text: z.string(),
    segments: z.array(
      z.object({
        start: seconds,
        end: seconds,
        text: z.string(),
        speaker: z
          .string()
          .nullable()
          .describe(
            '`SPEAKER_<nn>`, with separate channels the number of the channel from 00; null without diarization.',
          ),
        translation: z.string().optional().describe('With `language`.'),
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
                    jyutping: z.string().nullable().optional().describe('Recognized reading; for Cantonese.'),
                    pinyin: z.string().nullable().optional().describe('Recognized reading; for Mandarin.'),
                    start: seconds,
                    end: seconds,
                    confidence,
                    corrected: z
                      .object({ from: z.string(), term: z.string().nullable() })
                      .optional()
                      .describe('Changed by fusion.'),
                  }),
                )
                .describe('Chinese characters; empty for a word in letters.'),
            }),
          )
          .describe('Empty when the engine reports times of segments only.'),
      }),
    ),
  })
  .meta({ id: 'TranscriptionFile' });

/** `data` of the events `progress`, for the documentation. */
export const ProgressEvent = z
  .object({
    stage: z.enum(TRANSCRIPTION_STAGES),
    processed_s: z.number().describe('Seconds of the recording that this stage has processed.'),
    duration_s: z.number().describe('Seconds of audio; 0 while unknown.'),
    percent: z.number().nullable().describe('Progress of this stage; null while the duration is unknown.'),
  })
  .meta({ id: 'TranscriptionProgress' });
