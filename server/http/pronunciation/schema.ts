import { z } from 'zod';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import {
  INSERTION_KINDS,
  PASS_MARKS,
  STRICTNESSES,
  VERDICTS,
  type Strictness,
} from '@jyutsing/contracts/pronunciation';
import { apiKeyField, audioFile, languageField, parseFields, textField } from '#http/fields.ts';
import { REASON_CODES } from '#features/pronunciation/explain-score.ts';
import type { FormFields } from '#http/upload.ts';

/** Code points. A minute of speech has a few hundred. */
const MAX_TARGET_CHARACTERS = 1_000;
const MAX_SPEAKER_LENGTH = 128;
const DEFAULT_LANGUAGE: Language = 'cantonese';

const Fields = z.object({
  text: textField('The text of the recording, at most 1,000 characters.', MAX_TARGET_CHARACTERS),
  language: languageField(LANGUAGES, {
    default: DEFAULT_LANGUAGE,
    description: 'The language of the text. Also `lang`.',
  }),
  strictness: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() || undefined : value),
      z.enum(STRICTNESSES, `must be ${STRICTNESSES.join(' or ')}`).default('everyday'),
    )
    .describe('Cantonese: `everyday` accepts sound changes of many native speakers, `broadcast` does not.')
    .meta({ type: 'string', enum: [...STRICTNESSES], default: 'everyday' }),
  speaker: z
    .string()
    .trim()
    .max(MAX_SPEAKER_LENGTH, `must have at most ${MAX_SPEAKER_LENGTH} characters`)
    .optional()
    .describe('Your id for the speaker, whose pitch is kept to tell the tones of later single syllables.'),
});

/** The form, for the documentation. */
export const ScoreForm = z.object({
  api_key: apiKeyField,
  audio: audioFile.meta({
    description: 'At most 10 MiB, 0.1 to 60 seconds of one speaker; its content decides the format.',
    format: 'binary',
  }),
  ...Fields.shape,
});

export const FIELD_NAMES: ReadonlySet<string> = new Set([
  'api_key',
  'text',
  'language',
  'lang',
  'strictness',
  'speaker',
]);

type ScoreRequest = { text: string; language: Language; strictness: Strictness; speaker: string | null };

const TEXT_FIELDS = new Set(['text', 'strictness', 'speaker']);

/** `lang` counts when `language` is absent or blank. Throws `invalid_request`. */
export function parseScoreForm(fields: FormFields): ScoreRequest {
  const language = [fields.get('language'), fields.get('lang')].find((field) => (field ?? '').trim() !== '');
  const fieldsOfText = new Map([...fields].filter(([name]) => TEXT_FIELDS.has(name)));
  if (language !== undefined) fieldsOfText.set('language', language);
  const form = parseFields(Fields, Object.fromEntries(fieldsOfText));
  const { text, strictness, speaker = '' } = form;
  return { text, language: form.language ?? DEFAULT_LANGUAGE, strictness, speaker: speaker === '' ? null : speaker };
}

const score = (description: string) => z.number().min(0).max(100).describe(description);
const seconds = (description: string) => z.number().nullable().describe(`${description} Null when omitted.`);
const verdict = z
  .enum(VERDICTS)
  .describe(
    '`right`; `variant`: another pronunciation of many native speakers; `wrong`; `omitted`: not recognized in the recording.',
  );
const timeSpan = {
  start: seconds('Seconds from the start of the recording.'),
  end: seconds('Seconds from the start of the recording.'),
};

const Part = z
  .object({
    expected: z.string().describe('Empty for the onset of a syllable that begins with a vowel.'),
    heard: z.string().nullable().describe('The recognized sound; null when omitted.'),
    score: score('0 to 100.'),
    verdict,
  })
  .meta({ id: 'PronunciationPart' });

