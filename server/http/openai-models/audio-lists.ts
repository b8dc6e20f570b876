import { z } from 'zod';
import type { ServerDeps } from '#http/deps.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import { VOICES_BY_OPENAI_NAME } from '#http/openai-speech/openai-voices.ts';

const Voices = z
  .object({ voices: z.array(z.object({ id: z.string(), name: z.string() })) })
  .meta({ id: 'OpenAIAudioVoices' });
const Models = z
  .object({ models: z.array(z.object({ id: z.string(), name: z.string() })) })
  .meta({ id: 'OpenAIAudioModels' });

const TAGS = ['OpenAI-compatible'];
/** Older versions of Open WebUI send no key for these lists. */
const AUTH = { scope: null, rateLimit: 'poll', keyless: 'locally' } as const;
/** The name of OpenAI that always means the best model of this server. */
const DEFAULT_MODEL = 'tts-1';

type RouteDeps = Pick<ServerDeps, 'models' | 'voices'>;

/** The lists that Open WebUI reads: values for `voice` and `model` of /v1/audio/speech. */
export function addAudioListRoutes(addRoute: AddRoute, { models, voices }: RouteDeps): void {
  addRoute({
    method: 'GET',
    paths: ['/v1/audio/voices'],
    docs: {
      tags: TAGS,
      operationId: 'listOpenAiVoices',
      summary: 'The voices for /v1/audio/speech',
      description: `Those that the account can use, then OpenAI's names. Without a key the public ones.`,
      ok: Voices,
    },
    auth: AUTH,
    body: noBody,
    run: ({ caller }) => voices.list(caller.account.id),
    answer: (found) => ({
      voices: [
        ...found.map(({ id, name }) => ({ id, name })),
        ...Object.keys(VOICES_BY_OPENAI_NAME).map((name) => ({ id: name, name })),
      ],
    }),
  });
  addRoute({
    method: 'GET',
    paths: ['/v1/audio/models'],
    docs: {
      tags: TAGS,
      operationId: 'listOpenAiSpeechModels',
      summary: 'The models for /v1/audio/speech',
      description: `The synthesis models that can be used now; \`${DEFAULT_MODEL}\` is the best of them.`,
      ok: Models,
    },
    auth: AUTH,
    body: noBody,
    async run() {
      const available = models.describeModels().filter((model) => model.ability === 'synthesizer' && model.available);
      return { models: [DEFAULT_MODEL, ...available.map(({ name }) => name)].map((id) => ({ id, name: id })) };
    },
  });
}
