import { z } from 'zod';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import type { ServerDeps } from '#http/deps.ts';
import { MAX_TEXT_CHARACTERS } from '#http/fields.ts';
import { LANGUAGE_CODES } from '#http/openai-transcriptions/language-code.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import { replyWithDetail } from './errors.ts';

const Model = z
  .object({
    model_id: z.string().describe('A value for `model_id` of a speech request.'),
    name: z.string(),
    can_do_text_to_speech: z.literal(true),
    can_do_voice_conversion: z.literal(false),
    can_be_finetuned: z.literal(false),
    languages: z.array(z.object({ language_id: z.enum(Object.values(LANGUAGE_CODES)), name: z.enum(LANGUAGES) })),
    maximum_text_length_per_request: z.int(),
  })
  .meta({ id: 'ElevenLabsModel' });

/** GET /v1/models for requests with the header of ElevenLabs' clients: a bare list. */
export function addElevenLabsModelsRoute(addRoute: AddRoute, { models }: Pick<ServerDeps, 'models'>): void {
  addRoute({
    method: 'GET',
    paths: ['/elevenlabs/v1/models', '/v1/models'],
    docs: {
      tags: ['Speech'],
      operationId: 'listModelsForElevenLabs',
      summary: 'The models that speak, for clients of ElevenLabs',
      description: 'With the key in `xi-api-key` also at `/v1/models`.',
      ok: z.array(Model),
    },
    auth: { scope: null, rateLimit: 'poll' },
    body: noBody,
    options: { errorHandler: replyWithDetail, constraints: { family: 'elevenlabs' } },
    run: async () => models.describeModels().filter(({ ability, available }) => ability === 'synthesizer' && available),
    answer: (found): z.output<typeof Model>[] =>
      found.map(({ name, capabilities }) => ({
        model_id: name,
        name,
        can_do_text_to_speech: true,
        can_do_voice_conversion: false,
        can_be_finetuned: false,
        languages: LANGUAGES.filter((language) => capabilities.languages[language] !== undefined).map((language) => ({
          language_id: LANGUAGE_CODES[language],
          name: language,
        })),
        maximum_text_length_per_request: MAX_TEXT_CHARACTERS,
      })),
  });
}
