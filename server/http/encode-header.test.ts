import { describe, expect, it } from 'vitest';
import { encodeHeader } from './encode-header.ts';

describe('a value as a header', () => {
  it.each([
    ['plain text', 'plain text'],
    ['', ''],
    [' ', '%20'],
    [' a b ', '%20a b%20'],
    ['100%', '100%'],
    ['a\r\nSet-Cookie: x', 'a%0D%0ASet-Cookie: x'],
    ['\0\x7f\t', '%00%7F%09'],
    ['é', '%C3%A9'],
    ['粵語', '%E7%B2%B5%E8%AA%9E'],
    ['𠮷', '%F0%A0%AE%B7'],
    ['🎤 ok', '%F0%9F%8E%A4 ok'],
    [7, '7'],
    [null, 'null'],
    [['粵'], '["%E7%B2%B5"]'],
    [{ a: 'b' }, '{"a":"b"}'],
  ])('%j is %s', (value, expected) => {
    expect(encodeHeader(value)).toBe(expected);
  });

  it('replaces half a character, which has no bytes', () => {
    expect(encodeHeader('a\ud842b')).toBe('a%EF%BF%BDb');
  });

  it('has at most 1,024 characters, and no part of an escape at the end', () => {
    for (const character of ['a', 'é', '粵', '𠮷', ' ']) {
      for (let length = 1_000; length < 1_030; length += 1) {
        const header = encodeHeader(`${'x'.repeat(length)}${character.repeat(40)}`);
        expect(header.length).toBeLessThanOrEqual(1_024);
        expect(header.length).toBeGreaterThan(1_024 - 12);
        expect(header.replaceAll(/%[0-9A-F]{2}/g, '')).toMatch(/^[\x20-\x7e]+$/);
        expect(header).not.toMatch(/[A-Fa-z0-9]%[0-9A-F]?$/);
      }
    }
  });

  it('has no whole character missing in the middle of long text', () => {
    const header = encodeHeader('粵'.repeat(2_000));
    expect(decodeURIComponent(header)).toMatch(/^粵+$/);
  });

  it('is one that Node sends, for any text', () => {
    for (let code = 0; code < 0x3000; code += 1) {
      expect(encodeHeader(String.fromCharCode(code))).toMatch(/^[\x21-\x7e]+$/);
    }
  });
});
