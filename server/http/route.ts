import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  RouteOptions,
} from 'fastify';
import type { z } from 'zod';
import type { ConcurrentUse } from '@jyutsing/contracts/accounts';
import { AppError, toAppError, type ErrorCode } from '@jyutsing/contracts/errors';
import { headerKey, type Authenticator, type Caller, type KeyRequirement } from './authentication.ts';
import type { BodyPace } from './body-pace.ts';
import type { ClientConnection, OpenConnection } from './client-connection.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';
import type { ServerDeps } from './deps.ts';
import { logError } from './errors.ts';
import { fingerprintOf, idempotencyKeyFrom, IdempotencyHeaders } from './idempotency-key.ts';
import { HEADER_KEY } from './openapi.ts';
import { errorResponses, KEY_ERRORS } from './openapi-errors.ts';
import { withQuota, type RouteQuota } from './quota.ts';

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

/** How a route reads its key and its body: `noBody`, `jsonBody`, `strictJsonBody` or `formBody`. */
export type BodyReader<Input> = {
  /** The places in which the key may be sent, for the documentation. */
  security: ReadonlyArray<Record<string, string[]>>;
  config?: FastifyContextConfig;
  schema?: z.ZodType;
  /** Registers parsers in the scope of the route. */
  prepare?(scope: FastifyInstance): void;
  /** Calls `authorize` before it reports anything about the content. */
  read(unread: UnreadRequest): Promise<ReceivedBody<Input>>;
};

/** A request whose body was not read yet. */
export type UnreadRequest = {
  request: FastifyRequest;
  /** Checks a key; the same one only once for a request. */
  authorize: Authorize;
  /** How fast the body must arrive. */
  pace: BodyPace;
};

export type Authorize = (secret: string | null) => Promise<Caller>;
/** `dispose` deletes uploaded files. */
type ReceivedBody<Input> = { caller: Caller; input: Input; dispose?: () => Promise<void> };

export type RouteDocs = {
  tags: string[];
  /** The name of the method in generated clients: a verb and a noun, unique. */
  operationId: string;
  summary: string;
  description?: string;
  params?: z.ZodType;
  querystring?: z.ZodType;
  headers?: z.ZodType;
  /** The response with status 200. */
  ok: unknown;
  /** Errors beside those of the key and of every route. */
  errors?: readonly ErrorCode[];
};

/** One route: its requirements, one call of a feature, and the answer made of the result. */
export type Route<Input, Result> = {
  method: HTTPMethods;
  /** All paths answer alike. */
  paths: readonly string[];
  docs: RouteDocs;
  auth: KeyRequirement;
  body: BodyReader<Input>;
  quota?: RouteQuota;
  /** Counts every request of the route against the plan. */
  concurrent?: ConcurrentUse;
  config?: FastifyContextConfig;
  options?: Pick<RouteOptions, 'errorHandler' | 'exposeHeadRoute'>;
  /** Uploaded files exist until this ends. */
  run(context: RouteContext<Input>): Promise<Result>;
  /** Makes the body of the answer; without it the result is the body. */
  answer?(result: Result, context: RouteContext<Input>): unknown;
  /** `run` sends the whole answer with `connection.send`. */
  sends?: true;
};

export type AddRoute = <Input, Result>(route: Route<Input, Result>) => void;

type PipelineDeps = Pick<ServerDeps, 'config' | 'store' | 'logger'> & {
  authenticator: Authenticator;
  openConnection: OpenConnection;
  concurrency: ConcurrencyLimits;
};

/**
 * The pipeline of every route with a key: authorize, read the body, run, answer. Each route has a
 * scope of its own, because content type parsers apply to a whole scope.
 */
export function createPipeline(app: FastifyInstance, deps: PipelineDeps): AddRoute {
  return (route) => {
    app.register(async (scope) => {
      route.body.prepare?.(scope);
      const [first, ...aliases] = route.paths;
      for (const url of route.paths) {
        scope.route({
          method: route.method,
          url,
          ...route.options,
          // Documented once, or generated clients would have a method for each path.
          schema: url === first ? schemaOf(route, aliases) : { hide: true },
          config: { ...route.body.config, ...route.config },
          handler: (request, reply) => serve(deps, route, request, reply),
        });
      }
    });
  };
}

function schemaOf<Input, Result>({ docs, body, concurrent, quota }: Route<Input, Result>, aliases: readonly string[]) {
  const { ok, errors = [], ...documented } = docs;
  const limited: ErrorCode[] = concurrent === undefined ? [] : ['concurrency_exceeded'];
  const charged: ErrorCode[] = quota === undefined ? [] : ['request_in_progress', 'invalid_parameter'];
  return {
    ...documented,
    ...(quota === undefined ? {} : { headers: IdempotencyHeaders }),
    ...(aliases.length === 0 ? {} : { 'x-aliases': aliases }),
    ...(body.schema === undefined ? {} : { body: body.schema }),
    security: body.security,
    response: { 200: ok, ...errorResponses(...KEY_ERRORS, ...limited, ...charged, ...errors) },
  };
}

async function serve<Input, Result>(
  deps: PipelineDeps,
  route: Route<Input, Result>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const context = new RequestContext<Input>(deps, route, request, reply);
  // Opened before authorization, so that a server that closes waits for this request.
  if (route.sends) void context.connection;
  try {
    const callers = new Map<string | null, Promise<Caller>>();
    const authorize: Authorize = (secret) => {
      const caller = callers.get(secret) ?? deps.authenticator.authorize(secret, route.auth, request, reply);
      callers.set(secret, caller);
      return caller;
    };
    const { caller, input, dispose } = await route.body.read({ request, authorize, pace: deps.config.bodyPace });
    context.caller = caller;
    context.input = input;
    let result: Result;
    try {
      if (route.concurrent !== undefined) await context.occupy(route.concurrent);
      result = await route.run(context);
    } finally {
      await dispose?.();
    }
    if (route.sends) return reply;
    return route.answer === undefined ? result : await route.answer(result, context);
  } catch (failure) {
    if (!route.sends || !reply.raw.headersSent) throw failure;
    // The answer had begun, so the connection was cut; only the log can contain the reason.
    logError(toAppError(failure), request);
    return reply;
  } finally {
    context.closeConnection();
  }
}

/**
 * A class with methods: where each request has closures of its own as properties, V8 moves nearly
 * all that belongs to the request into the old generation, and a poll costs half as much again.
 * `npm run bench -- stt polling` shows it.
 */
class RequestContext<Input> implements RouteContext<Input> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly id: string;
  /** These two are known once the body was read. */
  caller!: Caller;
  input!: Input;
  readonly #deps: PipelineDeps;
  readonly #route: Pick<Route<never, never>, 'paths' | 'quota'>;
  #connection: ClientConnection | null = null;

  constructor(
    deps: PipelineDeps,
    route: Pick<Route<never, never>, 'paths' | 'quota'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
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
    return this.#deps.concurrency.occupy(use, this.caller, this.reply);
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

/** A route without a body; the key is in a header. */
export const noBody: BodyReader<undefined> = {
  security: HEADER_KEY,
  async read({ request, authorize }) {
    return { caller: await authorize(headerKey(request)), input: undefined };
  },
};
