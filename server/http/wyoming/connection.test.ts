import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createLogger } from '#telemetry/logger.ts';
import { serveConnection, WYOMING_LIMITS, type WyomingClient, type WyomingHandler } from './connection.ts';

const logger = createLogger('silent');
let stop = () => {};
afterEach(() => stop());

/** A client of a server with these limits; `served` resolves when the server is done with it. */
async function serve(
  limits: Partial<typeof WYOMING_LIMITS>,
  handle: (client: WyomingClient) => Promise<void>,
  closing = new AbortController().signal,
) {
  const served = Promise.withResolvers<void>();
  const create = (client: WyomingClient): WyomingHandler => ({
    handle: () => handle(client),
    async [Symbol.asyncDispose]() {},
  });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const deps = { logger, limits: { ...WYOMING_LIMITS, ...limits }, closing };
    void serveConnection(socket, deps, create).then(served.resolve, served.reject);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
  stop = () => {
    client.destroy();
    server.close();
  };
  return { client, served: served.promise };
}

async function textOf(client: ReturnType<typeof connect>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(client as AsyncIterable<Buffer>)).toString();
}

it('a client that reads nothing is disconnected, and what was sent to it fails', async () => {
  const outcome = Promise.withResolvers<unknown>();
  const { client, served } = await serve({ stalledMs: 30 }, async ({ send }) => {
    for (;;) {
      await send('audio-chunk', {}, Buffer.alloc(100_000)).catch((thrown: unknown) => {
        outcome.resolve(thrown);
        throw thrown;
      });
    }
  });
  client.pause();
  client.write('{"type":"synthesize"}\n');
  expect(await outcome.promise).toMatchObject({ code: 'client_closed_request' });
  await served;
});

it.each([
  ['sends nothing', '', { idleMs: 1 }],
  ['never ends an event', '{"type":', { eventMs: 1 }],
])('a client that %s is told so and disconnected', async (_name, begin, limits) => {
  const { client, served } = await serve(limits, async () => {});
  client.write(begin);
  expect(await textOf(client)).toContain('"code":"request_timeout"');
  await served;
});

it('an error that is none of ours tells no details', async () => {
  const { client, served } = await serve({}, async () => {
    throw new Error('/secret/path');
  });
  client.write('{"type":"describe"}\n');
  const text = await textOf(client);
  expect(text).toContain('"code":"internal_error"');
  expect(text).not.toContain('secret');
  await served;
});

it('a handler that fails later ends the connection', async () => {
  const { client, served } = await serve({}, async ({ fail }) => {
    setImmediate(() => fail(new Error('later')));
  });
  client.write('{"type":"audio-start"}\n');
  expect(await textOf(client)).toContain('"code":"internal_error"');
  await served;
});
