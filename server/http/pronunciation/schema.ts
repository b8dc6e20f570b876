import { z } from 'zod';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { PASS_MARKS, VERDICTS } from '@jyutsing/contracts/pronunciation';
import { apiKeyField, audioFile, choiceField, parseFields, textField } from '#http/fields.ts';
import type { FormFields } from '#http/upload.ts';

/** Code points; a minute of speech has a few hundred. */
export const MAX_TARGET_CHARACTERS = 1_000;
const DEFAULT_LANGUAGE: Language = 'cantonese';

const Fields = z.object({
  text: textField('What the recording should say, at most a thousand characters.', MAX_TARGET_CHARACTERS),
  language: choiceField(LANGUAGES, {
    default: DEFAULT_LANGUAGE,
    description: 'The language of the text. Also `lang`.',
  }),
});

/** The form, for the documentation. */
export const ScoreForm = z.object({
  api_key: apiKeyField,
  audio: audioFile.meta({
    description:
      'The recording: wav, mp3, m4a, flac or ogg, decided by its content; at most 10 MiB, 0.1 to 60 seconds of one person who speaks.',
    format: 'binary',
  }),
  ...Fields.shape,
});

/** The fields that a handler keeps. */
export const FIELD_NAMES: ReadonlySet<string> = new Set(['api_key', 'text', 'language', 'lang']);

export type ScoreRequest = { text: string; language: Language };

/** The form without its file; `lang` counts where there is no `language`, and blank says as much as absent. Throws `invalid_request`. */
export function parseScoreForm(fields: FormFields): ScoreRequest {
  const language = [fields.get('language'), fields.get('lang')].find((sent) => (sent ?? '').trim() !== '');
  const sent = new Map([...fields].filter(([name]) => name === 'text'));
  if (language !== undefined) sent.set('language', language);
  const form = parseFields(Fields, Object.fromEntries(sent));
  return { text: form.text, language: form.language ?? DEFAULT_LANGUAGE };
}

const score = (description: string) => z.number().min(0).max(100).describe(description);
const seconds = (description: string) => z.number().nullable().describe(`${description} Null when it was left out.`);
const verdict = z
  .enum(VERDICTS)
  .describe(
    '`right`; `variant`: another pronunciation that many native speakers use; `wrong`; `omitted`: nothing of it was heard.',
  );
const place = {
  start: seconds('Seconds from the start of the recording.'),
  end: seconds('Seconds from the start of the recording.'),
};

const Part = z.object({
  expected: z.string().describe('Empty for the onset of a syllable that begins with a vowel.'),
  heard: z.string().nullable().describe('What was said in its place; null when it was left out.'),
  score: score('0 to 100.'),
  verdict,
});

const Tone = z
  .object({
    expected: z.int(),
    heard: z.int().nullable(),
    score: score('0 to 100.'),
    verdict,
    contour: z
      .array(z.number())
      .describe(
        "The measured pitch from the start to the end of the syllable's voiced part at equal distances, in semitones around the speaker's " +
          'own register; empty where nothing is voiced.',
      ),
  })
  .meta({ id: 'PronunciationTone' });

const Syllable = z
  .object({
    text: z.string().describe('The character as it is spoken: digits and letters are written out.'),
    expected: z.string().describe('The reading it was judged by: of the accepted ones the nearest to what was heard.'),
    heard: z.string().nullable().describe('What was really said in its place; null when it was left out.'),
    score: score('0 to 100.'),
    verdict,
    ...place,
    onset: Part,
    rime: Part,
    tone: Tone,
  })
  .meta({ id: 'PronunciationSyllable' });

const Word = z
  .object({
    text: z.string().describe('The word as it is spoken: numbers are written out.'),
    score: score('0 to 100.'),
    verdict,
    ...place,
    phonemes: z.array(Part.extend(place)).describe('ARPAbet phones without stress, in order.'),
  })
  .meta({ id: 'PronunciationWord' });

const summary = {
  success: z.literal(true),
  score: score('The whole.'),
  passed: z
    .boolean()
    .describe(
      `Cantonese: the score is at least ${PASS_MARKS.cantonese}; English and Mandarin: at least ${PASS_MARKS.english}.`,
    ),
};

const reading = {
  expectedText: z.string().describe('The text as it was sent.'),
  transcribedText: z.string().describe('The text that was really heard.'),
  wordScores: z.array(z.object({ word: z.string(), score: score('0 to 100.') })).describe('One for each word.'),
  accuracyScore: score('How right the sounds of what was said are.'),
  fluencyScore: score('How fluently it was said: rate, pauses, repetitions.'),
  integrityScore: score('How much of the text was said.'),
  pronunciationScore: score('The same as `score`.'),
};

const CantoneseScore = z
  .object({
    ...summary,
    language: z.literal('cantonese'),
    expectedJyutping: z.string().describe('How the text is usually read, in jyutping.'),
    transcribedJyutping: z.string().describe('What was really heard from beginning to end, in jyutping.'),
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

/** The answer; its `language` tells which of the three it is. */
export const ScoreAnswer = z.discriminatedUnion('language', [CantoneseScore, MandarinScore, EnglishScore]);
