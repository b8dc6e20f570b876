import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What servers and models refuse, in their own words. */
export type ChatFlavour = 'openai' | 'reasoning' | 'lm-studio' | 'old-llama' | 'plain';

/** Ways in which servers and proxies fail, whatever they were asked. */
export const TRANSPORT_MODES = [
  'bad-gateway',
  'fails',
  'unauthorized',
  'busy',
  'redirects',
  'breaks-off',
  'never',
] as const;
export type TransportMode = (typeof TRANSPORT_MODES)[number];

export function isTransportMode(mode: string): mode is TransportMode {
  return TRANSPORT_MODES.some((each) => each === mode);
}

/** A question as it came in. */
export type ReceivedChat = { path: string; authorization: string | null; body: Record<string, unknown> };

/** A running stand-in. */
export type Listening = {
  /** Ends in /v1. */
  baseUrl: string;
  /** Connections that the client closed before they were answered. */
  abandoned(): number;
  close(): Promise<void>;
};

/** Answers questions at a port (0: any that is free); an answer that throws closes the connection. */
export async function listenForChats(
  answer: (received: ReceivedChat, response: ServerResponse) => Promise<void>,
  atPort = 0,
): Promise<Listening> {
  let abandoned = 0;
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableEnded) abandoned += 1;
    });
    read(request)
      .then((received) => answer(received, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(atPort, '127.0.0.1', resolve));
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

/** Why a server of this flavour does not take the question at all; null: it does. */
export function refuseChat(
  { path, authorization, body }: ReceivedChat,
  key: string | null,
  flavour: ChatFlavour,
): Refusal | null {
  if (path !== '/v1/chat/completions') return { status: 404, body: '{"detail":"Not Found"}' };
  if (key !== null && authorization !== `Bearer ${key}`) {
    return { status: 401, body: errorBody(`Incorrect API key provided: ${authorization}.`) };
  }
  const format = (body['response_format'] as { type: string } | undefined)?.type ?? null;
  switch (flavour) {
    case 'openai':
      return null;
    case 'reasoning':
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

/** Fails in one of the ways. */
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

/** An error as OpenAI words it. */
export function errorBody(message: string, code: string | null = null): string {
  return JSON.stringify({ error: { message, type: 'invalid_request_error', ...(code === null ? {} : { code }) } });
}

/** A chat completion: `message` besides its role. */
export function completionOf(message: Record<string, unknown>, finishReason = 'stop'): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'stand-in',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
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
