import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERROR_CATALOGUE } from '@jyutsing/contracts/errors';
import { readDocument } from '#test/http/openapi-document.ts';
import { form, send, wav, withKey, type Json } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let document: Json;
beforeAll(async () => {
  server = await startTestServer();
  document = await readDocument(server.baseUrl);
});
afterAll(() => server[Symbol.asyncDispose]());

/** The test server's only available model in /health. */
const TEST_MODEL = { ability: 'recognizer', name: 'test', version: '1', languages: ['cantonese', 'mandarin'] };

const operation = (path: string, method: string): Json => document['paths']![path]![method]!;

test('/openapi.json is OpenAPI 3.1 and lists every endpoint', () => {
  expect(document['openapi']).toBe('3.1.0');
  const listed = Object.entries(document['paths']!).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.sort()).toEqual([
    'DELETE /api/admin/accounts/{id}',
    'DELETE /api/admin/keys/{id}',
    'DELETE /api/corpora/{id}',
    'DELETE /api/speech-to-text/{id}',
    'DELETE /api/voices/{id}',
    'GET /',
    'GET /api/admin/accounts',
    'GET /api/admin/accounts/{id}/keys',
    'GET /api/admin/accounts/{id}/usage',
    'GET /api/admin/models',
    'GET /api/admin/plans',
    'GET /api/corpora',
    'GET /api/corpora/{id}',
    'GET /api/corpora/{id}.tsv',
    'GET /api/jyutping',
    'GET /api/speech-to-text',
    'GET /api/speech-to-text/get-result',
    'GET /api/speech-to-text/tags',
    'GET /api/speech-to-text/{id}',
    'GET /api/speech-to-text/{id}.apkg',
    'GET /api/speech-to-text/{id}.docx',
    'GET /api/speech-to-text/{id}.json',
    'GET /api/speech-to-text/{id}.md',
    'GET /api/speech-to-text/{id}.srt',
    'GET /api/speech-to-text/{id}.txt',
    'GET /api/speech-to-text/{id}.vtt',
    'GET /api/speech-to-text/{id}/audio',
    'GET /api/speech-to-text/{id}/events',
    'GET /api/speech-to-text/{id}/translations',
    'GET /api/tts/voices',
    'GET /api/usage',
    'GET /api/video-summary/get-usage',
    'GET /api/video-summary/list-languages',
    'GET /api/voices',
    'GET /api/voices/{id}',
    'GET /api/voices/{id}/sample',
    'GET /api/webhook-secret',
    'GET /api/youtube-summary/get-usage',
    'GET /api/youtube-summary/list-languages',
    'GET /elevenlabs/v1/models',
    'GET /health',
    'GET /metrics',
    'GET /v1/audio/models',
    'GET /v1/audio/voices',
    'GET /v1/listen',
    'GET /v1/models',
    'GET /v1/models/{id}',
    'GET /v1/projects',
    'GET /v1/projects/{id}',
    'GET /v1/realtime',
    'GET /v1/speak',
    'GET /v2/listen',
    'GET /v2/speak',
    'PATCH /api/admin/accounts/{id}',
    'PATCH /api/speech-to-text/{id}',
    'POST /',
    'POST /api/admin/accounts',
    'POST /api/admin/accounts/{id}/keys',
    'POST /api/admin/models/{id}/pull',
    'POST /api/align',
    'POST /api/corpora',
    'POST /api/corpora/check',
    'POST /api/corpora/{id}/deck',
    'POST /api/learn-cantonese/score-pronunciation',
    'POST /api/score',
    'POST /api/score-pronunciation',
    'POST /api/speech-to-text/deletions',
    'POST /api/speech-to-text/exports',
    'POST /api/speech-to-text/{id}/questions',
    'POST /api/speech-to-text/{id}/summary',
    'POST /api/speech-to-text/{id}/translations',
    'POST /api/stt',
    'POST /api/text-to-jyutping',
    'POST /api/text/questions',
    'POST /api/text/summary',
    'POST /api/tts',
    'POST /api/tts-stream',
    'POST /api/video-summary/list-languages',
    'POST /api/video-summary/summarize-from-url',
    'POST /api/voices',
    'POST /api/voices/check',
    'POST /api/webhook-secret/rotate',
    'POST /api/youtube-summary/list-languages',
    'POST /api/youtube-summary/summarize-from-url',
    'POST /asr',
    'POST /detect-language',
    'POST /elevenlabs/v1/speech-to-text',
    'POST /mcp',
    'POST /score-pronunciation',
    'POST /speech-to-text',
    'POST /stt',
    'POST /text-to-jyutping',
    'POST /tts',
    'POST /v1/audio/alignments',
    'POST /v1/audio/speech',
    'POST /v1/audio/transcriptions',
    'POST /v1/audio/translations',
    'POST /v1/auth/grant',
    'POST /v1/listen',
    'POST /v1/realtime/client_secrets',
    'POST /v1/speak',
    'POST /v1/speech-to-text',
    'POST /v1/stt',
    'POST /v1/text-to-speech',
    'POST /v1/text-to-speech/{id}',
    'POST /v1/text-to-speech/{id}/stream',
    'POST /v1/tts',
    'POST /v2/speak',
    'PUT /api/corpora/{id}',
  ]);
});

