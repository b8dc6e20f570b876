import { describe, expect, test } from 'vitest';
import { tokenizePiece } from './tokenize.ts';

const firstOf = (text: string) => tokenizePiece(text, 'cantonese').tokens[0]?.token;
const kindsOf = (text: string) => tokenizePiece(text, 'cantonese').tokens.map(({ token }) => token.kind);

describe('an e-mail address', () => {
  test.each(['a@b.com', 'john.smith@gmail.com', 'info+hk@mail.gov.hk', 'x_1%y@sub.domain.co.uk', '123@abc.org'])(
    '%s',
    (text) => {
      expect(firstOf(text)).toEqual({ text, kind: 'email' });
    },
  );

  test.each(['a@b', '@b.com', 'a@.com', 'a@@b.com', 'a @b.com'])('%s is none', (text) => {
    expect(kindsOf(text)).not.toContain('email');
  });
});

describe('a web address', () => {
  test.each([
    'https://www.gov.hk/tc/residents/',
    'http://example.com?q=1&r=2#top',
    'www.gov.hk',
    'gov.hk',
    'example.com/a/b_c-d.html',
    'sub.domain.org',
    'HTTPS://EXAMPLE.COM',
  ])('%s', (text) => {
    expect(firstOf(text)).toEqual({ text, kind: 'url' });
  });

  test.each([
    ['www.gov.hk.', 'www.gov.hk'],
    ['www.gov.hk,', 'www.gov.hk'],
    ['https://a.com/b)', 'https://a.com/b'],
    ['https://a.com/b?!', 'https://a.com/b'],
    ['gov.hk。', 'gov.hk'],
    ['gov.hk網頁', 'gov.hk'],
  ])('in %s the mark at the end does not belong to it', (text, address) => {
    expect(firstOf(text)?.text).toBe(address);
  });

  test.each(['e.g.', 'a.b', 'hello.world', 'Mr.Wong', '3.14', 'www', 'https://', 'gov.hkx'])('%s is none', (text) => {
    expect(kindsOf(text)).not.toContain('url');
  });
});

describe('a name of a file or a program', () => {
  test.each(['Node.js', 'ASP.NET', '.NET', '.env', 'readme.md', '2026.11.pdf', 'a-b_c.tar.gz', 'song.mp3'])(
    '%s is spoken with its dots',
    (text) => {
      expect(firstOf(`${text}先`)).toEqual({ text, kind: 'url' });
    },
  );

  test.each(['it.Then', 'ok.咁', 'x.jsa', '3.5', 'U.S.A.'])('%s is none', (text) => {
    expect(kindsOf(text)).not.toContain('url');
  });
});

describe('#words and @names', () => {
  test.each([
    ['#香港', 'hashtag', '香港'],
    ['#HongKong2026', 'hashtag', 'HongKong2026'],
    ['#_a', 'hashtag', '_a'],
    ['＃香港', 'hashtag', '香港'],
    ['@peter', 'mention', 'peter'],
    ['@peter_123', 'mention', 'peter_123'],
    ['@peter.', 'mention', 'peter'],
    ['@peter_.', 'mention', 'peter'],
  ])('%s', (text, kind, name) => {
    expect(firstOf(text)).toMatchObject({ kind, name });
  });

  test.each(['#1', '#HK-123', '# a', '@', '@1', '@_', '@..'])('%s is none', (text) => {
    expect(kindsOf(text)).not.toContain('hashtag');
    expect(kindsOf(text)).not.toContain('mention');
  });
});

test('an address of ten thousand characters is tokenized without loss', () => {
  const text = `https://a.com/${'b'.repeat(10_000)}`;
  const { tokens } = tokenizePiece(text, 'cantonese');
  expect(tokens.map(({ token }) => token.text).join('')).toBe(text);
  expect(tokens[0]?.token.kind).toBe('url');
});