const Tone = z
  .object({
    expected: z.int(),
    heard: z.int().nullable(),
    score: score('0 to 100.'),
    verdict,
    contour: z
      .array(z.number())
      .describe("Pitch at equal distances, in semitones around the speaker's register; empty without a voiced part."),
  })
  .meta({ id: 'PronunciationTone' });

const Syllable = z
  .object({
    text: z.string().describe('The character in its spoken form: digits and letters are written out.'),
    expected: z.string().describe('The reading that was compared: of the accepted ones the nearest to the recording.'),
    heard: z.string().nullable().describe('The recognized syllable; null when omitted.'),
    score: score('0 to 100.'),
    verdict,
    rule: z
      .string()
      .nullable()
      .describe('Cantonese: the sound change of native speakers by which `heard` differs, such as `n/l`; else null.'),
    ...timeSpan,
    onset: Part,
    rime: Part,
    tone: Tone,
  })
  .meta({ id: 'PronunciationSyllable' });

const Word = z
  .object({
    text: z.string().describe('The word in its spoken form: numbers are written out.'),
    score: score('0 to 100.'),
    verdict,
    ...timeSpan,
    phonemes: z.array(Part.extend(timeSpan)).describe('ARPAbet phones without stress, in order.'),
  })
  .meta({ id: 'PronunciationWord' });

const Insertion = z
  .object({
    kind: z.enum(INSERTION_KINDS).describe('`repetition`: said again; `filler`: a hesitation, which costs little.'),
    heard: z.string().describe('Jyutping, pinyin or ARPAbet.'),
    start: z.number(),
    end: z.number(),
  })
  .describe('Speech that the text does not have.')
  .meta({ id: 'PronunciationInsertion' });
const Omission = z
  .object({ index: z.int(), text: z.string() })
  .describe('A part of the text that was not heard: its index in `syllables` or `words`.')
  .meta({ id: 'PronunciationOmission' });
const Reason = z
  .object({ code: z.enum(REASON_CODES), message: z.string() })
  .describe('Why the score does not pass, in a sentence.')
  .meta({ id: 'PronunciationReason' });

const summary = {
  success: z.literal(true),
  score: score('The overall score.'),
  passed: z
    .boolean()
    .describe(
      `Cantonese: the score is at least ${PASS_MARKS.cantonese}; English and Mandarin: at least ${PASS_MARKS.english}.`,
    ),
  reason: Reason.nullable(),
  insertions: z.array(Insertion),
  omissions: z.array(Omission),
};

const reading = {
  expectedText: z.string().describe('The text of the request.'),
  transcribedText: z.string().describe('The recognized text.'),
  wordScores: z.array(z.object({ word: z.string(), score: score('0 to 100.') })).describe('One for each word.'),
  accuracyScore: score('Accuracy of the spoken sounds.'),
  fluencyScore: score('Fluency: rate, pauses, repetitions.'),
  integrityScore: score('The share of the text that was spoken.'),
  pronunciationScore: score('The same as `score`.'),
};

const CantoneseScore = z
  .object({
    ...summary,
    language: z.literal('cantonese'),
    strictness: z.enum(STRICTNESSES).describe('The rule that was applied.'),
    expectedJyutping: z.string().describe('The usual reading of the text in jyutping.'),
    transcribedJyutping: z.string().describe('The recognized syllables of the whole recording in jyutping.'),
    syllables: z.array(Syllable),
  })
  .meta({ id: 'CantonesePronunciation' });

const MandarinScore = z
  .object({
    ...summary,
    language: z.literal('mandarin'),
    ...reading,
    wordScores: reading.wordScores.describe('One for each character.'),
    syllables: z.array(Syllable),
  })
  .meta({ id: 'MandarinPronunciation' });

const EnglishScore = z
  .object({ ...summary, language: z.literal('english'), ...reading, words: z.array(Word) })
  .meta({ id: 'EnglishPronunciation' });

/** The answer, discriminated by `language`. */
export const ScoreAnswer = z.discriminatedUnion('language', [CantoneseScore, MandarinScore, EnglishScore]);
