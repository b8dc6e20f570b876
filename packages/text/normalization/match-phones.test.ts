import { describe, expect, test } from 'vitest';
import { tokenizePiece } from './tokenize.ts';

function phoneIn(text: string): string | null {
  const token = tokenizePiece(text, 'cantonese').tokens.find(({ token: { kind } }) => kind === 'phone')?.token;
  return token?.kind === 'phone' ? `${token.plus ? '+' : ''}${token.groups.join(' ')}` : null;
}

describe('a telephone number in its groups', () => {
  test.each([
    ['91234567', '9123 4567'],
    ['9123 4567', '9123 4567'],
    ['9123-4567', '9123 4567'],
    ['2345 6789', '2345 6789'],
    ['+852 9123 4567', '+852 9123 4567'],
    ['+852-9123-4567', '+852 9123 4567'],
    ['+85291234567', '+852 9123 4567'],
    ['+44 20 7946 0958', '+44 20 7946 0958'],
    ['+1 (415) 555 2671', '+1 415 555 2671'],
    ['852 9123 4567', '852 9123 4567'],
    ['853-6612-3456', '853 6612 3456'],
    ['86 138 0013 8000', '86 138 0013 8000'],
    ['13800138000', '138 0013 8000'],
    ['138 0013 8000', '138 0013 8000'],
    ['138-0013-8000', '138 0013 8000'],
    ['010-12345678', '010 12345678'],
    ['0755-1234567', '0755 1234567'],
    ['415-555-2671', '415 555 2671'],
    ['4111 1111 1111 1111', '4111 1111 1111 1111'],
    ['4111-1111-1111-1111', '4111 1111 1111 1111'],
    ['183 2000', '183 2000'],
    ['1878 200', '1878 200'],
    ['打999', '999'],
    ['致電1823', '1823'],
    ['熱線：18288', '18288'],
    ['電話係12345', '12345'],
    ['call 911', '911'],
    ['1823投訴熱線', '1823'],
    ['18222防騙熱線', '18222'],
    ['輸入+852', '+852'],
  ])('%s is %s', (text, groups) => {
    expect(phoneIn(text)).toBe(groups);
  });

  test('an area code in brackets is a group of its own', () => {
    const phones = tokenizePiece('(852) 2345 6789', 'cantonese').tokens.filter(({ token }) => token.kind === 'phone');
    expect(phones.map(({ token }) => token.text)).toEqual(['852', '2345 6789']);
  });
});

describe('no telephone number', () => {
  test.each([
    ['1234 5678', 'local numbers begin with 2 to 9'],
    ['9123456', 'seven digits'],
    ['912345678', 'nine digits'],
    ['999', 'nobody calls'],
    ['2000-3000人', 'a number of people'],
    ['2019-2024', 'years'],
    ['20002000個', 'a count'],
    ['+5 10', 'a sum'],
    ['+1 234567890123456', 'more than fifteen digits (E.164)'],
    ['打3次', 'a count'],
    ['打100個', 'a count'],
    ['100條熱線', 'a count'],
    ['1000人投訴熱線', 'a number of people'],
    ['贏+852分', 'points'],
    ['23456789.5', 'an amount'],
    ['23456789%', 'a share'],
  ])('%s: %s', (text) => {
    expect(phoneIn(text)).toBeNull();
  });
});

test('a number within a word or a longer number is no telephone number', () => {
  expect(phoneIn('A91234567')).toBeNull();
  expect(phoneIn('1234567890123456789')).toBeNull();
});
