import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { ABILITIES } from '@jyutsing/contracts/abilities';
import type { LanguageAbility, ModelCatalog } from '@jyutsing/contracts/model-catalog';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import type { ServerDeps } from '#http/deps.ts';
import { OPENAI_MODELS } from '#http/known-model.ts';
import { noBody, type AddRoute } from '#http/route.ts';

const Model = z
  .object({
    id: z
      .string()
      .describe(
        'A value for the field `model` of a request, for recognizers and synthesizers; others cannot be chosen.',
      ),
    object: z.literal('model'),
    created: z.int().describe('Always 0: the creation time of a model is not known.'),
    owned_by: z.string().describe('The engine that runs it.'),
    ability: z.enum(ABILITIES).describe('The kind of model.'),
    engine: z.string(),
    version: z.string(),
    languages: z.array(z.enum(LANGUAGES)).describe('Empty for an ability that does not depend on the language.'),
    quality: z
      .partialRecord(z.enum(LANGUAGES), z.number())
      .optional()
      .describe('Above 0 and at most 100, as its engine states it: the best available model is used.'),
    hot_words: z
      .boolean()
      .optional()
      .describe(
        'Recognizers: words of `context` and of corpora that a request names are heard more easily; false: they only bias the correction.',
      ),
    alias_of: z
      .string()
      .optional()
      .describe("For OpenAI's names: the model that they mean, unless the language needs another."),
  })
  .meta({ id: 'OpenAIModel' });

const ModelList = z.object({ object: z.literal('list'), data: z.array(Model) }).meta({ id: 'OpenAIModels' });

type RouteDeps = Pick<ServerDeps, 'models'>;

const TAGS = ['OpenAI-compatible'];
/** The list costs nothing to make, so it counts as a poll. */
const AUTH = { scope: null, rateLimit: 'poll' } as const;

/** The models of all abilities that can be used now, in the shape of OpenAI's list. */
export function addOpenaiModelRoutes(addRoute: AddRoute, { models }: RouteDeps): void {
  addRoute({
    method: 'GET',
    paths: ['/v1/models'],
    docs: {
      tags: TAGS,
      operationId: 'listModels',
      summary: 'The models of this server',
      description:
        "Those of all abilities that can be used now, and OpenAI's names, which mean the best of them. Dated and later names of OpenAI and the name of an engine are accepted too.",
      ok: ModelList,
    },
    auth: AUTH,
    body: noBody,
    run: async () => ({ object: 'list', data: listModels(models) }),
  });
  addRoute({
    method: 'GET',
    paths: ['/v1/models/:id'],
    docs: {
      tags: TAGS,
      operationId: 'getModel',
      summary: 'One model of this server',
      params: z.object({ id: z.string() }),
      ok: Model,
      errors: ['model_not_found'],
    },
    auth: AUTH,
    body: noBody,
    async run({ id }) {
      const model = listModels(models).find((candidate) => candidate.id === id);
      if (model === undefined) throw new AppError('model_not_found');
      return model;
    },
  });
}

function listModels(catalog: ModelCatalog): z.output<typeof Model>[] {
  const chosen = catalog.describeModels().filter(({ available }) => available);
  const engines = catalog.describeEngines().filter(({ available }) => available);
  const named = chosen.map(({ name, ability, engine, version, capabilities }) => ({
    id: name,
    ...CONSTANT,
    owned_by: engine,
    ability,
    engine,
    version,
    languages: LANGUAGES.filter((language) => capabilities.languages[language] !== undefined),
    quality: capabilities.languages,
    ...(ability === 'recognizer' ? { hot_words: capabilities.hotWords === true } : {}),
  }));
  return [
    ...named,
    // An engine may have several abilities.
    ...engines.map(({ engine, ability, version }) => ({
      id: `${engine}-${ability}`,
      ...CONSTANT,
      owned_by: engine,
      ability,
      engine,
      version,
      languages: [],
    })),
    ...Object.entries(OPENAI_MODELS).flatMap(([ability, ids]) => {
      const best = bestOf(catalog, ability as LanguageAbility);
      const model = named.find(({ id, ability: its }) => id === best && its === ability);
      return model === undefined ? [] : ids.map((id) => ({ ...model, id, alias_of: model.id }));
    }),
  ];
}

const CONSTANT = { object: 'model', created: 0 } as const;

/** Returns the name of the best available model, or null when there is none. */
function bestOf(catalog: ModelCatalog, ability: LanguageAbility): string | null {
  try {
    return catalog.select(ability).model;
  } catch (refusal) {
    if (refusal instanceof AppError && refusal.code === 'engine_unavailable') return null;
    throw refusal;
  }
}
