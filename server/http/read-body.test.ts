import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openBody } from './read-body.ts';

const PACE = { intervalMs: 1_000, minBytesPerSecond: 1, wholeMs: 1_000 };

/** A request of this many bytes, as the server gets it. */
async function receive(sizeBytes: number): Promise<IncomingMessage> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fetch(url, { method: 'POST', body: new Uint8Array(sizeBytes) }).catch(() => {});
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  return request;
}

test.each([50_000, 70_000, 100_000, 500_000])(
  'a body of %d bytes that arrived before it is read is read in two steps',
  async (sizeBytes) => {
    const request = await receive(sizeBytes);
    // As while a database looks for the key of the request.
    await sleep(100);
    const body = openBody(request, PACE);
    const start = await body.readTo(65_536);
    expect(start.isWhole).toBe(sizeBytes <= 65_536);
    await sleep(10);
    const { bytes, isWhole } = await body.readTo(1_000_000);
    expect([bytes.length, isWhole]).toEqual([sizeBytes, true]);
  },
);
