import { z } from 'zod';
import type { Language } from '@jyutsing/contracts/transcript';
import { languageOfText } from '#features/synthesis/read-script.ts';
import { languageFromCode } from '#http/openai-transcriptions/language-code.ts';
import type { ModelSummary } from '#http/services.ts';
import { anyField, choiceField, numberField, optionalText, textField, jsonKeyField } from '#http/json-fields.ts';

const FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
export type SpeechResponseFormat = (typeof FORMATS)[number];

/** A voice by name, or OpenAI's object for one that somebody made. */
const voice = z
  .union([z.string(), z.object({ id: z.string() })], 'must be the id or the name of a voice')
  .nullish()
  .transform((sent) => ((typeof sent === 'string' ? sent : sent?.id) ?? '').toWellFormed().trim() || null)
  .meta({
    type: 'string',
    description:
      "Id or name of one of GET /api/voices, or one of OpenAI's names. Absent: a public voice of the language.",
  });

/** The body of POST /v1/audio/speech. Other fields of OpenAI's are ignored. */
export const SpeechBody = z.object({
  api_key: jsonKeyField,
  input: textField('What is to be said.'),
  model: optionalText(200, {
    description:
      'One of /v1/models that speaks. Names of OpenAI (`tts-1`, `gpt-4o-mini-tts` …) and `auto` mean the best.',
  }),
  voice,
  response_format: choiceField(FORMATS, {
    default: 'mp3',
    description: '`opus` is an Ogg file, `pcm` raw s16le, 24 kHz, mono.',
  }),
  speed: numberField({ min: 0.25, max: 4 }, { default: 1, description: "1: the voice's own rate." }),
  stream_format: choiceField(['audio', 'sse'], { default: 'audio', description: '`sse`: server-sent events.' }),
  instructions: anyField('Accepted and without effect.'),
  language: optionalText(20, {
    description:
      'Beyond OpenAI: `yue`, `zh`, `en`, or `cantonese`, `mandarin`, `english`. Absent: by the script of the input.',
  }).transform((code, context): Language | null => {
    const language = languageFromCode(code ?? 'auto');
    if (language !== null) return language === 'auto' ? null : language;
    context.addIssue('must be the code of Cantonese (yue, zh-HK), Mandarin (zh, cmn) or English (en)');
    return z.NEVER;
  }),
});

/** What a caller asks for. */
export type SpeechAsk = {
  text: string;
  language: Language;
  model: string;
  voice: string | null;
  format: SpeechResponseFormat;
  speed: number;
  asEvents: boolean;
};

export function viewSpeechAsk(body: z.output<typeof SpeechBody>, models: readonly ModelSummary[]): SpeechAsk {
  return {
    text: body.input,
    language: body.language ?? languageOfText(body.input),
    model: chosenModel(body.model ?? 'auto', models),
    voice: body.voice,
    format: body.response_format ?? 'mp3',
    speed: body.speed ?? 1,
    asEvents: body.stream_format === 'sse',
  };
}

/** OpenAI's names leave the choice to the server, unless a model here has that name. */
function chosenModel(name: string, models: readonly ModelSummary[]): string {
  const isOurs = models.some((each) => each.ability === 'synthesizer' && (each.name === name || each.engine === name));
  const isOfOpenAI = /^tts-1(-|$)/.test(name) || (name.startsWith('gpt-') && name.includes('tts'));
  return isOfOpenAI && !isOurs ? 'auto' : name;
}
