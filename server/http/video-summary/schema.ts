import { z } from 'zod';
import { SUMMARY_LANGUAGES, type SummaryLanguage } from '@jyutsing/contracts/summarizer';
import { choiceField, jsonKeyField, optionalText, textField } from '#http/json-fields.ts';

const DEFAULT_LANGUAGE: SummaryLanguage = 'cantonese';
/** Names of tracks are a few words; who sends more has mistaken the field. */
const MAX_TRACK_NAME_CHARACTERS = 200;
/** Links are short, but people paste them together with what they say of the video. */
const MAX_LINK_CHARACTERS = 2_000;

const linkField = textField(
  "A link to a video: to watch it, a short one, `/shorts/`, `/embed/`, `/live/`, whatever parameters follow; or the video's id of 11 characters.",
  MAX_LINK_CHARACTERS,
);

/**
 * Null where there is none, and empty where nothing in it can be read. What is no text (the null character, halves of surrogate pairs) is
 * left out or replaced, because stores and models refuse it.
 */
const transcriptField = z
  .unknown()
  .optional()
  .transform((sent, context): string | null => {
    if (sent === undefined || sent === null) return null;
    if (typeof sent !== 'string') {
      context.addIssue('must be text');
      return z.NEVER;
    }
    const text = sent.replaceAll('\0', '').toWellFormed();
    return /[\p{L}\p{N}]/u.test(text) ? text : '';
  })
  .meta({
    type: 'string',
    description: 'What is said in the video: then nothing is downloaded. At most what fits into a body of 4 MiB.',
  });

/** The body of POST …/summarize-from-url. A blank choice is the default: forms send what nobody has filled in. */
export const SummarizeBody = z.object({
  api_key: jsonKeyField,
  url: linkField,
  summaryLanguage: choiceField(
    SUMMARY_LANGUAGES,
    {
      default: DEFAULT_LANGUAGE,
      description:
        'The language of the summary. `cantonese`: Traditional Chinese as in Hong Kong; `mandarin`: Simplified Chinese.',
    },
    { '': DEFAULT_LANGUAGE },
  ),
  subtitleLanguage: optionalText(MAX_TRACK_NAME_CHARACTERS, {
    description:
      'A caption track: its `name` of list-languages, such as `English` or `English (auto-generated)`, or its code, in any case. Absent: the first.',
  }),
  transcript: transcriptField,
});

/** What a caller asks for. The transcript: null is to be fetched, empty has nothing to read in it. */
export type SummarizeAsk = {
  url: string;
  summaryLanguage: SummaryLanguage;
  subtitleLanguage: string | null;
  transcript: string | null;
};

export function viewSummarizeAsk(body: z.output<typeof SummarizeBody>): SummarizeAsk {
  const { url, summaryLanguage, subtitleLanguage, transcript } = body;
  return { url, summaryLanguage: summaryLanguage ?? DEFAULT_LANGUAGE, subtitleLanguage, transcript };
}

/** The body of POST …/list-languages. */
export const TracksBody = z.object({ api_key: jsonKeyField, url: linkField });

/** The query of GET …/list-languages. */
export const TracksQuery = z.object({ url: linkField });
