import type { FastifyRequest } from 'fastify';
import type { Account, ApiKey, Plan, Scope } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import { hashKey } from '#features/accounts/api-keys.ts';
import { planOf } from '#features/accounts/plans.ts';
import { clientNetwork } from './client-network.ts';
import { createRateLimiter, type RateDecision, type RateLimiter } from './rate-limiter.ts';
import type { ServerDeps } from './deps.ts';

/** The owner of an accepted key. */
export type Caller = { account: Account; key: ApiKey; plan: Plan };

/**
 * Requirements of a route for the key. `scope` null: any key. Polls have a rate limit of their own.
 */
export type KeyRequirement = {
  scope: Scope | null;
  rateLimit: 'request' | 'poll';
  /** Without a key the route answers too, while only this machine can reach the server. */
  keyless?: 'locally';
  /** Throws `plan_required` for a plan without this route. */
  checkPlan?(plan: Plan): void;
};

export type Authenticator = {
  /**
   * Finds the owner of the key, checks rate limit, scope and plan, and sets the `X-RateLimit-*`
   * headers. Throws `missing_api_key`, `invalid_api_key`, `account_blocked`, `rate_limit_exceeded`,
   * `insufficient_scope`, `plan_required`.
   */
  authorize(
    secret: string | null,
    requirement: KeyRequirement,
    request: Pick<FastifyRequest, 'ip'>,
    reply: { header(name: string, value: number): unknown },
  ): Promise<Caller>;
  /**
   * Checks a key again during a long connection, without counting a request. Throws
   * `invalid_api_key` or `account_blocked`.
   */
  confirm(secret: string | null): Promise<void>;
};

/**
 * Refused keys per minute and IP address. Generous, because many people may share one address.
 * Requests with a valid key are never limited by it.
 */
const FAILURES_PER_MINUTE = 600;
/** Requests without a key per minute and IP address, where none is needed. */
const KEYLESS_PER_MINUTE = 600;

/** Reads every key from the store without a cache, so that a revoked key stops working at once. */
export function createAuthenticator(
  { store, config }: Pick<ServerDeps, 'store' | 'config'>,
  limiter: RateLimiter = createRateLimiter(),
): Authenticator {
  return {
    async authorize(secret, { scope, rateLimit, checkPlan, keyless }, request, reply) {
      if (secret === null && keyless === 'locally' && config.isLocal) {
        const requests = limiter.take(`keyless ${request.ip}`, KEYLESS_PER_MINUTE);
        if (!requests.allowed) throw tooMany(requests);
        return NOBODY;
      }
      const found = secret === null ? null : await store.keys.findByHash(hashKey(secret));
      if (found === null || found.account.blocked) {
        const failures = limiter.take(`failures ${clientNetwork(request.ip)}`, FAILURES_PER_MINUTE);
        if (!failures.allowed) throw tooMany(failures);
        if (found !== null) throw new AppError('account_blocked');
        throw new AppError(secret === null ? 'missing_api_key' : 'invalid_api_key');
      }
      const plan = planOf(config.plans, found.account.plan);
      const perMinute = rateLimit === 'poll' ? plan.pollsPerMinute : plan.requestsPerMinute;
      const rate = limiter.take(`${rateLimit} ${found.account.id}`, perMinute);
      reply.header('x-ratelimit-limit', rate.limit);
      reply.header('x-ratelimit-remaining', rate.remaining);
      reply.header('x-ratelimit-reset', rate.resetSeconds);
      if (!rate.allowed) throw tooMany(rate);
      if (scope !== null && !found.key.scopes.includes(scope)) throw missingScope(scope);
      checkPlan?.(plan);
      return { ...found, plan };
    },
    async confirm(secret) {
      const found = secret === null ? null : await store.keys.findByHash(hashKey(secret));
      if (found === null) throw new AppError('invalid_api_key');
      if (found.account.blocked) throw new AppError('account_blocked');
    },
  };
}

/** The caller of a request without a key: an account that does not exist and owns nothing. */
const NOBODY: Caller = {
  account: { id: '00000000-0000-0000-0000-000000000000', name: '', plan: '', blocked: false, createdAtMs: 0 },
  key: { id: '', accountId: '', name: '', prefix: '', scopes: [], revoked: false, createdAtMs: 0 },
  plan: {
    name: '',
    quotas: { stt_seconds: 0, tts_characters: 0, video_summaries: 0 },
    requestsPerMinute: 0,
    pollsPerMinute: 0,
    streamingTts: false,
    concurrent: { speech: 0, scores: 0, waits: 0, eventStreams: 0, live: 0 },
  },
};

function missingScope(scope: Scope): AppError {
  return new AppError(
    'insufficient_scope',
    `This API key has no permission for this endpoint; it lacks the scope "${scope}".`,
  );
}

/** The key in `x-api-key`, else in `Authorization: Bearer`; null when absent or blank. */
export function headerKey({ headers }: FastifyRequest): string | null {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own.trim() !== '') return own.trim();
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '');
  return bearer?.[1] ?? null;
}

/** The field `api_key` of a parsed JSON object; null when absent or blank. */
export function bodyKey(body: object): string | null {
  return 'api_key' in body && typeof body.api_key === 'string' ? nonBlank(body.api_key) : null;
}

/** The trimmed key, or null for a blank one. */
export function nonBlank(secret: string | undefined): string | null {
  const trimmed = secret?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function tooMany(rate: RateDecision): AppError {
  return new AppError('rate_limit_exceeded', undefined, { retryAfterSeconds: Math.max(1, rate.retryAfterSeconds) });
}