test('the headers and the body of a stream of speech are documented as they are sent', () => {
  const { requestBody, responses } = operation('/api/tts-stream', 'post');
  const { schema } = requestBody!['content']!['application/json']!;
  expect(schema!['required']).toEqual(['text', 'voice_id']);
  expect(schema!['properties']).toMatchObject({
    language: { type: 'string', enum: ['Chinese', 'English'], default: 'Chinese' },
    temperature: { type: 'number', minimum: 0, maximum: 2, default: 0.9 },
    top_p: { type: 'number', exclusiveMinimum: 0, maximum: 1, default: 0.95 },
  });
  const answer = responses!['200']!;
  expect(Object.keys(answer['content']!)).toEqual(['application/octet-stream']);
  expect(answer['headers']).toMatchObject({
    'X-Sample-Rate': { schema: { type: 'integer', const: 24_000 } },
    'X-Audio-Format': { schema: { type: 'string', const: 'pcm_s16le' } },
    'X-Channels': { schema: { type: 'integer', const: 1 } },
    'X-Characters-Charged': { schema: { type: 'integer' } },
    'X-Model-Id-Ignored': { schema: { type: 'string' } },
  });
  expect(responses!['401']!['headers']).toMatchObject({ 'X-Request-Id': { schema: { type: 'string' } } });
  expect(Object.keys(responses!).filter((status) => status >= '400')).toEqual(
    expect.arrayContaining(['400', '401', '403', '404', '429', '502', '503']),
  );
});

test('the form of a submission is documented as clients must send it', () => {
  const body = operation('/api/stt', 'post')['requestBody']!['content']!['multipart/form-data']!['schema']!;
  expect(body['required']).toEqual(['data']);
  expect(body['properties']).toMatchObject({
    api_key: { type: 'string' },
    data: { type: 'string', format: 'binary' },
    with_timestamp: { type: 'boolean', default: false },
    wait_for_completion: { type: 'boolean', default: false },
    lang: { type: 'string', enum: ['cantonese', 'mandarin', 'english', 'auto'], default: 'cantonese' },
    context: { type: 'string' },
    corpus_ids: { type: 'string' },
  });
  expect(
    operation('/', 'post')['requestBody']!['content']!['multipart/form-data']!['schema']!['properties'],
  ).not.toHaveProperty('wait_for_completion');
});

test('every documented error status names codes of the catalogue, and points to the one error body', () => {
  const codes = new Set<string>();
  for (const methods of Object.values(document['paths']!)) {
    for (const { responses } of Object.values(methods) as { responses: Record<string, Json> }[]) {
      for (const [status, response] of Object.entries(responses)) {
        // 101 is the change of a connection to a WebSocket.
        if (status === '200' || status === '101') continue;
        expect(response['content']!['application/json']!['schema']).toEqual({ $ref: '#/components/schemas/Error' });
        for (const [, code = ''] of String(response['description']).matchAll(/`(\w+)`:/g)) {
          codes.add(code);
          expect(String(ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE].status)).toBe(status);
        }
      }
    }
  }
  expect(codes.size).toBeGreaterThan(18);
});

test('keys, ids and rate limits are documented where they are used', () => {
  expect(document['components']!['securitySchemes']).toMatchObject({
    apiKeyHeader: { in: 'header', name: 'x-api-key' },
  });
  expect(operation('/api/usage', 'get')['security']).toEqual([{ apiKeyHeader: [] }, { bearer: [] }]);
  // Once for all answers, instead of beside each of them.
  for (const header of ['X-Request-Id', 'X-RateLimit-Remaining']) {
    expect(operation('/api/usage', 'get')['responses']!['429']!['headers']).toHaveProperty(header);
    expect(document['info']!['description']).toContain(header);
  }
  expect(operation('/health', 'get')['security']).toBeUndefined();
  expect(JSON.stringify(document)).not.toContain('timestmap');
});

test('/docs loads nothing from other servers', async () => {
  const page = await send(`${server.baseUrl}/docs`);
  expect(page.status).toBe(200);
  const html = String(page.body['text']);
  expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect(html).toContain('/openapi.json');
  const script = /src="([^"]+)"/.exec(html)?.[1] ?? '';
  const answer = await fetch(new URL(script, `${server.baseUrl}/docs/`));
  expect(answer.status).toBe(200);
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1_000_000);
});

test('/health is 200 when ready and 503 while starting or draining, when new work is refused too', async () => {
  expect((await send(`${server.baseUrl}/health`)).body).toMatchObject({
    status: 'ok',
    version: '0.0.0',
    engines: [TEST_MODEL, { ability: 'synthesizer', name: 'tones' }, { ability: 'synthesizer', name: 'server-tones' }],
  });
  server.state.isReady = false;
  const health = await send(`${server.baseUrl}/health`);
  const submission = await send(`${server.baseUrl}/api/stt`, form(['api_key', server.ownerKey], ['data', wav(1)]));
  const metrics = await send(`${server.baseUrl}/metrics`);
  server.state.isReady = true;
  for (const answer of [health, submission]) {
    expect(answer).toMatchObject({ status: 503, body: { success: false, error: { code: 'service_unavailable' } } });
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  expect(metrics.status).toBe(200);
});

test('an unused connection does not keep the server from closing', async () => {
  const closing = await startTestServer();
  const socket = connect(closing.port, '127.0.0.1');
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  // An answer on a later connection: by now the server knows of the first.
  await send(`${closing.baseUrl}/health`);
  await closing[Symbol.asyncDispose]();
  await closed;
  expect(socket.bytesRead).toBe(0);
});

test('/metrics counts requests by route, never by id or key', async () => {
  await send(`${server.baseUrl}/api/admin/accounts/some-id/usage`, withKey(server.ownerKey));
  const { headers, body } = await send(`${server.baseUrl}/metrics`);
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  const text = String(body['text']);
  expect(text).toContain(
    'jyutsing_http_requests_total{method="GET",route="/api/admin/accounts/:id/usage",status="404"} 1',
  );
  expect(text).not.toContain('some-id');
});
