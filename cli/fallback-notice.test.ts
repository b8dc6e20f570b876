import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Jyutsing } from '@jyutsing/client';
import { hasOnlyFallback } from './fallback-notice.ts';

// The server answers as a service whose disk is full.
const server = createServer((_request, response) => {
  response.writeHead(503, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ success: false, error: { code: 'service_unavailable', message: 'The disk is full.' } }),
  );
});
let client: Jyutsing;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  client = new Jyutsing({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'x' });
});
afterAll(() => server.close());

test('a service that does not say what it has is no failure of a command', async () => {
  const { signal } = new AbortController();
  expect(await hasOnlyFallback(client, { language: 'cantonese' }, signal)).toBe(false);
});

test('a command that was interrupted goes no further', async () => {
  const reason = new Error('interrupted');
  await expect(hasOnlyFallback(client, { language: 'cantonese' }, AbortSignal.abort(reason))).rejects.toBe(reason);
});
