import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebStandardStreamableHTTPServerTransport as StreamableHttp } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';
import { Jyutsing } from '@jyutsing/client';
import { AppError } from '@jyutsing/contracts/errors';
import { bodyKey, headerKey } from '#http/authentication.ts';
import type { ServerDeps } from '#http/deps.ts';
import { readKeyedBody } from '#http/json-body.ts';
import { HEADER_KEY } from '#http/openapi.ts';
import type { AddRoute, BodyReader } from '#http/route.ts';
import { EMBEDDED_FILE_MEANING, openEmbeddedFile } from '#mcp/embedded-file.ts';
import { sendAgreedContents, UNNAMED_VERSION } from '#mcp/agreed-contents.ts';
import { EVENT_STREAM_TYPE } from '#http/server-sent-events.ts';
import { createInProcessFetch, headerPairs } from './in-process-fetch.ts';

const DESCRIPTION = `The Model Context Protocol over streamable HTTP, for assistants: tools \`transcribe\`, \`speak\`, \`score\`, \`jyutping\`,
\`summarize\`, \`search\`, and transcripts as resources. Each tool needs the scope and costs the quota of its route. No server has state:
a session id only relates a cancellation to its call.`;

/** A recording in base64 of a message is in memory; larger ones are given by their address. */
const MAX_MESSAGE_BYTES = 16 * 1024 ** 2 + 64 * 1024;
const SESSION_HEADER = 'mcp-session-id';
const VERSION_HEADER = 'mcp-protocol-version';
const JSON_TYPE = 'application/json';

/** A JSON-RPC message; the protocol's library checks the rest. */
const Message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  id: z.union([z.string(), z.number()]).optional().describe('Absent in notifications.'),
  params: z.looseObject({}).optional(),
});

type Input = { message: Record<string, unknown>; secret: string };

const body: BodyReader<Input> = {
  security: HEADER_KEY,
  config: { bodies: { 'application/json': Message } },
  async read(unread) {
    const { caller, object } = await readKeyedBody(unread, { keyFirst: 'header', maxBytes: MAX_MESSAGE_BYTES });
    const message = object() as Record<string, unknown>;
    return { caller, input: { message, secret: headerKey(unread.request) ?? bodyKey(message) ?? '' } };
  },
};

/** POST /mcp. Every message has a server of the protocol of its own, which calls our routes. */
export function addMcpRoute(app: FastifyInstance, addRoute: AddRoute, { config }: Pick<ServerDeps, 'config'>): void {
  const inProcess = createInProcessFetch(app);
  const running = new Map<string, StreamableHttp>();
  addRoute({
    method: 'POST',
    paths: ['/mcp'],
    docs: {
      tags: ['Programs'],
      operationId: 'exchangeMcpMessage',
      summary: 'Exchange a message of the Model Context Protocol',
      description: DESCRIPTION,
      ok: {
        description: 'Messages; as JSON for clients that take nothing else.',
        content: { [EVENT_STREAM_TYPE]: { schema: z.unknown() }, [JSON_TYPE]: { schema: z.unknown() } },
      },
      errors: ['payload_too_large'],
    },
    auth: { scope: null, rateLimit: 'request' },
    body,
    async run(context) {
      const { caller, request, reply } = context;
      const { message, secret } = context.input;
      const { Transport, createMcpServer } = await loadProtocol();
      // Its close would not be noticed any more.
      if (reply.raw.destroyed) throw new AppError('client_closed_request');
      const key = (id: unknown) => JSON.stringify([caller.key.id, request.headers[SESSION_HEADER] ?? null, id]);
      if (message['method'] === 'notifications/cancelled' && request.headers[SESSION_HEADER] !== undefined) {
        cancel(running, key, message);
        return reply.code(202).send();
      }
      if (isLongCall(message)) await context.occupy('waits');
      const openFile = takeFile(message);
      // Nothing is repeated and no time is limited here: the client of the client does that.
      const settings = { baseUrl: 'http://in.process', apiKey: secret, maxRetries: 0, timeout: 0 };
      const server = createMcpServer({
        client: new Jyutsing({ ...settings, fetch: inProcess(request.ip) }),
        version: config.version,
        fileMeaning: EMBEDDED_FILE_MEANING,
        openFile,
      });
      const transport = new Transport({ enableJsonResponse: takesJsonOnly(request) });
      sendAgreedContents(transport, String(request.headers[VERSION_HEADER] ?? UNNAMED_VERSION));
      const id = key(message['id']);
      reply.raw.once('close', () => {
        if (running.get(id) === transport) running.delete(id);
        void server.close();
      });
      await server.connect(transport);
      if (reply.raw.destroyed) throw new AppError('client_closed_request');
      running.set(id, transport);
      const response = await transport.handleRequest(webRequest(request), { parsedBody: message });
      if (message['method'] === 'initialize' && response.ok) reply.header(SESSION_HEADER, randomUUID());
      return sendResponse(response, reply);
    },
  });
}

