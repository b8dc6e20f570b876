import { describe, expect, it } from 'vitest';
import { clientNetwork } from './client-network.ts';
import { REQUEST_ID, requestIdFor } from './request-id.ts';
import { isWebSocket } from './live/live-route.ts';

const idFor = (header: string | string[] | undefined) =>
  requestIdFor({ headers: header === undefined ? {} : { 'x-request-id': header as string } });

describe('the network of a client', () => {
  it.each(['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207'])('of %s is the IPv4 address', (address) => {
    expect(clientNetwork(address)).toBe('192.0.2.7');
  });

  // RFC 4291, section 2.2, has the forms of an address.
  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:0DB8:0001:0002::1'],
    ['2001:db8::1', '2001:db8:0:0:ffff::'],
    ['::1', '::2'],
  ])('of %s is that of %s', (one, other) => {
    expect(clientNetwork(one)).toBe(clientNetwork(other));
  });

  it.each([
    ['2001:db8:0:1::1', '2001:db8:0:2::1'],
    ['192.0.2.7', '192.0.2.8'],
  ])('of %s is not that of %s', (one, other) => {
    expect(clientNetwork(one)).not.toBe(clientNetwork(other));
  });

  it('of an address with a zone is that of the address', () => {
    expect(clientNetwork('fe80::1%eth0')).toBe(clientNetwork('fe80::1'));
  });

  it.each(['', 'unknown', '1.2.3', 'x:y'])('of what is no address is the text itself: %j', (text) => {
    expect(clientNetwork(text)).toBe(text);
  });
});

describe('the id of a request', () => {
  it.each(['a', 'A-1_b.c', 'x'.repeat(128), '0b0e3c0e-1111-4222-8333-444455556666'])(
    'is that of the client: %s',
    (id) => {
      expect(idFor(id)).toBe(id);
    },
  );

  it.each(['', ' a', 'a b', 'a\n', 'a\nb', 'é', 'x'.repeat(129), '{"a":1}', '../x', 'a;b', ['a', 'b'], undefined])(
    'is a new one instead of %j',
    (header) => {
      const id = idFor(header);
      expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(id).toMatch(REQUEST_ID);
      expect(idFor(header)).not.toBe(id);
    },
  );
});

describe('a request that becomes a WebSocket', () => {
  it.each([
    ['websocket', '/v1/realtime', true],
    ['WebSocket', '/v1/realtime?intent=transcription', true],
    ['websocket', '/v1/listen/', true],
    ['websocket', '/v1/listen/?a=b', true],
    ['h2c', '/v1/listen', false],
    [undefined, '/v1/listen', false],
    ['websocket', '/v1/listener', false],
    ['websocket', '/v1/listen/x', false],
    ['websocket', '/x?/v1/listen', false],
    ['websocket', undefined, false],
  ])('Upgrade %s of %s: %s', (upgrade, url, expected) => {
    expect(isWebSocket({ headers: upgrade === undefined ? {} : { upgrade }, url } as never)).toBe(expected);
  });
});
