import { describe, expect, it } from 'vitest';
import { readAhead } from './read-ahead.ts';

/** Makes a connection that sends chunks as fast as they are read, then ends or breaks. */
function connection(sizes: readonly number[], failure?: Error) {
  const traffic = { sent: 0, isClosed: false };
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (const size of sizes) {
        await Promise.resolve();
        traffic.sent += 1;
        yield new Uint8Array(size).fill(traffic.sent);
      }
      if (failure !== undefined) throw failure;
    } finally {
      traffic.isClosed = true;
    }
  }
  return { traffic, body: body() };
}

/** Lets the connection send what it can. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a body that is read ahead', () => {
  it('has every byte once and in order', async () => {
    const { body } = connection([3, 1, 5]);
    const chunks: number[] = [];
    for await (const chunk of readAhead(body, 2, () => {})) chunks.push(...chunk);
    expect(chunks).toEqual([1, 1, 1, 2, 3, 3, 3, 3, 3]);
  });

  it('gives what arrived before the connection broke, then the failure', async () => {
    const { body } = connection([4, 4], new Error('broken'));
    const ahead = readAhead(body, 1_000, () => {});
    await settle();
    let received = 0;
    const reading = (async () => {
      for await (const chunk of ahead) received += chunk.length;
    })();
    await expect(reading).rejects.toThrow('broken');
    expect(received).toBe(8);
  });

  it('stops reading while its consumer is behind, and goes on afterwards', async () => {
    const { body, traffic } = connection(Array.from({ length: 20 }, () => 10));
    const ahead = readAhead(body, 35, () => {});
    await settle();
    expect(ahead.isFull()).toBe(true);
    expect(traffic.sent).toBe(4);
    let received = 0;
    for await (const chunk of ahead) received += chunk.length;
    expect(received).toBe(200);
    expect(ahead.isFull()).toBe(false);
  });

  it('reports every chunk when it arrives, not when it is used', async () => {
    const { body } = connection([1, 1, 1]);
    let arrived = 0;
    readAhead(body, 1_000, () => (arrived += 1));
    await settle();
    expect(arrived).toBe(3);
  });

  it('closes the connection when its consumer gives up', async () => {
    const { body, traffic } = connection(Array.from({ length: 20 }, () => 10));
    for await (const chunk of readAhead(body, 15, () => {})) if (chunk.length > 0) break;
    await settle();
    expect(traffic.isClosed).toBe(true);
    expect(traffic.sent).toBeLessThan(20);
  });
});
