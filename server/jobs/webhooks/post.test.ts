import { createServer, type AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { freePort } from '#testbed/servers/free-port.ts';
import { startWebhookReceiver, type Reaction } from '#testbed/servers/webhook-receiver.ts';
import { createTransport, post, type Transport } from './post.ts';

const NEVER = new AbortController().signal;
const OPEN = createTransport({ allowPrivate: true });
/** The transport of the service, but 127.0.0.2 counts as public. */
const PUBLIC_IS_2: Transport = {
  ...createTransport({ allowPrivate: false }),
  isAllowed: (address) => address === '127.0.0.2',
};
const IMPATIENT: Transport = { ...OPEN, timeoutMs: 1_000 };
const IMPATIENT_TO_CONNECT: Transport = { ...OPEN, connectTimeoutMs: 250 };

const delivery = (url: string) => ({
  url,
  headers: { 'content-type': 'application/json', 'x-own': '1' },
  body: '{"text":"你好"}',
});
const send = (url: string, transport = OPEN, signal = NEVER) => post(delivery(url), transport, signal);
const neverAnswers: Transport['resolveHost'] = (_host, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const resolveHost: Transport['resolveHost'] = async () => ['127.0.0.1'];
const answering = (...answers: string[][]) => vi.fn<Transport['resolveHost']>(async () => answers.shift() ?? []);

it('the body and headers arrive unchanged, and the status is returned', async () => {
  await using receiver = await startWebhookReceiver([204]);
  expect(await send(`${receiver.baseUrl}/hook/a?b=c`)).toBe(204);
  expect(receiver.received).toEqual([
    {
      url: '/hook/a?b=c',
      body: '{"text":"你好"}',
      headers: {
        host: `127.0.0.1:${receiver.port}`,
        'content-type': 'application/json',
        'content-length': '17',
        'x-own': '1',
        connection: 'close',
      },
    },
  ]);
});

describe('addresses', () => {
  it('the name is resolved once, and the connection uses that address', async () => {
    await using receiver = await startWebhookReceiver();
    const resolve = answering(['127.0.0.1'], ['127.0.0.9']);
    expect(await send(`http://hooks.example:${receiver.port}/`, { ...OPEN, resolveHost: resolve })).toBe(200);
    expect(resolve.mock.calls.map(([host]) => host)).toEqual(['hooks.example']);
    expect(receiver.received[0]?.headers['host']).toBe(`hooks.example:${receiver.port}`);
  });

  it('a name that resolves to a public address and later to this machine is refused then', async () => {
    const port = await freePort();
    await using receiver = await startWebhookReceiver([200], { host: '127.0.0.2', port });
    await using victim = await startWebhookReceiver([200], { port });
    const transport = { ...PUBLIC_IS_2, resolveHost: answering(['127.0.0.2'], ['127.0.0.1']) };
    const url = `http://rebinding.example:${receiver.port}/`;
    expect(await send(url, transport)).toBe(200);
    await expect(send(url, transport)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'The name of the receiver leads to an address that is not public.',
    });
    expect([receiver.received.length, victim.received.length]).toEqual([1, 0]);
  });

  it('a private address among public ones is refused', async () => {
    await using receiver = await startWebhookReceiver([200], { host: '127.0.0.2' });
    const url = `http://both.example:${receiver.port}/`;
    const transport = { ...PUBLIC_IS_2, resolveHost: answering(['127.0.0.2', '127.0.0.1'], ['::1', '127.0.0.2']) };
    for (const _ of [1, 2]) await expect(send(url, transport)).rejects.toThrow('not public');
    expect(receiver.received).toEqual([]);
  });

  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0'])(
    'a literal address in the URL is checked: %s',
    async (host) => {
      await using victim = await startWebhookReceiver();
      await expect(send(`http://${host}:${victim.port}/`, createTransport({ allowPrivate: false }))).rejects.toThrow(
        'not public',
      );
      expect(victim.received).toEqual([]);
    },
  );

  it.each([301, 302, 307, 308] as const)('a redirect is not followed: %i', async (status) => {
    await using victim = await startWebhookReceiver();
    await using receiver = await startWebhookReceiver([{ status, redirect: `${victim.baseUrl}/secret` }], {
      host: '127.0.0.2',
    });
    expect(await send(receiver.baseUrl, PUBLIC_IS_2)).toBe(status);
    expect(victim.received).toEqual([]);
  });

  it('a name without an address fails', async () => {
    await expect(send('http://nothing.invalid/')).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'The name of the receiver was not found.',
    });
  });
});

