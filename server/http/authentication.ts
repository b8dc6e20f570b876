import type { FastifyRequest } from 'fastify';
import type { Account, ApiKey, Plan, Scope } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import { PUBLISHED_KEYS } from '@jyutsing/contracts/published-keys';
import type { RateDecision } from '@jyutsing/contracts/rate-limit';
import { isLoopback } from '#config/loopback.ts';
import { hashKey } from '#features/accounts/api-keys.ts';
import { readClientSecret } from '#features/accounts/client-secrets.ts';
import { planOf } from '#features/accounts/plans.ts';
import { clientNetwork } from './client-network.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import type { ServerDeps } from './deps.ts';

/** The owner of an accepted key. */
export type Caller = {
  account: Account;
  key: ApiKey;
  plan: Plan;
  /** The settings that the sessions of a client secret keep. */
  fixedSession?: Record<string, unknown>;
};

/**
 * Requirements of a route for the key. `scope` null: any key. Polls have a rate limit of their own.
 */
export type KeyRequirement = {
  scope: Scope | null;
  rateLimit: 'request' | 'poll';
  /** Client secrets are accepted too. */
  clientSecrets?: boolean;
  /** Without a key the route answers too, while only this machine can reach the server. */
  keyless?: 'locally';
  /** Throws `plan_required` for a plan without this route. */
  checkPlan?(plan: Plan): void;
};

/** Checks the key of a request, and returns its owner. */
export type Authorize = (secret: string | null) => Promise<Caller>;

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
   * Checks a key again during a connection, without counting a request. A client secret may have
   * expired meanwhile, but its sessions last two hours at most. Throws `invalid_api_key` or
   * `account_blocked`.
   */
  confirm(secret: string | null, openedAtMs: number): Promise<void>;
};

/**
 * Refused keys per minute and IP address. Generous, because many people may share one address.
 * Requests with a valid key are never limited by it.
 */
const FAILURES_PER_MINUTE = 600;
/** Requests without a key per minute and IP address, where none is needed. */
const KEYLESS_PER_MINUTE = 600;

/** The longest session of a client secret: what a browser holds must not stay open for days. */
const CLIENT_SECRET_SESSION_MS = 2 * 3_600_000;
const SESSION_OVER = 'A session of a client secret lasts two hours at most; open another one with a new secret.';
const EXPIRED = 'This client secret has expired; make another one.';
const PUBLISHED =
  'This is the key of the documentation, which everyone knows; it opens a service on its own machine only. Make another one there: npm run jyutsing -- keys create';
const LIVE_ONLY = 'A client secret opens live sessions only (/v1/realtime and /v1/listen); send an API key.';

/** Reads every key from the store without a cache, so that a revoked key stops working at once. */
export function createAuthenticator(
  { store, config }: Pick<ServerDeps, 'store' | 'config'>,
  limiter: RateLimiter = createRateLimiter(),
): Authenticator {
  const rates = store.sharedRates ?? limiter;
  /** An error says why there is no owner; `atMs`: when client secrets must be valid. */
  const ownerOf = async (secret: string | null, atMs: number): Promise<Omit<Caller, 'plan'> | AppError> => {
    if (isPublished(secret) && !config.isLocal) return new AppError('invalid_api_key', PUBLISHED);
    const found = secret === null ? null : await findKey(secret, atMs);
    if (found instanceof AppError) return found;
    if (found === null) return new AppError(secret === null ? 'missing_api_key' : 'invalid_api_key');
    return found.account.blocked ? new AppError('account_blocked') : found;
  };
  const findKey = async (secret: string, atMs: number): Promise<Omit<Caller, 'plan'> | AppError | null> => {
    const client = readClientSecret(secret);
    if (client === null) return store.keys.findByHash(hashKey(secret));
    const parent = await store.keys.find(client.keyId);
    if (parent === null || !client.isSignedWith(parent.sha256)) return null;
    if (client.expiresAtSeconds * 1_000 <= atMs) return new AppError('invalid_api_key', EXPIRED);
    return { key: parent.key, account: parent.account, fixedSession: client.session };
  };
  return {
    async authorize(secret, { scope, rateLimit, checkPlan, keyless, clientSecrets = false }, request, reply) {
      if (secret === null && keyless === 'locally' && config.isLocal) {
        const requests = limiter.take(`keyless ${request.ip}`, KEYLESS_PER_MINUTE);
        if (!requests.allowed) throw tooMany(requests);
        return NOBODY;
      }
      const isKnownToAll = isPublished(secret) && !isLoopback(request.ip);
      const found = isKnownToAll ? new AppError('invalid_api_key', PUBLISHED) : await ownerOf(secret, Date.now());
      if (found instanceof AppError) {
        const failures = limiter.take(`failures ${clientNetwork(request.ip)}`, FAILURES_PER_MINUTE);
        throw failures.allowed ? found : tooMany(failures);
      }
      const plan = planOf(config.plans, found.account.plan);
      const perMinute = rateLimit === 'poll' ? plan.pollsPerMinute : plan.requestsPerMinute;
      const rate = await rates.take(`${rateLimit} ${found.account.id}`, perMinute);
      reply.header('x-ratelimit-limit', rate.limit);
      reply.header('x-ratelimit-remaining', rate.remaining);
      reply.header('x-ratelimit-reset', rate.resetSeconds);
      if (!rate.allowed) throw tooMany(rate);
      if (found.fixedSession !== undefined && !clientSecrets) throw new AppError('insufficient_scope', LIVE_ONLY);
      if (scope !== null && !found.key.scopes.includes(scope)) throw missingScope(scope);
      checkPlan?.(plan);
      return { ...found, plan };
    },
    async confirm(secret, openedAtMs) {
      const found = await ownerOf(secret, 0);
      if (found instanceof AppError) throw found;
      if (found.fixedSession !== undefined && Date.now() > openedAtMs + CLIENT_SECRET_SESSION_MS) {
        throw new AppError('invalid_api_key', SESSION_OVER);
      }
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
    keptAudioMb: 0,
    storedTextMb: 0,
    concurrent: { speech: 0, scores: 0, waits: 0, eventStreams: 0, live: 0 },
  },
};

function missingScope(scope: Scope): AppError {
  return new AppError(
    'insufficient_scope',
    `This API key has no permission for this endpoint; it lacks the scope "${scope}".`,
  );
}

function isPublished(secret: string | null): boolean {
  return secret !== null && PUBLISHED_KEYS.includes(secret);
}

/** The key in `x-api-key`, else in `Authorization` (`Bearer` or `Token`); null if there is none. */
export function headerKey({ headers }: FastifyRequest): string | null {
  // The second is that of ElevenLabs' clients, the third that of Azure's.
  const apiKeyHeader = headers['x-api-key'] ?? headers['xi-api-key'] ?? headers['api-key'];
  if (typeof apiKeyHeader === 'string' && apiKeyHeader.trim() !== '') return apiKeyHeader.trim();
  const bearer = /^(?:Bearer|Token) +(\S+) *$/i.exec(headers.authorization ?? '');
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
