import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { send } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
afterEach(() => server[Symbol.asyncDispose]());

test('/console/ is a page that may load files of this server only, and is asked for again each time', async () => {
  server = await startTestServer();
  const page = await send(`${server.baseUrl}/console/`);
  expect([page.status, page.body['text']]).toEqual([200, expect.stringContaining('built console')]);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect(page.headers.get('etag')).toMatch(/^W?\/?"/);
  const short = await fetch(`${server.baseUrl}/console`, { redirect: 'manual' });
  expect([short.status, short.headers.get('location')]).toEqual([302, '/console/']);
});

test('files with a hash in their name are kept for a year', async () => {
  server = await startTestServer();
  const { status, headers } = await send(`${server.baseUrl}/console/assets/index-abc123.js`);
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('no other file can be read through the console', async () => {
  server = await startTestServer();
  for (const path of ['/console/nothing.js', '/console/../package.json', '/console/%2e%2e/start-server.ts']) {
    expect([path, (await send(server.baseUrl + path)).status]).toEqual([path, 404]);
  }
});

test('a console that is not built says how it is built', async () => {
  const consoleDir = await mkdtemp(join(tmpdir(), 'no-console-'));
  server = await startTestServer({ consoleDir });
  const { status, body } = await send(`${server.baseUrl}/console/`);
  expect([status, body['message']]).toEqual([503, expect.stringContaining('npm run console')]);
  await rm(consoleDir, { recursive: true });
});
