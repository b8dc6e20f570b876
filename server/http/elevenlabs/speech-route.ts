import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { spokenCorporaField } from '#http/corpus-ids.ts';
import { parseFields } from '#http/fields.ts';
import { jsonBody } from '#http/json-body.ts';
import { IGNORED_MODEL_HEADER } from '#http/known-model.ts';
import { speakRequest } from '#http/openai-speech/route.ts';
import { SpeechBody } from '#http/openai-speech/schema.ts';
import type { AddRoute } from '#http/route.ts';
import { IGNORED_SSML_HEADER } from '#http/synthesis/cast-script.ts';
import { SUBSTITUTED_VOICE_HEADER } from '#http/synthesis/find-voice.ts';
import { RAW_RATES_HZ, type RawSound } from '#http/synthesis/raw-sound.ts';
import { CHARGE_HEADER, SPEECH_AUTH, SPEECH_QUOTA, type SpeechDeps } from '#http/synthesis/speak.ts';
import { replyWithDetail } from './errors.ts';
import { addElevenLabsModelsRoute } from './models-route.ts';

const DESCRIPTION = `The request of ElevenLabs' clients, with the key in \`xi-api-key\`. \`output_format\`: \`mp3_…\`, \`opus_…\`, and \`pcm_…\`, \`wav_…\`,
\`ulaw_…\` or \`alaw_…\` with a rate. Costs what \`/v1/audio/speech\` costs.`;

const Body = z.object({
  text: z.string().describe('The text, or SSML.'),
  model_id: z.string().max(200).nullish(),
  language_code: z.string().max(100).nullish(),
  voice_settings: z.looseObject({ speed: z.number().min(0.25).max(4).nullish() }).nullish(),
  corpus_ids: spokenCorporaField,
});
const Query = z.object({ output_format: z.string().max(50).optional() });
const sound = { schema: z.string().meta({ format: 'binary' }) };
const MEDIA_TYPES = ['mpeg', 'ogg', 'wav', 'l16', 'mulaw', 'alaw'];
const CONTENT = Object.fromEntries(MEDIA_TYPES.map((type) => [`audio/${type}`, sound]));

/** The routes with which ElevenLabs' clients speak, and the list of the models that do. */
export function addElevenLabsSpeakingRoutes(addRoute: AddRoute, deps: SpeechDeps): void {
  addElevenLabsSpeechRoute(addRoute, deps);
  addElevenLabsModelsRoute(addRoute, deps);
}

/** POST /v1/text-to-speech/{voice}, also with /stream, as ElevenLabs' clients speak it. */
function addElevenLabsSpeechRoute(addRoute: AddRoute, deps: SpeechDeps): void {
  addRoute({
    method: 'POST',
    paths: ['/v1/text-to-speech/:id', '/v1/text-to-speech/:id/stream'],
    docs: {
      tags: ['Speech'],
      operationId: 'speakForElevenLabs',
      summary: 'Synthesize a text for clients of ElevenLabs',
      description: DESCRIPTION,
      params: z.object({ id: z.string() }),
      querystring: Query,
      ok: {
        description: 'The sound.',
        content: CONTENT,
      },
    },
    auth: SPEECH_AUTH,
    body: jsonBody(Body, { example: { text: '早晨，今日天氣好好。', model_id: 'eleven_v3' } }),
    quota: SPEECH_QUOTA,
    concurrent: 'speech',
    config: {
      role: 'speak',
      answerHeaders: { ...CHARGE_HEADER, ...SUBSTITUTED_VOICE_HEADER, ...IGNORED_MODEL_HEADER, ...IGNORED_SSML_HEADER },
    },
    options: { errorHandler: replyWithDetail },
    sends: true,
    async run(context) {
      const { input, request } = context;
      const { output_format: output = 'mp3_44100_128' } = parseFields(Query, request.query, 'invalid_parameter');
      const raw = rawSoundOf(output);
      const order = SpeechBody.safeParse({
        input: input.text,
        voice: (request.params as { id: string }).id,
        model: input.model_id ?? undefined,
        language: input.language_code ?? undefined,
        speed: input.voice_settings?.speed ?? undefined,
        corpus_ids: input.corpus_ids,
        response_format: raw === null ? fileFormatOf(output) : 'pcm',
      });
      if (!order.success) {
        const [issue] = order.error.issues;
        throw new AppError(
          'invalid_parameter',
          `The field "${NAMES[String(issue?.path[0])] ?? 'text'}" ${issue?.message ?? ''}.`,
        );
      }
      await speakRequest(context, order.data, deps, raw);
    },
  });
}

/** The fields of a refusal as the client named them. */
const NAMES: Readonly<Record<string, string>> = { input: 'text', language: 'language_code', model: 'model_id' };

const RAW = {
  pcm: { encoding: 'linear16', container: 'none' },
  wav: { encoding: 'linear16', container: 'wav' },
  ulaw: { encoding: 'mulaw', container: 'none' },
  alaw: { encoding: 'alaw', container: 'none' },
} as const;

/** The samples that a name such as `pcm_16000` asks for; null: it names none. */
function rawSoundOf(output: string): RawSound | null {
  const [name, rate] = output.split('_');
  const kind = (['pcm', 'wav', 'ulaw', 'alaw'] as const).find((one) => one === name);
  if (kind === undefined || !RAW_RATES_HZ.includes(Number(rate))) return null;
  return { ...RAW[kind], sampleRateHz: Number(rate) };
}

/** The file that a name such as `mp3_44100_128` asks for. Throws `invalid_parameter`. */
function fileFormatOf(output: string): 'mp3' | 'opus' {
  const format = /^(mp3|opus)_/.exec(output)?.[1];
  if (format === 'mp3' || format === 'opus') return format;
  const rates = RAW_RATES_HZ.join(', ');
  throw new AppError(
    'invalid_parameter',
    `The field "output_format" must be mp3_… or opus_…, or pcm_, wav_, ulaw_ or alaw_ with a rate of ${rates}.`,
  );
}
