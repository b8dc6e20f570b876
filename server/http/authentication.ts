import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account, ApiKey, Plan, Scope } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import { hashKey } from '#features/accounts/api-keys.ts';
import { planOf } from '#features/accounts/plans.ts';
import { createRateLimiter, type RateDecision, type RateLimiter } from './rate-limiter.ts';
import type { HttpServices } from './services.ts';

/** Who sends a request, once the key is known to be good. */
export type Caller = { account: Account; key: ApiKey; plan: Plan };

/** What a route asks of its caller. `scope` null: any key. Polls are counted apart from other requests. */
export type Admission = { scope: Scope | null; counted: 'request' | 'poll' };

export type Authenticator = {
  /**
   * Who owns this key, admitted to the route. Sets the `X-RateLimit-*` headers.
   * Throws `missing_api_key`, `invalid_api_key`, `account_blocked`, `insufficient_scope`, `rate_limit_exceeded`.
   */
  admit(secret: string | null, admission: Admission, request: FastifyRequest, reply: FastifyReply): Promise<Caller>;
};

/** Bad keys from one address; generous, because many people may share one. Good keys are never held back by it. */
const FAILURES_PER_MINUTE = 600;

/** Every request asks the store: a key that is revoked stops at once, which a cache could not promise. */
export function createAuthenticator(
  { store, config }: Pick<HttpServices, 'store' | 'config'>,
  limiter: RateLimiter = createRateLimiter(),
): Authenticator {
  return {
    async admit(secret, { scope, counted }, request, reply) {
      const found = secret === null ? null : await store.keys.findByHash(hashKey(secret));
      if (found === null || found.account.blocked) {
        const failures = limiter.take(`failures ${request.ip}`, FAILURES_PER_MINUTE);
        if (!failures.allowed) throw tooMany(failures);
        if (found !== null) throw new AppError('account_blocked');
        throw new AppError(secret === null ? 'missing_api_key' : 'invalid_api_key');
      }
      const plan = planOf(config.plans, found.account.plan);
      const perMinute = counted === 'poll' ? plan.pollsPerMinute : plan.requestsPerMinute;
      const rate = limiter.take(`${counted} ${found.account.id}`, perMinute);
      reply.header('x-ratelimit-limit', rate.limit);
      reply.header('x-ratelimit-remaining', rate.remaining);
      reply.header('x-ratelimit-reset', rate.resetSeconds);
      if (!rate.allowed) throw tooMany(rate);
      if (scope !== null && !found.key.scopes.includes(scope)) throw new AppError('insufficient_scope');
      return { ...found, plan };
    },
  };
}

/** The key in the headers: `x-api-key` before `Authorization: Bearer`. Null when there is none or it is blank. */
export function headerKey({ headers }: FastifyRequest): string | null {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own.trim() !== '') return own.trim();
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '');
  return bearer?.[1] ?? null;
}

/** The field `api_key` of a JSON body that was parsed already; null when there is none or it is blank. */
export function bodyKey({ body }: FastifyRequest): string | null {
  if (typeof body !== 'object' || body === null || !('api_key' in body)) return null;
  return typeof body.api_key === 'string' ? nonBlank(body.api_key) : null;
}

/** A key that was sent, or null for a blank one. */
export function nonBlank(secret: string | undefined): string | null {
  const trimmed = secret?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function tooMany(rate: RateDecision): AppError {
  return new AppError('rate_limit_exceeded', undefined, { retryAfterSeconds: Math.max(1, rate.retryAfterSeconds) });
}
