import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConcurrentUse } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import type { Authenticator, Caller } from './authentication.ts';
import type { ClientConnection, OpenConnection } from './client-connection.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';
import type { ServerDeps } from './deps.ts';
import { fingerprintOf, idempotencyKeyFrom } from './idempotency-key.ts';
import { withQuota, type RouteQuota } from './quota.ts';
import { watchKey } from './watch-key.ts';

/** A request whose key was accepted and whose body was read. */
export type RouteContext<Input> = {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller;
  input: Input;
  /** The parameter `:id` of the path; empty when the path has none. */
  id: string;
  /** Opened on first use. */
  readonly connection: ClientConnection;
  /** Counts the request against the plan until its answer ends; see `ConcurrencyLimits`. */
  occupy(use: ConcurrentUse): Promise<void>;
  /** Reserves `amount` of the route's quota for the time of `work`; see `withQuota`. */
  charge<Result>(amount: number, work: (amount: number) => Promise<Result>): Promise<Result>;
};

type ContextDeps = Pick<ServerDeps, 'store' | 'logger'> & {
  authenticator: Authenticator;
  openConnection: OpenConnection;
  concurrency: ConcurrencyLimits;
};

/** The declarations of a route that its contexts use. */
type ChargedRoute = { paths: readonly string[]; quota?: RouteQuota };

/**
 * A class with methods: where each request has closures of its own as properties, V8 moves nearly
 * all that belongs to the request into the old generation, and a poll costs half as much again.
 * `npm run bench -- stt polling` shows it.
 */
export class RequestContext<Input> implements RouteContext<Input> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly id: string;
  /** These two are known once the body was read. */
  caller!: Caller;
  input!: Input;
  /** The last key that was checked is that of the caller. */
  secret: string | null = null;
  readonly #deps: ContextDeps;
  readonly #route: ChargedRoute;
  #connection: ClientConnection | null = null;
  #watch: NodeJS.Timeout | null = null;

  constructor(deps: ContextDeps, route: ChargedRoute, request: FastifyRequest, reply: FastifyReply) {
    this.request = request;
    this.reply = reply;
    this.id = (request.params as { id?: string }).id ?? '';
    this.#deps = deps;
    this.#route = route;
  }

  get connection(): ClientConnection {
    return (this.#connection ??= this.#deps.openConnection(this.reply));
  }

  occupy(use: ConcurrentUse): Promise<void> {
    this.#endWithKey();
    return this.#deps.concurrency.occupy(use, this.caller, this.reply);
  }

  /** Requests that last as long as to be counted end when their key is revoked. */
  #endWithKey(): void {
    const { secret } = this;
    const { raw } = this.reply;
    if (secret === null || this.#watch !== null || raw.destroyed) return;
    const openedAtMs = Date.now();
    const watch = watchKey(
      () => this.#deps.authenticator.confirm(secret, openedAtMs),
      () => raw.destroy(),
    );
    this.#watch = watch;
    raw.once('close', () => clearInterval(watch));
  }

  charge<Result>(amount: number, work: (amount: number) => Promise<Result>): Promise<Result> {
    const { paths, quota } = this.#route;
    if (quota === undefined) throw new AppError('internal_error', 'This route declares no quota.');
    const { caller, connection } = this;
    const key = idempotencyKeyFrom(this.request.headers);
    const idempotency = key === null ? undefined : { key, requestSha256: fingerprintOf(paths[0] ?? '', this.input) };
    return withQuota(this.#deps, { ...quota, caller, amount, hasLeft: connection.hasLeft, idempotency }, work);
  }

  closeConnection(): void {
    this.#connection?.[Symbol.dispose]();
  }
}
