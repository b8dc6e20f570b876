import { createSocket, type Socket } from 'node:dgram';
import { isIP } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressesOf, chooseResolver, createDnsResolver, type ResolveHost } from './resolve-host.ts';

const NEVER = new AbortController().signal;

/** The records of the test name server; it does not answer for `silent.example`. */
const ZONE: Record<string, { a: string[]; aaaa: string[] }> = {
  'both.example': { a: ['93.184.216.34', '127.0.0.1'], aaaa: ['2606:2800:220:1:0:0:0:1'] },
  'four.example': { a: ['93.184.216.34'], aaaa: [] },
  'six.example': { a: [], aaaa: ['0:0:0:0:0:0:0:1'] },
};

describe('DNS', () => {
  let server: Socket;
  let resolve: ResolveHost;
  const queries: string[] = [];
  beforeAll(async () => {
    server = createSocket('udp4');
    server.on('message', (query, { port, address }) => {
      const answer = answerTo(query, queries);
      if (answer !== null) server.send(answer, port, address);
    });
    await new Promise<void>((done) => server.bind(0, '127.0.0.1', done));
    resolve = createDnsResolver([`127.0.0.1:${server.address().port}`]);
  });
  afterAll(() => void server.close());

  it.each([
    ['both.example', ['93.184.216.34', '127.0.0.1', '2606:2800:220:1::1']],
    ['four.example', ['93.184.216.34']],
    ['six.example', ['::1']],
  ])('all IPv4 and IPv6 addresses of %s are found', async (host, addresses) => {
    expect(await resolve(host, NEVER)).toEqual(addresses);
  });

  it('a name without an address is reported as not found', async () => {
    await expect(resolve('nothing.example', NEVER)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'The name of the receiver was not found.',
    });
  });

  it('an abort ends the query of a silent name server', async () => {
    const startedMs = performance.now();
    const reason = new Error('enough');
    await expect(resolve('silent.example', stopAfter(200, reason))).rejects.toBe(reason);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });

  it('an IP address needs no query', async () => {
    const before = queries.length;
    expect(await addressesOf('127.0.0.1', resolve, NEVER)).toEqual(['127.0.0.1']);
    expect(await addressesOf('::1', resolve, NEVER)).toEqual(['::1']);
    expect(queries.length).toBe(before);
  });
});

it('on a closed network the resolver of the system is used', async () => {
  const addresses = await chooseResolver({ allowPrivate: true })('localhost', NEVER);
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(['127.0.0.1', '::1']).toContain(address);
});

function stopAfter(delayMs: number, reason: Error): AbortSignal {
  const stop = new AbortController();
  setTimeout(() => stop.abort(reason), delayMs);
  return stop.signal;
}

/** A DNS answer (RFC 1035, section 4) to one question for A (1) or AAAA (28); null: no answer. */
function answerTo(query: Buffer, queries: string[]): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const name = labels.join('.').toLowerCase();
  const type = query.readUInt16BE(at + 1);
  queries.push(name);
  if (name === 'silent.example') return null;
  const zoneEntry = ZONE[name];
  const addresses = (type === 28 ? zoneEntry?.aaaa : zoneEntry?.a) ?? [];
  const header = Buffer.from(query.subarray(0, 12));
  // Success, or 3: the name does not exist. One question and these answers.
  header.writeUInt16BE(zoneEntry === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const bytes =
      isIP(address) === 4
        ? Buffer.from(address.split('.').map(Number))
        : Buffer.from(address.split(':').flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]));
    const record = Buffer.alloc(12);
    // The name of the question, class IN, 60 s TTL.
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(60, 6);
    record.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([header, query.subarray(12, at + 5), ...records]);
}