describe('a misbehaving receiver', () => {
  it.each<[Reaction, string, Transport?]>([
    ['hang', 'The receiver did not answer in time.', IMPATIENT],
    ['drip-header', 'The receiver did not answer in time.', IMPATIENT],
    ['reset', 'The receiver did not answer: ECONNRESET.'],
  ])('%s fails with the reason', async (reaction, message, transport) => {
    await using receiver = await startWebhookReceiver([reaction]);
    await expect(send(receiver.baseUrl, transport)).rejects.toMatchObject({ code: 'service_unavailable', message });
  });

  it('only a little of an endless answer is read, and its status counts', async () => {
    await using receiver = await startWebhookReceiver(['flood']);
    expect(await send(receiver.baseUrl)).toBe(200);
    // Allows for the buffers of two sockets.
    expect(receiver.floodedBytes()).toBeLessThan(32 * 1024 ** 2);
  });

  it('the status counts when the body does not end within the time limit', async () => {
    await using receiver = await startWebhookReceiver(['drip']);
    expect(await send(receiver.baseUrl, IMPATIENT)).toBe(200);
  });

  it('a closed port, a missing TLS handshake and a silent name server fail in time', async () => {
    const receiver = await startWebhookReceiver();
    await receiver[Symbol.asyncDispose]();
    await expect(send(receiver.baseUrl)).rejects.toThrow('ECONNREFUSED');

    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    await expect(send(`https://127.0.0.1:${port}/`, IMPATIENT_TO_CONNECT)).rejects.toThrow(
      'could not be connected in time',
    );
    silent.close();
    const unresolved = { ...IMPATIENT_TO_CONNECT, resolveHost: neverAnswers };
    await expect(send('http://a.example/', unresolved)).rejects.toThrow('could not be connected in time');
  });

  it('an abort throws its reason', async () => {
    await using receiver = await startWebhookReceiver(['hang']);
    const stop = new AbortController();
    const delivery = send(receiver.baseUrl, OPEN, stop.signal);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 120_000);
    stop.abort(new AppError('service_unavailable', 'The service is stopping.'));
    await expect(delivery).rejects.toThrow('The service is stopping.');
  });
});

describe('over TLS', () => {
  let tls: { key: string; cert: string };
  beforeAll(async () => {
    const made = await generate([{ name: 'commonName', value: 'hooks.example' }], {
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'hooks.example' }] }],
    });
    tls = { key: made.private, cert: made.cert };
  });
  afterEach(() => vi.unstubAllEnvs());

  it('the certificate must be for the name, not the address', async () => {
    await using receiver = await startWebhookReceiver([200], { tls });
    const transport = { ...OPEN, resolveHost, ca: tls.cert };
    expect(await send(`https://hooks.example:${receiver.port}/`, transport)).toBe(200);
    expect(await send(`https://hooks.example.:${receiver.port}/`, transport)).toBe(200);
    for (const host of ['other.example', '127.0.0.1']) {
      await expect(send(`https://${host}:${receiver.port}/`, transport)).rejects.toThrow(
        'ERR_TLS_CERT_ALTNAME_INVALID',
      );
    }
    expect(receiver.received).toHaveLength(2);
  });

  it('an untrusted certificate is refused even if the environment disables verification', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    await using receiver = await startWebhookReceiver([200], { tls });
    await expect(send(`https://hooks.example:${receiver.port}/`, { ...OPEN, resolveHost })).rejects.toThrow(
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    );
    expect(receiver.received).toEqual([]);
  });
});
