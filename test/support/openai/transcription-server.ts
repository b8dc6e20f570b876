import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One upload as received. */
export type Upload = {
  path: string;
  authorization: string | null;
  /** Form fields except the file; repeated ones are joined with commas. */
  fields: Record<string, string>;
  file: { name: string; bytes: Uint8Array };
  /** Duration of the file as 16 kHz 16-bit mono. */
  seconds: number;
};

/** Answer to an upload. */
export type Reaction =
  | { kind: 'transcription'; text: string; segments?: Record<string, unknown>[]; words?: Record<string, unknown>[] }
  | { kind: 'status'; status: number; body?: string; headers?: Record<string, string> }
  /** 200 with an arbitrary body. */
  | { kind: 'body'; body: string; type?: string }
  /** Headers and half of a body, then the connection is closed. */
  | { kind: 'truncated' }
  /** Resets the connection before an answer. */
  | { kind: 'reset' }
  /** No answer at all. */
  | { kind: 'hang' }
  | { kind: 'slow'; ms: number; next: Reaction }
  | { kind: 'held'; until: Promise<unknown>; next: Reaction };

export type Behavior = (upload: Upload, index: number) => Reaction;

const answerHello: Behavior = () => ({ kind: 'transcription', text: 'hello' });

/** Kinds of real servers by what they reject, with their error messages. */
type Product = 'openai' | 'vllm' | 'speaches' | 'localai' | 'localai-words';

export type TranscriptionServer = {
  /** Ends in /v1. */
  baseUrl: string;
  uploads: Upload[];
  behave(behavior: Behavior): void;
  imitate(product: Product): void;
  /** Number of connections that the client closed before the answer. */
  abandoned(): number;
  /** Uploads in progress, and their maximum so far. */
  busy(): number;
  mostBusy(): number;
  close(): Promise<void>;
};

/**
 * Fakes POST /v1/audio/transcriptions: accepts the multipart form of real servers, rejects what
 * each of them rejects, and fails as servers and proxies do.
 */
export async function startTranscriptionServer(key: string | null = null): Promise<TranscriptionServer> {
  const uploads: Upload[] = [];
  let behavior = answerHello;
  let product: Product = 'openai';
  let abandoned = 0;
  let busy = 0;
  let mostBusy = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.on('close', () => {
      busy -= 1;
      if (!response.writableEnded) abandoned += 1;
    });
    busy += 1;
    mostBusy = Math.max(mostBusy, busy);
    const upload = await read(request);
    const index = uploads.push(upload) - 1;
    const refusal = refuse(upload, key, product);
    if (refusal !== null) return send(response, refusal.status, refusal.body);
    await react(response, upload, behavior(upload, index), product);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    uploads,
    behave: (next) => void (behavior = next),
    imitate: (next) => void (product = next),
    abandoned: () => abandoned,
    busy: () => busy,
    mostBusy: () => mostBusy,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A server that hears this text in everything, and the settings of a service that asks it: for
 * tests that are about recordings and records, not about hearing.
 */
export async function startRecognizer(
  text = '你好',
): Promise<TranscriptionServer & { settings: Record<string, string> }> {
  const server = await startTranscriptionServer();
  // It accepts Cantonese at the first try.
  server.imitate('speaches');
  server.behave(() => ({ kind: 'transcription', text }));
  return { ...server, settings: { STT_ENGINE: 'openai-compatible', STT_BASE_URL: server.baseUrl } };
}

async function read(request: IncomingMessage): Promise<Upload> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const type = request.headers['content-type'] ?? '';
  const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData();
  const fields: Record<string, string> = {};
  let file = { name: '', bytes: new Uint8Array() };
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = name in fields ? `${fields[name]},${value}` : value;
    else file = { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) };
  }
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization ?? null,
    fields,
    file,
    seconds: Math.max(0, file.bytes.length - 44) / 32_000,
  };
}

function refuse(upload: Upload, key: string | null, product: Product): { status: number; body: string } | null {
  const { fields } = upload;
  if (upload.path !== '/v1/audio/transcriptions') return { status: 404, body: '{"detail":"Not Found"}' };
  if (key !== null && upload.authorization !== `Bearer ${key}`) {
    const message = `Incorrect API key provided: ${upload.authorization}. You can find your API key at our site.`;
    return { status: 401, body: JSON.stringify({ error: { message, code: 'invalid_api_key' } }) };
  }
  if (product === 'openai' && fields['language'] === 'yue') {
    const message = "Invalid language 'yue'. Language parameter must be specified in ISO-639-1 format.";
    return {
      status: 400,
      body: JSON.stringify({ error: { message, param: 'language', code: 'invalid_language_format' } }),
    };
  }
  if (product === 'vllm' && fields['response_format'] === 'verbose_json') {
    const message = 'Currently only support response_format `text` or `json`';
    return { status: 400, body: JSON.stringify({ object: 'error', message, type: 'BadRequestError', code: 400 }) };
  }
  if (product === 'localai' && 'timestamp_granularities[]' in fields) {
    return { status: 422, body: '{"error":{"message":"timestamp_granularities is not supported by this backend"}}' };
  }
  return null;
}

async function react(response: ServerResponse, upload: Upload, reaction: Reaction, product: Product): Promise<void> {
  switch (reaction.kind) {
    case 'transcription':
      return send(response, 200, JSON.stringify(transcription(upload, reaction, product)));
    case 'status':
      return send(response, reaction.status, reaction.body ?? '{"error":{"message":"no"}}', reaction.headers);
    case 'body':
      return send(response, 200, reaction.body, { 'content-type': reaction.type ?? 'application/json' });
    case 'truncated':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      response.write('{"text": "half of');
      await sleep(20);
      return void response.destroy();
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
      return;
    case 'slow':
      await sleep(reaction.ms);
      return react(response, upload, reaction.next, product);
    case 'held':
      await reaction.until;
      return react(response, upload, reaction.next, product);
  }
}

const asIs = (word: Record<string, unknown>) => word;

/** LocalAI calls the text of a word `text`. */
function asLocalAi({ word, ...times }: Record<string, unknown>): Record<string, unknown> {
  return { ...times, text: word };
}

function transcription(
  { fields, seconds }: Upload,
  result: Extract<Reaction, { kind: 'transcription' }>,
  product: Product,
): object {
  if (fields['response_format'] !== 'verbose_json') return { text: result.text };
  const whole = {
    id: 0,
    start: 0,
    end: seconds,
    text: result.text,
    avg_logprob: -0.2,
    no_speech_prob: 0.01,
    compression_ratio: 1,
  };
  const hasWords = fields['timestamp_granularities[]']?.includes('word') ?? false;
  return {
    task: 'transcribe',
    language: fields['language'],
    duration: seconds,
    text: result.text,
    segments: result.segments ?? [whole],
    ...(hasWords && result.words !== undefined
      ? { words: result.words.map(product === 'localai-words' ? asLocalAi : asIs) }
      : {}),
  };
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