/** The library takes a tenth of the service's start, and many services never need it. */
async function loadProtocol() {
  const [{ WebStandardStreamableHTTPServerTransport: Transport }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('#mcp/create-mcp-server.ts'),
  ]);
  return { Transport, createMcpServer };
}

/** Tools that work as long as requests which wait for a transcription. */
const LONG_TOOLS: readonly unknown[] = ['transcribe', 'summarize', 'score', 'speak'];

function isLongCall({ method, params }: Record<string, unknown>): boolean {
  const name = (params as { name?: unknown } | null | undefined)?.name;
  return method === 'tools/call' && LONG_TOOLS.includes(name);
}

/**
 * Takes the recording out of a call, which the library keeps until its end; returns what opens it,
 * once.
 */
function takeFile(message: Record<string, unknown>): (file: string) => Uint8Array {
  const call = message['params'] as { arguments?: { file?: unknown } | null } | null | undefined;
  const file = call?.arguments?.file;
  if (typeof file !== 'string' || call?.arguments == null) return openEmbeddedFile;
  const taken = new Map([[EMBEDDED, file]]);
  call.arguments.file = EMBEDDED;
  return (name) => {
    const text = taken.get(name) ?? name;
    taken.clear();
    return openEmbeddedFile(text);
  };
}

/** Stands for the recording of a call; no base64. */
const EMBEDDED = 'embedded-recording:';

type RunningKey = (id: unknown) => string;

/** Ends a call that another request of the same session began; an unknown one has ended already. */
function cancel(running: Map<string, StreamableHttp>, key: RunningKey, { params }: Record<string, unknown>): void {
  const { requestId, reason } = (params ?? {}) as { requestId?: unknown; reason?: unknown };
  const call = running.get(key(requestId));
  if (call === undefined || (typeof requestId !== 'string' && typeof requestId !== 'number')) return;
  // The reason in words tells the tools that this is no broken connection.
  const why = typeof reason === 'string' && reason !== '' ? reason : 'cancelled';
  call.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: why } });
  // A cancelled call has no answer, so nothing else would end the stream. The library passes the
  // reason on in a later microtask; closing before it would look like a broken connection.
  setImmediate(() => void call.close());
}

/** Whether a client takes one answer, and no stream with its progress. */
function takesJsonOnly({ headers: { accept = '*/*' } }: FastifyRequest): boolean {
  return accept.includes(JSON_TYPE) && !accept.includes(EVENT_STREAM_TYPE) && !accept.includes('*/*');
}

/**
 * The request as the library reads it; the body was read before. The library refuses clients that
 * do not name both types of answers.
 */
function webRequest({ headers, method }: FastifyRequest): Request {
  const request = new Request('http://in.process/mcp', { method, headers: headerPairs(headers) });
  request.headers.set('accept', `${JSON_TYPE}, ${EVENT_STREAM_TYPE}`);
  return request;
}

/** Throws `invalid_request` for what the library refuses. */
async function sendResponse(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  if (response.status >= 500) throw new AppError('internal_error');
  if (!response.ok) {
    const { error } = (await response.json()) as { error?: { message?: string } };
    throw new AppError('invalid_request', `The message is not one of the protocol: ${error?.message ?? 'unknown'}.`);
  }
  void reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'connection') void reply.header(name, value);
  // Otherwise a stopping server would wait for connections kept for further requests.
  void reply.header('connection', 'close');
  if (response.body === null) return reply.send();
  return reply.send(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]));
}
