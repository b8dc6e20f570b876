import { expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

it.each(['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '::ffff:1.1.1.1', '64:ff9b::101:101', '2a00:1450::1'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it.each([
  '127.0.0.1',
  '10.9.8.7',
  '169.254.169.254',
  '168.63.129.16',
  '0.0.0.0',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each([
  '2606:4700:4700::1111%eth0',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '2002:808:808::',
  '2001:0:808:808::',
  '::8.8.8.8',
])('%s is not public, although it contains a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each([
  '',
  'localhost',
  '8.8.8',
  '0x08080808',
  '08.8.8.8',
  '8.8.8.8 ',
  '1.2.3.4.5',
  'example.com',
  '[2606:4700::1]',
  ':::',
])('text that is not an address in its usual spelling is not public: %j', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

const dotted = (bits: number) => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');

it('no address of a private network is public', () => {
  const networks: [start: number, length: number][] = [
    [0x7f000000, 8],
    [0x0a000000, 8],
    [0xac100000, 12],
    [0xc0a80000, 16],
    [0xa9fe0000, 16],
    [0x64400000, 10],
    [0x00000000, 8],
    [0xe0000000, 3],
  ];
  for (const [start, length] of networks) {
    for (let tried = 0; tried < 500; tried++) {
      const address = dotted((start + Math.floor(Math.random() * 2 ** (32 - length))) >>> 0);
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
      expect([address, isPublicAddress(`::ffff:${address}`)]).toEqual([address, false]);
    }
  }
});
