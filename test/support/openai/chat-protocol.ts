import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Kinds of servers by what they reject, with their error messages. */
export type ChatProduct =
  | 'llama'
  | 'ollama'
  | 'vllm'
  | 'minimal'
  | 'openai'
  | 'reasoning'
  | 'lm-studio'
  | 'old-llama'
  | 'plain';

/** Failures of servers and proxies, independent of the request. */
export const TRANSPORT_MODES = [
  'bad-gateway',
  'fails',
  'unauthorized',
  'busy',
  'redirects',
  'breaks-off',
  'never',
] as const;
type TransportMode = (typeof TRANSPORT_MODES)[number];

export function isTransportMode(mode: string): mode is TransportMode {
  return TRANSPORT_MODES.some((candidate) => candidate === mode);
}

/** A chat request as received. */
export type ReceivedChat = { path: string; authorization: string | null; body: Record<string, unknown> };

/** A running fake server. */
export type RunningServer = {
  /** Ends in /v1. */
  baseUrl: string;
  /** Number of connections that the client closed before the answer. */
  abandoned(): number;
  close(): Promise<void>;
};

/**
 * Serves chat requests at a port (0: any free one); an answer that throws closes the connection.
 */
export async function startChatServer(
  answer: (received: ReceivedChat, response: ServerResponse) => Promise<void>,
  atPort = 0,
): Promise<RunningServer> {
  let abandoned = 0;
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableEnded) abandoned += 1;
    });
    read(request)
      .then((received) => answer(received, response))
      .catch(() => response.destroy());
  });
  server.listen(atPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    abandoned: () => abandoned,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<ReceivedChat> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
  return { path: request.url ?? '', authorization: request.headers.authorization ?? null, body };
}

export type Refusal = { status: number; body: string };

/** Error response of a server of this product; null if it accepts the request. */
export function refuseChat(
  { path, authorization, body }: ReceivedChat,
  key: string | null,
  product: ChatProduct,
): Refusal | null {
  if (path !== '/v1/chat/completions') return { status: 404, body: '{"detail":"Not Found"}' };
  if (key !== null && authorization !== `Bearer ${key}`) {
    return { status: 401, body: errorBody(`Incorrect API key provided: ${authorization}.`) };
  }
  const format = (body['response_format'] as { type: string } | undefined)?.type ?? null;
  switch (product) {
    case 'openai': {
      if (!('chat_template_kwargs' in body)) return null;
      return { status: 400, body: errorBody('Unrecognized request argument supplied: chat_template_kwargs') };
    }
    case 'vllm':
      // vLLM takes one of three words as `reasoning_effort`.
      if (!['none', 'minimal'].includes(String(body['reasoning_effort']))) return null;
      return {
        status: 400,
        body: errorBody(
          "[{'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': \"Input should be 'low', 'medium' or 'high'\"}]",
        ),
      };
    case 'minimal':
      // Models of 2026 that always think, but little when they are asked to.
      if (body['reasoning_effort'] === undefined || body['reasoning_effort'] === 'minimal') return null;
      return { status: 400, body: errorBody("Unsupported value for 'reasoning_effort'.") };
    case 'llama':
    case 'ollama':
      // Both products ignore fields that they do not know.
      return null;
    case 'reasoning':
      if ('chat_template_kwargs' in body) {
        return { status: 400, body: errorBody("Unknown parameter: 'chat_template_kwargs'.") };
      }
      if (body['reasoning_effort'] === 'none' || body['reasoning_effort'] === 'minimal') {
        const message =
          "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low', 'medium', and 'high'.";
        return { status: 400, body: errorBody(message) };
      }
      if ('max_tokens' in body) {
        const message =
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        return { status: 400, body: errorBody(message) };
      }
      if (!('temperature' in body)) return null;
      return { status: 400, body: errorBody("Unsupported value: 'temperature' does not support 0 with this model.") };
    case 'lm-studio':
      if (format !== 'json_object') return null;
      return { status: 400, body: `{"error":"'response_format.type' must be 'json_schema' or 'text'"}` };
    case 'old-llama':
      if (format !== 'json_schema') return null;
      return {
        status: 500,
        body: errorBody('response_format type must be one of "text" or "json_object", but got: json_schema'),
      };
    case 'plain': {
      const isPlain = Object.keys(body).every((name) => ['model', 'messages', 'stream'].includes(name));
      return isPlain ? null : { status: 422, body: '{"detail":[{"type":"extra_forbidden","msg":"Extra inputs"}]}' };
    }
  }
}

/** Answers with one of the failures. */
export async function failChat(response: ServerResponse, mode: TransportMode): Promise<void> {
  switch (mode) {
    case 'bad-gateway':
      return send(response, 502, '<html><h1>502 Bad Gateway</h1></html>', { 'content-type': 'text/html' });
    case 'fails':
      return send(response, 500, errorBody('CUDA error: an illegal memory access was encountered'));
    case 'unauthorized':
      return send(response, 401, errorBody('Incorrect API key provided: sk-secret.'));
    case 'busy':
      return send(response, 429, errorBody('Rate limit reached'), { 'retry-after': '20' });
    case 'redirects':
      return send(response, 302, '', { location: '/login' });
    case 'breaks-off':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      response.write('{"choices":[{"message":{"content":"');
      await sleep(20);
      return void response.destroy();
    case 'never':
      return;
  }
}

/** Error body in the format of OpenAI. */
export function errorBody(message: string, code: string | null = null): string {
  return JSON.stringify({ error: { message, type: 'invalid_request_error', ...(code === null ? {} : { code }) } });
}

/** Chat completion body; `message` without its role, `promptTokens` as counted by the server. */
export function completionOf(
  message: Record<string, unknown>,
  { finishReason = 'stop', promptTokens }: { finishReason?: string | undefined; promptTokens: number },
): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'fake',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }],
    usage: { prompt_tokens: promptTokens, completion_tokens: 1, total_tokens: promptTokens + 1 },
  });
}

export function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
