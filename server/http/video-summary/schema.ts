import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { SUMMARY_LANGUAGES, type SummaryLanguage } from '@jyutsing/contracts/summarizer';
import { readLanguage } from '@jyutsing/text/language-names';
import { choiceField, apiKeyField, optionalText, textField } from '#http/fields.ts';

const DEFAULT_LANGUAGE: SummaryLanguage = 'cantonese';
/** Exceeds all known track names. */
const MAX_TRACK_NAME_CHARACTERS = 200;
/** Leaves space for text that was pasted together with the link. */
const MAX_LINK_CHARACTERS = 2_000;

const linkField = textField(
  "A link to a video: a watch link, a short link, `/shorts/`, `/embed/` or `/live/`, with any parameters; or the video's id of 11 characters.",
  MAX_LINK_CHARACTERS,
);

/**
 * Reads the transcript: null when absent, empty when it has neither letters nor digits. Null
 * characters are removed and lone surrogates replaced, because databases and models refuse them.
 */
const transcriptField = z
  .unknown()
  .optional()
  .transform((input, context): string | null => {
    if (input === undefined || input === null) return null;
    if (typeof input !== 'string') {
      context.addIssue('must be text');
      return z.NEVER;
    }
    const text = input.replaceAll('\0', '').toWellFormed();
    return /[\p{L}\p{N}]/u.test(text) ? text : '';
  })
  .meta({
    type: ['string', 'null'],
    description: 'The transcript of the video; captions are then not downloaded. The whole body may have 4 MiB.',
  });

/** Codes of the languages that are only summarized. */
const CODES: ReadonlyMap<string, SummaryLanguage> = new Map([
  ['ja', 'japanese'],
  ['jpn', 'japanese'],
  ['ko', 'korean'],
  ['kor', 'korean'],
]);

/** A language by its code; blank means the default, as does `zh`, which is no more than Chinese. */
function readSummaryLanguage(text: string): SummaryLanguage | undefined {
  if (text === '') return DEFAULT_LANGUAGE;
  const read = readLanguage(text) ?? CODES.get(text.split(/[-_]/)[0] ?? '');
  return read === 'chinese' ? DEFAULT_LANGUAGE : SUMMARY_LANGUAGES.find((language) => language === read);
}

/** The body of POST …/summarize-from-url. Forms send empty fields, which mean the default. */
export const SummarizeBody = z.object({
  api_key: apiKeyField,
  url: optionalText(MAX_LINK_CHARACTERS, { description: 'The link of the video; needed unless a transcript is sent.' }),
  summaryLanguage: choiceField(
    SUMMARY_LANGUAGES,
    {
      default: DEFAULT_LANGUAGE,
      description:
        'The language of the summary, by name or code. `cantonese`: Traditional Chinese as in Hong Kong; `mandarin`: Simplified Chinese.',
    },
    readSummaryLanguage,
  ),
  subtitleLanguage: optionalText(MAX_TRACK_NAME_CHARACTERS, {
    description:
      'A caption track by its `name` of list-languages, such as `English` or `English (auto-generated)`, or by its code, in any case. Absent: the first.',
  }),
  transcript: transcriptField,
});

/** `transcript`: null to fetch it, empty when the sent one has no words. */
type SummarizeRequest = {
  /** It is null only with a transcript. */
  url: string | null;
  summaryLanguage: SummaryLanguage;
  subtitleLanguage: string | null;
  transcript: string | null;
};

/** Throws `invalid_request` without both a link and a transcript. */
export function parseSummarizeRequest(body: z.output<typeof SummarizeBody>): SummarizeRequest {
  const { url, summaryLanguage, subtitleLanguage, transcript } = body;
  if (url === null && transcript === null) {
    throw new AppError('invalid_request', 'The field "url" is missing; send it, or the "transcript" of the video.');
  }
  return { url, summaryLanguage: summaryLanguage ?? DEFAULT_LANGUAGE, subtitleLanguage, transcript };
}

/** The body of POST …/list-languages. */
export const TracksBody = z.object({ api_key: apiKeyField, url: linkField });

/** The query of GET …/list-languages. */
export const TracksQuery = z.object({ url: linkField });
