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
import { toAppError, type ErrorCode } from '@jyutsing/contracts/errors';
import { headerKey, type Authenticator, type Authorize, type Caller, type KeyRequirement } from './authentication.ts';
import type { BodyPace } from './body-pace.ts';
import type { OpenConnection } from './client-connection.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';
import type { ServerDeps } from './deps.ts';
import { logError } from './errors.ts';
import { IdempotencyHeaders } from './idempotency-key.ts';
import { HEADER_KEY, securityOf } from './openapi.ts';
import { errorResponses, KEY_ERRORS } from './openapi-errors.ts';
import type { RouteQuota } from './quota.ts';
import { RequestContext, type RouteContext } from './request-context.ts';

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
  options?: Pick<RouteOptions, 'constraints' | 'errorHandler' | 'exposeHeadRoute'>;
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
      const [first, ...further] = route.paths;
      const aliases = route.options?.constraints === undefined ? further : [];
      for (const url of route.paths) {
        scope.route({
          method: route.method,
          url,
          ...route.options,
          // Documented once, or clients would have a method for each path.
          schema:
            url === first
              ? { ...schemaOf(route, aliases), security: securityOf(route, deps.config.isLocal) }
              : { hide: true },
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
    ...(aliases.length === 0 ? {} : { 'x-aliases': aliases.map((path) => path.replaceAll(/:(\w+)/g, '{$1}')) }),
    ...(body.schema === undefined ? {} : { body: body.schema }),
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
      context.secret = secret;
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

/** A route without a body; the key is in a header. */
export const noBody: BodyReader<undefined> = {
  security: HEADER_KEY,
  async read({ request, authorize }) {
    return { caller: await authorize(headerKey(request)), input: undefined };
  },
};
