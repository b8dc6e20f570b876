import { afterEach, describe, expect, test } from 'vitest';
import { loadConfig } from '#config/config.ts';
import { freePort } from '#testbed/servers/free-port.ts';
import { send, withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
afterEach(() => server[Symbol.asyncDispose]());

test('every answer has security headers; a page may run its own scripts and cannot be framed', async () => {
  server = await startTestServer();
  for (const path of ['/health', '/nowhere', '/api/usage', '/docs', '/openapi.json', '/%zz']) {
    const { headers } = await send(server.baseUrl + path);
    expect([path, headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual([
      path,
      'nosniff',
      'no-referrer',
    ]);
    expect([path, headers.get('content-security-policy')]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
    expect(headers.get('strict-transport-security')).toBeNull();
  }
});

test('HSTS is sent behind a trusted proxy that speaks TLS', async () => {
  server = await startTestServer({ trustProxy: 1 });
  const { headers } = await send(`${server.baseUrl}/health`, { headers: { 'x-forwarded-proto': 'https' } });
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/);
});

function ask(origin: string, method = 'GET', path = '/api/usage') {
  const question = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };
  const headers = { origin, ...(method === 'OPTIONS' ? question : { 'x-api-key': server.ownerKey }) };
  return send(server.baseUrl + path, { method, headers });
}

describe('CORS_ORIGINS', () => {
  test('absent: no page of another origin may read an answer', async () => {
    server = await startTestServer();
    const { status, headers } = await ask('https://app.example');
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
    expect((await ask('https://app.example', 'OPTIONS')).status).toBe(405);
  });

  test('a list: these origins may, and their browsers ask without a key', async () => {
    server = await startTestServer({ corsOrigins: ['https://app.example', 'http://localhost:5173'] });
    for (const origin of ['https://app.example', 'http://localhost:5173']) {
      const { headers } = await ask(origin);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      const exposed = headers.get('access-control-expose-headers') ?? '';
      for (const name of ['X-Request-Id', 'X-Characters-Charged', 'X-RateLimit-Remaining', 'Retry-After']) {
        expect(exposed).toContain(name);
      }
      // A player of a kept recording, and an editor that saves twice.
      for (const name of ['ETag', 'Accept-Ranges', 'Content-Range', 'Content-Length', 'Content-Disposition']) {
        expect(exposed.split(', ')).toContain(name);
      }
      const preflight = await ask(origin, 'OPTIONS', '/api/tts-stream');
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
      expect(preflight.headers.get('access-control-allow-headers')).toContain('x-api-key');
    }
    const other = await ask('https://evil.example');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    // A refusal must be readable too.
    const refused = await send(`${server.baseUrl}/api/usage`, { headers: { origin: 'https://app.example' } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, 'https://app.example']);
    expect((await send(`${server.baseUrl}/nowhere`)).status).toBe(404);
  });

  test('*: every origin may, without cookies', async () => {
    server = await startTestServer({ corsOrigins: ['*'] });
    const { headers } = await ask('https://any.example');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });
});

test('GET / sends a browser to the console and tells a program what this is', async () => {
  server = await startTestServer();
  const page = await fetch(server.baseUrl, { headers: { accept: 'text/html,*/*' }, redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([302, '/console/']);
  expect(await send(server.baseUrl)).toMatchObject({
    status: 200,
    body: { name: 'jyutsing', version: '0.0.0', console: '/console/', docs: '/docs', openapi: '/openapi.json' },
  });
});

test('/docs has our name, keeps the key and has examples that work', async () => {
  server = await startTestServer();
  const html = String((await send(`${server.baseUrl}/docs`)).body['text']);
  expect(html).toContain('<title>jyutsing</title>');
  expect(html).toMatch(/"persistAuth":\s*true/);
  const { body } = await send(`${server.baseUrl}/openapi.json`);
  for (const path of ['/api/tts', '/api/tts-stream', '/v1/audio/speech']) {
    const { example } = body['paths']![path]!['post']!['requestBody']!['content']!['application/json']!;
    expect(example).toBeDefined();
    expect(example).not.toHaveProperty('duration');
    const answer = await fetch(server.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': server.ownerKey },
      body: JSON.stringify(example),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.arrayBuffer();
  }
});

async function metrics(key?: string) {
  const { status, body } = await send(`${server.baseUrl}/metrics`, key === undefined ? {} : withKey(key));
  return [status, String(body['text'] ?? '').includes('jyutsing_http_requests_total')];
}

describe('/metrics', () => {
  test('requires a key with the scope admin unless HOST is a loopback address', async () => {
    expect(loadConfig({ HOST: '127.0.0.1' }).http.metrics.access).toBe('everyone');
    server = await startTestServer({ metrics: loadConfig({ HOST: '0.0.0.0' }).http.metrics });
    expect((await metrics())[0]).toBe(401);
    expect((await metrics((await server.newAccount('pro', ['stt'])).key))[0]).toBe(403);
    expect(await metrics(server.ownerKey)).toEqual([200, true]);
  });

  test('has a port of its own with METRICS_PORT', async () => {
    const port = await freePort();
    server = await startTestServer({
      metrics: loadConfig({ HOST: '0.0.0.0', METRICS_PORT: String(port) }).http.metrics,
    });
    expect((await metrics(server.ownerKey))[0]).toBe(404);
    const apart = await send(`http://127.0.0.1:${port}/metrics`);
    expect(apart.status).toBe(200);
    expect(String(apart.body['text'])).toContain('jyutsing_http_requests_total');
    const unknown = await send(`http://127.0.0.1:${port}/health`);
    expect(unknown.status).toBe(404);
    for (const { headers } of [apart, unknown]) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });
});
