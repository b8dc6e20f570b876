import { describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { checkCallbackUrl, hostOf } from './callback-url.ts';

const PUBLIC_ONLY = { allowPrivate: false };
const ANY_ADDRESS = { allowPrivate: true };

function refusalOf(url: string, policy = PUBLIC_ONLY): string | null {
  try {
    checkCallbackUrl(url, policy);
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_parameter') throw error;
    return error.message;
  }
}

/** Hosts that are, or may be, inside a private network. */
const PRIVATE_HOSTS = {
  'this machine': `
    127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7F000001 017700000001 0x7f.1 0177.0.0.1 0x7f.0x0.0x0.0x1
    0X7f.0.0.01 127.000.000.001 127.0.0.1. 127.0.0.1.. %31%32%37.0.0.1 127。0。0。1 ①②⑦.0.0.1 1２7.0.0.1
    [::1] [0:0:0:0:0:0:0:1] [0000:0000::0001] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001] [::127.0.0.1]
    [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001::7f00:1]
    [::1%25lo] [::1%lo] localhost LOCALHOST localhost. localhost.. a.localhost localhost.localdomain ｌocalhost %6cocalhost
    0 0.0.0.0 0x0 00 0.1.2.3 [::] [::0.0.0.0] [::ffff:0.0.0.0] [::ffff:0:0]`,
  'a private network': `
    10.0.0.1 10.1 0xa.0.0.1 012.0.0.1 167772161 172.16.0.1 172.31.255.255 192.168.1.1 0xC0A80101 [::ffff:10.0.0.1]
    [::ffff:a00:1] [fc00::1] [fd12:3456:789a::1] [fec0::1] [2002:a00:1::1] [2002:c0a8:101::1]`,
  'the metadata of a cloud': `
    169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] 169.254.170.2
    [fd00:ec2::254] [fe80::a9fe:a9fe] [fe80::1%25eth0] 100.100.100.200 192.0.0.192 168.63.129.16 metadata
    metadata.google.internal METADATA.GOOGLE.INTERNAL. instance-data.ec2.internal`,
  'a range that is not public': `
    100.64.0.1 100.127.255.254 224.0.0.1 239.255.255.250 255.255.255.255 240.0.0.1 192.0.2.1 198.18.0.1 198.51.100.7
    203.0.113.9 192.88.99.1 [ff02::1] [ff0e::1] [100::1] [2001:db8::1] [2001:2::1] [3fff::1] [4000::1] [5f00::1]`,
  'a name of a local network': `
    intranet db kubernetes printer.local nas.lan router.home router.home.arpa x.internal. wiki.corp a.intranet x.private
    x.test x.invalid abc.onion 1.0.0.127.in-addr.arpa`,
};

/** Hosts of the public Internet, some similar to private ones. */
const PUBLIC_HOSTS = `
  example.com example.com. hooks.example.org:8443 EXAMPLE.com 粵聲.hk xn--tj1az3o.hk 8.8.8.8 8.8.8.8:9000 1.1.1.1 0x08080808
  0127.0.0.1 172.15.0.1 172.32.0.1 192.169.0.1 100.63.255.255 100.128.0.1 169.253.1.1 11.0.0.1 126.0.0.1 128.0.0.1
  223.255.255.254 168.63.129.17 [2606:4700:4700::1111] [2606:4700:4700::1111]:444 [::ffff:8.8.8.8] [64:ff9b::8.8.8.8]
  localhost.example.com 127.0.0.1.nip.io internal.example.com notlocalhost.com local.host 10.example.com`;

const words = (text: string) => text.trim().split(/\s+/);
const PRIVATE_CASES = Object.entries(PRIVATE_HOSTS).flatMap(([what, hosts]) =>
  words(hosts).map((host) => ({ what, host })),
);

describe('a callback_url', () => {
  it.each(PRIVATE_CASES)('cannot lead to $what as $host', ({ host }) => {
    expect(refusalOf(`https://${host}/hook`)).toMatch(/^The field "callback_url" must .+\.$/);
  });

  it('is tested with more than a hundred private hosts', () => {
    expect(new Set(PRIVATE_CASES.map(({ host }) => host)).size).toBeGreaterThan(100);
  });

  it.each(words(PUBLIC_HOSTS))('can lead to %s', (host) => {
    expect(refusalOf(`https://${host}/hook?order=1`)).toBeNull();
  });

  it.each([
    ['http://example.com/hook', 'must be a complete URL that begins with https://.'],
    ['ftp://example.com/', 'must be a complete URL that begins with https://.'],
    ['javascript:alert(1)', 'must be a complete URL that begins with https://.'],
    ['file:///etc/passwd', 'must be a complete URL that begins with https://.'],
    ['//example.com/hook', 'must be a complete URL that begins with https://.'],
    ['https:example.com', 'must be a complete URL that begins with https://.'],
    ['https:/example.com', 'must be a complete URL that begins with https://.'],
    ['https://', 'must be a complete URL that begins with https://.'],
    ['https://example.com:99999/', 'must be a complete URL that begins with https://.'],
    ['', 'must be a complete URL that begins with https://.'],
    ['example.com/hook', 'must be a complete URL that begins with https://.'],
    ['https://user:secret@example.com/', 'must not contain a user name or password.'],
    ['https://user@example.com/', 'must not contain a user name or password.'],
    ['https://@example.com/', 'must not contain a user name or password.'],
    ['https://example.com@127.0.0.1/', 'must not contain a user name or password.'],
    ['https:///user@example.com/', 'must not contain a user name or password.'],
    ['https://example.com/#part', 'must not contain a fragment (#).'],
    ['https://example.com/#', 'must not contain a fragment (#).'],
    [' https://example.com/', 'must not contain spaces, control characters or backslashes.'],
    ['https://exam\tple.com/', 'must not contain spaces, control characters or backslashes.'],
    ['https://example.com/\r\nHost: other', 'must not contain spaces, control characters or backslashes.'],
    ['https:\\\\example.com\\@127.0.0.1', 'must not contain spaces, control characters or backslashes.'],
    [`https://example.com/${'a'.repeat(1_981)}`, 'may have at most 2000 characters.'],
  ])('%j is refused with the reason', (url, why) => {
    expect(refusalOf(url)).toBe(`The field "callback_url" ${why}`);
  });

  it('may have the maximum length, and a port and an @ in its path', () => {
    expect(refusalOf(`https://example.com/${'a'.repeat(1_980)}`)).toBeNull();
    expect(refusalOf('https://example.com:8443/@me?mail=a@b.c')).toBeNull();
  });

  it('may be http and private with allowPrivate; all other rules stay', () => {
    for (const url of [
      'http://127.0.0.1:3000/hook',
      'https://[::1]/',
      'http://receiver/',
      'http://10.0.0.1',
      'https://a.internal',
    ]) {
      expect(refusalOf(url, ANY_ADDRESS)).toBeNull();
    }
    for (const url of ['http://u:p@127.0.0.1/', 'ftp://127.0.0.1/', 'http://127.0.0.1/#a', ' http://127.0.0.1/']) {
      expect(refusalOf(url, ANY_ADDRESS)).not.toBeNull();
    }
    expect(refusalOf('gopher://receiver/', ANY_ADDRESS)).toContain('https:// or http://');
  });

  it.each([
    ['https://EXAMPLE.com.:443/a', 'example.com'],
    ['https://[::1]/', '::1'],
    ['https://0x7f.1/', '127.0.0.1'],
  ])('the host of %s is %s', (url, host) => {
    expect(hostOf(new URL(url))).toBe(host);
  });
});
