import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelDescription } from '@jyutsing/contracts/model-catalog';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import type { ServerDeps } from '#http/deps.ts';
import { noBody, type AddRoute } from '#http/route.ts';

const Model = z
  .object({
    id: z.string().describe('A value for the field `model` of a request.'),
    object: z.literal('model'),
    created: z.int().describe('Always 0: the creation time of a model is not known.'),
    owned_by: z.string().describe('The engine that runs it.'),
    ability: z.string().describe('The kind of model, such as `recognizer`.'),
    engine: z.string(),
    version: z.string(),
    languages: z.array(z.enum(LANGUAGES)),
  })
  .meta({ id: 'OpenAIModel' });

const ModelList = z.object({ object: z.literal('list'), data: z.array(Model) }).meta({ id: 'OpenAIModels' });

type RouteDeps = Pick<ServerDeps, 'models'>;

const TAGS = ['OpenAI-compatible'];
/** The list costs nothing to make, so it counts as a poll. */
const AUTH = { scope: null, rateLimit: 'poll' } as const;

/** The models that can be used now, in the shape of OpenAI's list. */
export function addOpenaiModelRoutes(addRoute: AddRoute, { models }: RouteDeps): void {
  const available = () => models.describeModels().filter((model) => model.available);
  addRoute({
    method: 'GET',
    paths: ['/v1/models'],
    docs: {
      tags: TAGS,
      summary: 'The models of this server',
      description: 'Those that can be used now.',
      ok: ModelList,
    },
    auth: AUTH,
    body: noBody,
    run: async () => ({ object: 'list', data: available().map(viewModel) }),
  });
  addRoute({
    method: 'GET',
    paths: ['/v1/models/:id'],
    docs: {
      tags: TAGS,
      summary: 'One model of this server',
      params: z.object({ id: z.string() }),
      ok: Model,
      errors: ['model_not_found'],
    },
    auth: AUTH,
    body: noBody,
    async run({ id }) {
      const model = available().find(({ name }) => name === id);
      if (model === undefined) throw new AppError('model_not_found');
      return viewModel(model);
    },
  });
}

function viewModel({ name, ability, engine, version, capabilities }: ModelDescription): z.output<typeof Model> {
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
