import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import { createLogger } from '#telemetry/logger.ts';
import { createLiveConnections, type LiveProtocol, type LiveSocket } from './live-connections.ts';

const HOUR_MS = 3_600_000;
const LIMITS = {
  idleMs: HOUR_MS,
  pingMs: HOUR_MS,
  finishMs: HOUR_MS,
  refusedMs: 10,
  lastWordsMs: HOUR_MS,
  maxUnreadBytes: 1024 ** 2,
};

let app: FastifyInstance;
let server: WebSocketServer;
let connection: LiveSocket;
/** The calls of the test's protocol, in order. */
let calls: string[];
let receive: LiveProtocol['receive'];
let finish: LiveProtocol['finish'];
/** Called before a server that closes tells its connections. */
let onClosing: () => void;

beforeEach(() => {
  calls = [];
  onClosing = () => {};
  receive = (message) => void calls.push(`receive ${message.toString()}`);
  finish = async () => void calls.push('finish');
});
afterEach(async () => {
  for (const socket of server.clients) socket.terminate();
  server.close();
  await app.close();
});

/** A client of a server with these limits. */
async function connect(limits: Partial<typeof LIMITS> = {}): Promise<WebSocket> {
  app = Fastify();
  app.addHook('preClose', async () => onClosing());
  const connections = createLiveConnections(app, createLogger('silent'), { ...LIMITS, ...limits });
  server = new WebSocketServer({ server: app.server });
  server.on('connection', (socket) =>
    connections.serve(socket, 'request-1', (opened) => {
      connection = opened;
      return {
        receive: (message, isBinary) => receive(message, isBinary),
        finish: () => finish(),
        refuse: ({ code }) => {
          calls.push(`refuse ${code}`);
          opened.send({ refused: code });
        },
        [Symbol.asyncDispose]: async () => void calls.push('dispose'),
      };
    }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const client = new WebSocket(`ws://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  await once(client, 'open');
  return client;
}

async function closeOf(client: WebSocket): Promise<{ code: number; reason: string }> {
  const [code, reason] = (await once(client, 'close')) as [number, Buffer];
  return { code, reason: reason.toString() };
}

/** Sends messages in one packet, so that they arrive together. */
function sendTogether(client: WebSocket, messages: readonly string[]): void {
  const { _socket: socket } = client as unknown as { _socket: { cork(): void; uncork(): void } };
  socket.cork();
  for (const message of messages) client.send(message);
  socket.uncork();
}

describe('the messages of a client', () => {
  it('are handled one at a time, in order', async () => {
    const client = await connect();
    let running = 0;
    receive = async (message) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise(setImmediate);
      calls.push(message.toString());
      running -= 1;
    };
    const messages = Array.from({ length: 200 }, (_, index) => `${index}`);
    sendTogether(client, messages);
    await expect.poll(() => calls.length).toBe(200);
    expect(calls).toEqual(messages);
  });

  it('leave other requests their turn, however many come together', async () => {
    const client = await connect();
    let handled = 0;
    let handledAtTurn: number | null = null;
    receive = () => {
      if (handled === 0) setImmediate(() => (handledAtTurn = handled));
      handled += 1;
      const untilMs = performance.now() + 2;
      while (performance.now() < untilMs);
    };
    sendTogether(
      client,
      Array.from({ length: 100 }, () => 'session.update'),
    );
    await expect.poll(() => handled).toBe(100);
    // The work of each is short, that of all is 200 ms.
    expect(handledAtTurn).toBeLessThan(50);
  });

  it('say whether they are binary', async () => {
    const client = await connect();
    receive = (message, isBinary) => void calls.push(`${message.toString()} ${isBinary}`);
    client.send('text');
    client.send(Buffer.from('sound'));
    await expect.poll(() => calls).toEqual(['text false', 'sound true']);
  });

  it('after one that ends the connection are not handled', async () => {
    const client = await connect();
    receive = (message) => {
      calls.push(`receive ${message.toString()}`);
      if (message.toString() === '2') throw new AppError('invalid_request');
    };
    const closed = closeOf(client);
    sendTogether(client, ['1', '2', '3', '4']);
    expect(await closed).toEqual({ code: 1008, reason: 'invalid_request' });
    expect(calls.filter((call) => call.startsWith('receive'))).toEqual(['receive 1', 'receive 2']);
  });
});

describe('a connection that ends', () => {
  it('in order lets the last words arrive first', async () => {
    const client = await connect();
    const received: string[] = [];
    client.on('message', (data) => received.push(String(data)));
    finish = async () => {
      await new Promise(setImmediate);
      connection.send({ last: 'words' });
    };
    const closed = closeOf(client);
    connection.close();
    expect(await closed).toEqual({ code: 1000, reason: '' });
    expect(received).toEqual(['{"last":"words"}']);
    await expect.poll(() => calls).toEqual(['dispose']);
  });

  it('with an error tells the client after the last words', async () => {
    const client = await connect();
    const received: string[] = [];
    client.on('message', (data) => received.push(String(data)));
    const closed = closeOf(client);
    connection.fail(new AppError('quota_exceeded'));
    expect(await closed).toEqual({ code: 1008, reason: 'quota_exceeded' });
    expect(received).toEqual(['{"refused":"quota_exceeded"}']);
    await expect.poll(() => calls).toEqual(['finish', 'refuse quota_exceeded', 'dispose']);
  });

  it('ends once, for the first reason', async () => {
    const client = await connect();
    const closed = closeOf(client);
    connection.fail(new AppError('invalid_api_key'));
    connection.fail(new AppError('engine_failed'));
    connection.close();
    expect(await closed).toEqual({ code: 1008, reason: 'invalid_api_key' });
    await expect.poll(() => calls).toEqual(['finish', 'refuse invalid_api_key', 'dispose']);
  });

  describe('when the last words do not come', () => {
    beforeEach(() => void (finish = () => new Promise(() => {})));

    it('an end in order says so instead of looking complete', async () => {
      const client = await connect({ lastWordsMs: 1 });
      const closed = closeOf(client);
      connection.close();
      expect(await closed).toEqual({ code: 1011, reason: 'timed_out' });
      expect(calls).toContain('refuse timed_out');
    });

    it('an error is told without them', async () => {
      const client = await connect({ finishMs: 1 });
      const closed = closeOf(client);
      connection.fail(new AppError('quota_exceeded'));
      expect(await closed).toEqual({ code: 1008, reason: 'quota_exceeded' });
    });

    it('a server that closes does not wait for an end in order', async () => {
      const client = await connect({ finishMs: 1 });
      const closed = closeOf(client);
      connection.close();
      void app.close();
      expect(await closed).toEqual({ code: 1001, reason: 'service_unavailable' });
      expect(calls).toContain('refuse service_unavailable');
    });
  });

  describe('when the server closes while an end in order waits for the last words', () => {
    it.each<[string, (words: PromiseWithResolvers<void>) => void, number, string]>([
      ['is in order if all of them come', ({ resolve }) => resolve(), 1000, ''],
      ['tells why they failed', ({ reject }) => reject(new AppError('engine_failed')), 1011, 'engine_failed'],
      [
        'tells what else failed',
        ({ resolve }) => {
          connection.fail(new AppError('upstream_unavailable'));
          resolve();
        },
        1011,
        'upstream_unavailable',
      ],
    ])('%s', async (_name, endWords, code, reason) => {
      const client = await connect();
      const closed = closeOf(client);
      const words = Promise.withResolvers<void>();
      finish = () => words.promise;
      connection.close();
      const isClosing = Promise.withResolvers<void>();
      onClosing = isClosing.resolve;
      const ended = app.close();
      await isClosing.promise;
      await new Promise(setImmediate);
      endWords(words);
      expect(await closed).toEqual({ code, reason });
      await ended;
    });
  });

  // A busy engine throws `service_unavailable`, too.
  it.each([
    ['engine_failed', 1011],
    ['service_unavailable', 1001],
  ] as const)('an end in order tells what failed meanwhile: %s', async (failed, code) => {
    const client = await connect();
    const closed = closeOf(client);
    finish = async () => connection.fail(new AppError(failed));
    connection.close();
    expect(await closed).toEqual({ code, reason: failed });
    expect(calls).toContain(`refuse ${failed}`);
  });

  it('tells why the last words failed', async () => {
    const client = await connect();
    finish = () => Promise.reject(new AppError('engine_failed'));
    const closed = closeOf(client);
    connection.close();
    expect(await closed).toEqual({ code: 1011, reason: 'engine_failed' });
    expect(calls).toContain('refuse engine_failed');
  });

  // RFC 6455, section 7.4.1: 1001 going away, 1008 policy, 1011 unexpected condition.
  it.each<[unknown, number, ErrorCode]>([
    [new AppError('invalid_parameter'), 1008, 'invalid_parameter'],
    [new AppError('account_blocked'), 1008, 'account_blocked'],
    [new AppError('service_unavailable'), 1001, 'service_unavailable'],
    [new AppError('engine_failed'), 1011, 'engine_failed'],
    [new AppError('upstream_unavailable'), 1011, 'upstream_unavailable'],
    [new TypeError('secret detail'), 1011, 'internal_error'],
    ['not an error', 1011, 'internal_error'],
  ])('for %s has a code of RFC 6455', async (thrown, code, reason) => {
    const client = await connect();
    receive = () => {
      throw thrown;
    };
    const closed = closeOf(client);
    client.send('x');
    expect(await closed).toEqual({ code, reason });
  });

  it('because the client left frees what it used', async () => {
    const client = await connect();
    client.terminate();
    await expect.poll(() => calls).toEqual(['dispose']);
  });

  it('with the server says that it goes away, before the server is closed', async () => {
    const client = await connect();
    const closed = closeOf(client);
    await app.close();
    expect(calls).toEqual(['finish', 'refuse service_unavailable', 'dispose']);
    expect(await closed).toEqual({ code: 1001, reason: 'service_unavailable' });
  });
});

describe('a client that is no longer there', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('is disconnected after a long silence', async () => {
    const client = await connect({ idleMs: 10_000, pingMs: 10_001 });
    const closed = closeOf(client);
    vi.advanceTimersByTime(10_001);
    expect(await closed).toEqual({ code: 1008, reason: 'request_timeout' });
  });

  it('stays connected while messages come', async () => {
    const client = await connect({ idleMs: 10_000, pingMs: 6_000 });
    const [served] = [...server.clients];
    for (let count = 1; count <= 4; count += 1) {
      client.send('x');
      await expect.poll(() => calls.length).toBe(count);
      const answered = once(served!, 'pong');
      vi.advanceTimersByTime(6_000);
      await answered;
    }
    expect(calls).toEqual(Array.from({ length: 4 }, () => 'receive x'));
  });

  it('is disconnected when it answers no ping', async () => {
    const client = await connect({ pingMs: 1_000 });
    const closed = closeOf(client);
    vi.advanceTimersByTime(1_000);
    expect(server.clients.size).toBe(1);
    vi.advanceTimersByTime(1_000);
    // 1006: the connection was lost without a close.
    expect((await closed).code).toBe(1006);
    await expect.poll(() => calls).toEqual(['dispose']);
  });
});

describe('a client', () => {
  it('is disconnected when it reads too little', async () => {
    const client = await connect({ maxUnreadBytes: 1_000 });
    client.pause();
    const message = { text: 'x'.repeat(10_000) };
    // Until the buffers of the network are full.
    for (let count = 0; count < 3_000 && server.clients.size > 0 && calls.length === 0; count += 1) {
      connection.send(message);
      if (count % 100 === 0) await new Promise(setImmediate);
    }
    await expect.poll(() => calls).toEqual(['dispose']);
    client.terminate();
  });

  it('that reads again at once learns why', async () => {
    const client = await connect({ maxUnreadBytes: 1_000 });
    const closed = closeOf(client);
    client.pause();
    // More than the buffers of the network hold, in one turn.
    const message = { text: 'x'.repeat(16 * 1024 ** 2) };
    for (let count = 0; count < 3; count += 1) connection.send(message);
    client.resume();
    expect(await closed).toEqual({ code: 1008, reason: 'request_timeout' });
  });
});
