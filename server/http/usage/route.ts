import type { Administration } from '#features/accounts/administration.ts';
import type { ConcurrencyLimits } from '#http/concurrency-limits.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import { OwnUsageAnswer, viewOwnUsage } from './schema.ts';

/** Plan, quotas and usage of the caller's account, and what the caller's key may do. */
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
      summary: 'Plan, quotas and usage of the current period, and what the key may do',
      ok: OwnUsageAnswer,
    },
    auth: { scope: null, rateLimit: 'request' },
    body: noBody,
    run: async ({ caller }) => ({ usage: await administration.usage(caller.account.id), key: caller.key }),
    answer: async ({ usage, key }) => viewOwnUsage(usage, await concurrency.inUse(usage.account.id), key),
  });
}
