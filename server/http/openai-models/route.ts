import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { headerKey, type Authenticator } from '#http/authentication.ts';
import { errorResponses, HEADER_KEY, KEY_ERRORS } from '#http/openapi.ts';
import type { HttpServices, ModelSummary } from '#http/services.ts';

const Model = z
  .object({
    id: z.string().describe('What the field `model` of a request may name.'),
    object: z.literal('model'),
    created: z.int().describe('Always 0: when a model was made is not known.'),
    owned_by: z.string().describe('The engine that runs it.'),
    ability: z.string().describe('What it is for, such as `recognizer`.'),
    engine: z.string(),
    version: z.string(),
    languages: z.array(z.enum(LANGUAGES)),
  })
  .meta({ id: 'OpenAIModel' });

const ModelList = z.object({ object: z.literal('list'), data: z.array(Model) }).meta({ id: 'OpenAIModels' });

/** The models that can be used here and now, as OpenAI lists its own. Reading them costs nothing, so it counts as a poll. */
export function openaiModelRoutes(services: HttpServices, authenticator: Authenticator) {
  const admission = { scope: null, counted: 'poll' } as const;
  const available = () => services.models().filter((model) => model.available);
  return async function routes(app: FastifyInstance): Promise<void> {
    const typed = app.withTypeProvider<ZodTypeProvider>();
    typed.get('/v1/models', {
      schema: {
        tags: ['OpenAI-compatible'],
        summary: 'The models of this server',
        description: 'Those that can be used now.',
        security: HEADER_KEY,
        response: { 200: ModelList, ...errorResponses(...KEY_ERRORS) },
      },
      handler: async (request, reply) => {
        await authenticator.admit(headerKey(request), admission, request, reply);
        return { object: 'list' as const, data: available().map(viewModel) };
      },
    });
    typed.get('/v1/models/:id', {
      schema: {
        tags: ['OpenAI-compatible'],
        summary: 'One model of this server',
        security: HEADER_KEY,
        params: z.object({ id: z.string() }),
        response: { 200: Model, ...errorResponses(...KEY_ERRORS, 'model_not_found') },
      },
      handler: async (request, reply) => {
        await authenticator.admit(headerKey(request), admission, request, reply);
        const model = available().find(({ name }) => name === request.params.id);
        if (model === undefined) throw new AppError('model_not_found');
        return viewModel(model);
      },
    });
  };
}

function viewModel({ name, ability, engine, version, capabilities }: ModelSummary): z.output<typeof Model> {
  return {
    id: name,
    object: 'model',
    created: 0,
    owned_by: engine,
    ability,
    engine,
    version,
    languages: LANGUAGES.filter((language) => capabilities.languages[language] !== undefined),
  };
}
