import type { IncomingMessage } from 'node:http';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { headerKey, type Authenticator } from '#http/authentication.ts';
import type { ConcurrencyLimits } from '#http/concurrency-limits.ts';
import { HEADER_KEY } from '#http/openapi.ts';
import { withoutOpenaiPrefix } from '#http/openai-prefix.ts';
import { errorResponses, KEY_ERRORS } from '#http/openapi-errors.ts';
import type { LiveConnections, LiveProtocol, LiveSocket } from './live-connections.ts';
import type { LiveClient } from './live-stream.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client of a WebSocket whose key was accepted. */
    liveClient: LiveClient | null;
  }
}

type LiveRoute = {
  path: string;
  docs: { operationId: string; summary: string; description: string; querystring?: object };
  /** Client secrets open it too. */
  clientSecrets?: boolean;
  /** Speech that is made rather than heard. */
  speaks?: boolean;
  /** Throws for a request that cannot be served, before the connection is a WebSocket. */
  prepare(request: FastifyRequest): (client: LiveClient, connection: LiveSocket) => LiveProtocol;
};

const TAGS = ['Live'];
const RATE_LIMIT = 'request';
const KEY_PROTOCOL = 'openai-insecure-api-key.';

/** Registers WebSockets: the largest message, and the subprotocol that is accepted. */
export function acceptWebSockets(app: FastifyInstance, maxMessageBytes: number): void {
  app.decorateRequest('liveClient', null);
  app.register(websocket, {
    options: {
      maxPayload: maxMessageBytes,
      // The others of a browser contain its key.
      handleProtocols: (offered) => ['realtime', 'token', 'bearer'].find((name) => offered.has(name)) ?? false,
    },
    // The connections end in order by themselves.
    preClose: (done) => done(),
    errorHandler: (_error, socket) => socket.terminate(),
  });
}

/** True for requests that become a WebSocket; others with an `Upgrade` are answered as usual. */
export function isWebSocket(request: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  return (
    request.headers.upgrade?.toLowerCase() === 'websocket' &&
    /^\/(?:v1\/realtime|v[12]\/(?:listen|speak))\/?(?:\?|$)/.test(withoutOpenaiPrefix(request))
  );
}

/** The dependencies of every live route. */
export type LiveRouteDeps = {
  authenticator: Authenticator;
  connections: LiveConnections;
  concurrency: ConcurrencyLimits;
};

/** Adds a route for clients that open a WebSocket; its refusals have their status and body. */
export function addLiveRoute(
  app: FastifyInstance,
  { path, docs, clientSecrets = false, speaks = false, prepare }: LiveRoute,
  { authenticator, connections, concurrency }: LiveRouteDeps,
): void {
  const requirement = { scope: speaks ? 'tts' : 'stt', rateLimit: RATE_LIMIT, clientSecrets } as const;
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<LiveClient> => {
    const secret = liveKey(request);
    const caller = await authenticator.authorize(secret, requirement, request, reply);
    const openedAtMs = Date.now();
    return { caller, confirm: () => authenticator.confirm(secret, openedAtMs) };
  };
  app.register(async (scope) => {
    scope.route({
      method: 'GET',
      url: path,
      exposeHeadRoute: false,
      ...(speaks ? { config: { role: 'speak' as const } } : {}),
      schema: {
        tags: TAGS,
        ...docs,
        security: HEADER_KEY,
        response: {
          101: z.never().describe('The connection is a WebSocket.'),
          ...errorResponses(...KEY_ERRORS, 'concurrency_exceeded'),
        },
      },
      async preHandler(request, reply) {
        request.liveClient = await admit(request, reply);
        // First: clients whose upgrade is refused ask again without it for the reason.
        prepare(request);
        if (!request.ws) throw new AppError('invalid_request', 'Open this address as a WebSocket.');
        await concurrency.occupy('live', request.liveClient.caller, { raw: request.raw.socket });
      },
      handler: () => {
        throw new AppError('invalid_request', 'Open this address as a WebSocket.');
      },
      wsHandler(socket, request) {
        const client = request.liveClient;
        if (client === null) socket.terminate();
        else connections.serve(socket, request.id, (connection) => prepare(request)(client, connection));
      },
    });
  });
}

/** The key in a header; browsers cannot set headers of a WebSocket and send it as a subprotocol. */
function liveKey(request: FastifyRequest): string | null {
  const offered = String(request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim());
  const protocolKey = offered.find((name) => name.startsWith(KEY_PROTOCOL))?.slice(KEY_PROTOCOL.length);
  // Deepgram's client offers `token` or `bearer`, and then the key.
  const next = ['token', 'bearer'].includes(offered[0] ?? '') ? offered[1] : undefined;
  return headerKey(request) ?? protocolKey ?? next ?? null;
}
