import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { FALLBACK_ADVICE, FALLBACK_RECOGNIZER, type ModelDescription } from '@jyutsing/contracts/model-catalog';
import { ROLES } from '@jyutsing/contracts/roles';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { ModelPullView, viewPull } from '#http/admin/model-schema.ts';
import { errorResponses } from '#http/openapi-errors.ts';
import type { ServerDeps } from '#http/deps.ts';
import type { DiskSpace } from '#http/disk-space.ts';

const HealthAnswer = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    roles: z.array(z.enum(ROLES)).describe('What this process does.'),
    engines: z.array(
      z.object({
        ability: z.string(),
        name: z.string(),
        version: z.string(),
        languages: z.array(z.enum(LANGUAGES)),
        quality: z
          .literal('fallback')
          .optional()
          .describe('A built-in recognizer, usable for clear speech; pulled models are far better.'),
        message: z.string().optional().describe('How to get a better recognizer, where there is no other.'),
      }),
    ),
    unattended_classes: z
      .array(z.string())
      .optional()
      .describe('QUEUE_CLASSes whose recordings wait and that no process takes.'),
    storage_unavailable_since: z.iso
      .datetime()
      .optional()
      .describe('The S3 server does not answer. Accepted recordings wait, new ones are refused.'),
    model_pull: ModelPullView.optional(),
  })
  .meta({ id: 'Health' });

type RouteDeps = Pick<ServerDeps, 'blobs' | 'config' | 'isReady' | 'models' | 'modelPulls' | 'queue' | 'store'> & {
  disk: Pick<DiskSpace, 'check'>;
};

function viewFallback(available: readonly ModelDescription[]): { quality: 'fallback'; message?: string } {
  const isAlone = available.filter(({ ability }) => ability === 'recognizer').length === 1;
  return { quality: 'fallback', ...(isAlone ? { message: `This is ${FALLBACK_ADVICE}` } : {}) };
}

/** Health, without a key. */
export function healthRoutes({ blobs, config, isReady, models, modelPulls, queue, store, disk }: RouteDeps) {
  return async function routes(app: FastifyInstance): Promise<void> {
    const typed = app.withTypeProvider<ZodTypeProvider>();
    typed.get('/health', {
      schema: {
        tags: ['Server'],
        operationId: 'getHealth',
        summary: 'Whether the server takes requests',
        description:
          '503 while it starts or stops, when its database does not answer, is locked or full, or was deleted, and when the disk of DATA_DIR is full; the message says which. Answers within two seconds.',
        response: { 200: HealthAnswer, ...errorResponses('service_unavailable') },
      },
      config: { whileStarting: true },
      handler: async () => {
        if (!isReady()) throw new AppError('service_unavailable');
        await store.check().catch((cause: unknown) => {
          if (cause instanceof AppError) throw cause;
          throw new AppError('service_unavailable', 'The database does not answer.', { cause });
        });
        await disk.check();
        const available = models.describeModels().filter((model) => model.available);
        const engines = available.map(({ ability, name, version, capabilities: { languages } }) => ({
          ability,
          name,
          version,
          languages: LANGUAGES.filter((language) => languages[language] !== undefined),
          ...(ability === 'recognizer' && name === FALLBACK_RECOGNIZER ? viewFallback(available) : {}),
        }));
        const { version, roles } = config;
        const pull = modelPulls.status();
        const unattended = await queue.unattended();
        const outage = blobs.outageSince();
        return {
          status: 'ok' as const,
          version,
          roles: [...roles],
          engines,
          ...(unattended.length === 0 ? {} : { unattended_classes: unattended }),
          ...(outage === null ? {} : { storage_unavailable_since: outage.toISOString() }),
          ...(pull === null ? {} : { model_pull: viewPull(pull) }),
        };
      },
    });
  };
}
