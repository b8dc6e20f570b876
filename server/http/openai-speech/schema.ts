import { z } from 'zod';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { languageOfScript, type SpeechScript } from '#http/synthesis/speech-script.ts';
import { speechTextField } from '#http/synthesis/speech-text-field.ts';
import { spokenCorporaField } from '#http/corpus-ids.ts';
import { anyField, choiceField, apiKeyField, languageField, numberField, optionalText } from '#http/fields.ts';

const FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
type SpeechResponseFormat = (typeof FORMATS)[number];

/** A voice by name, or OpenAI's object for a custom voice. */
const voice = z
  .union([z.string(), z.object({ id: z.string() })], 'must be the id or the name of a voice')
  .nullish()
  .transform((input) => ((typeof input === 'string' ? input : input?.id) ?? '').toWellFormed().trim() || null)
  .meta({
    type: 'string',
    description:
      "Id or name of a voice of GET /api/voices, one of OpenAI's voice names, or `default`, `female`, `male`. Absent: a public voice of the language. The default voice speaks for an unknown UUID.",
  });

/** The body of POST /v1/audio/speech. OpenAI's other fields are ignored. */
export const SpeechBody = z.object({
  api_key: apiKeyField,
  input: speechTextField('The text to synthesize, or SSML, of which what is spoken counts.'),
  model: optionalText(200, {
    description:
      "A synthesis model of /v1/models. OpenAI's names (`tts-1`, `gpt-4o-mini-tts` …), `auto` and unknown ones mean the best.",
  }),
  voice,
  response_format: choiceField(FORMATS, {
    default: 'mp3',
    description: '`opus` is an Ogg file; `pcm` is raw s16le, 24 kHz, mono.',
  }),
  speed: numberField({ min: 0.25, max: 4 }, { default: 1, description: "1 is the voice's own rate." }),
  stream_format: choiceField(['audio', 'sse'], { default: 'audio', description: '`sse`: server-sent events.' }),
  instructions: anyField(
    'Words for a pace (slow, fast) or a mood (cheerful, calm, sad) in English or Chinese, followed as far as the model can.',
  ),
  language: languageField([...LANGUAGES, 'auto'], {
    description:
      'Not in OpenAI: `yue`, `cmn`, `en`, or `cantonese`, `mandarin`, `english`. Absent: that of the SSML, else detected from the text.',
  }),
  corpus_ids: spokenCorporaField,
  lang: languageField([...LANGUAGES, 'auto'], { description: 'Alias of `language`, which wins.' }),
});

type SpeechRequest = {
  language: Language;
  model: string | null;
  voice: string | null;
  format: SpeechResponseFormat;
  speed: number;
  asEvents: boolean;
};

export function parseSpeechRequest(body: z.output<typeof SpeechBody>, script: SpeechScript): SpeechRequest {
  return {
    language: LANGUAGES.find((language) => language === (body.language ?? body.lang)) ?? languageOfScript(script),
    model: body.model,
    voice: body.voice,
    format: body.response_format ?? 'mp3',
    speed: body.speed ?? 1,
    asEvents: body.stream_format === 'sse',
  };
}
