import type { Administration } from '#features/accounts/administration.ts';
import type { ConcurrencyLimits } from '#http/concurrency-limits.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import { UsageAnswer, viewUsage } from './schema.ts';

/** Plan, quotas and usage of the caller's account. */
export function addUsageRoute(
  addRoute: AddRoute,
  administration: Pick<Administration, 'usage'>,
  concurrency: Pick<ConcurrencyLimits, 'inUse'>,
): void {
  addRoute({
    method: 'GET',
    paths: ['/api/usage'],
    docs: {
      tags: ['Account'],
      operationId: 'getUsage',
      summary: 'Plan, quotas and usage of the current period',
      ok: UsageAnswer,
    },
    auth: { scope: null, rateLimit: 'request' },
    body: noBody,
    run: ({ caller }) => administration.usage(caller.account.id),
    answer: async (usage) => viewUsage(usage, await concurrency.inUse(usage.account.id)),
  });
}
