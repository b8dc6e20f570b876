import { z } from 'zod';
import type { Language } from '@jyutsing/contracts/transcript';
import { anyField, choiceField, numberField, textField, jsonKeyField } from '#http/json-fields.ts';

/** As the interface names them: Chinese is spoken as Cantonese. */
const LANGUAGE_NAMES = ['Chinese', 'English'] as const;
const SPOKEN_AS: Readonly<Record<(typeof LANGUAGE_NAMES)[number], Language>> = {
  Chinese: 'cantonese',
  English: 'english',
};

/** How much the melody varies, and how likely a choice must be to be taken, where nobody says otherwise. */
export const DEFAULT_SAMPLING = { temperature: 0.9, topP: 0.95 } as const;

/** The body of POST /api/tts-stream. */
export const StreamBody = z.object({
  api_key: jsonKeyField,
  text: textField('What is to be said.'),
  voice_id: textField('One of GET /api/voices.'),
  language: choiceField(LANGUAGE_NAMES, {
    default: 'Chinese',
    description: '`Chinese` is spoken as Cantonese. Also accepted as `lang`.',
  }),
  lang: choiceField(LANGUAGE_NAMES, { description: 'The same as `language`, which wins.' }),
  temperature: numberField(
    { min: 0, max: 2 },
    { default: DEFAULT_SAMPLING.temperature, description: 'How much the melody varies; 0: the same each time.' },
  ),
  top_p: numberField(
    { min: 0, max: 1, aboveMin: true },
    { default: DEFAULT_SAMPLING.topP, description: 'Only choices within this share of the probability are taken.' },
  ),
  model_id: anyField('Deprecated and ignored; sent back in `X-Model-Id-Ignored`.'),
});

/** What a caller of the stream asks for. */
export type StreamRequest = {
  text: string;
  voiceId: string;
  language: Language;
  temperature: number;
  topP: number;
  /** As sent, of whatever type; undefined when it was not. */
  modelId: unknown;
};

export function parseStreamRequest(body: z.output<typeof StreamBody>): StreamRequest {
  return {
    text: body.text,
    voiceId: body.voice_id,
    language: SPOKEN_AS[body.language ?? body.lang ?? 'Chinese'],
    temperature: body.temperature ?? DEFAULT_SAMPLING.temperature,
    topP: body.top_p ?? DEFAULT_SAMPLING.topP,
    modelId: body.model_id ?? undefined,
  };
}
