import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTimeMs } from '#test/cpu-time.ts';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { splitSentences, splitText } from './split-text.ts';
import { tokenize } from './tokenize.ts';
import { plainText } from './plain-text.ts';
import type { TokenizedPiece } from './tokens.ts';

const texts = (text: string) => splitText(text, 'cantonese').map((piece) => piece.text);
const written = ({ text, endsSentence }: TokenizedPiece) => ({ text, endsSentence });
const fragments = fc.constantFrom(
  '今日', '我哋去食飯', '，', '。', '？！', '「', '」', '（', '）', ' ', '\n', '3.14', '1,000', '12:30', 'U.S.', 'Dr. Chan', 'hello', 'MTR', '$12.5',
  '2026-11-21', '😀', '👨‍👩‍👧‍👦', '\u0000', '\u202e', 'مرحبا', '\ud83d', '\udc00', 'https://example.com/a?b=c', '...', '—', '123456789', 'A11', '५', 'α',
); // prettier-ignore
const anyText = fc
  .array(fc.oneof(fragments, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 60 })
  .map((parts) => parts.join(''));

test('a short sentence is one piece', () => {
  expect(splitText('你好，世界。', 'cantonese').map(written)).toEqual([{ text: '你好，世界。', endsSentence: true }]);
});

test('sentences are pieces of their own, with the spaces after them', () => {
  expect(texts('早晨。食咗飯未呀？ 未呀！')).toEqual(['早晨。', '食咗飯未呀？ ', '未呀！']);
  expect(texts('He is in. She is out.')).toEqual(['He is in. ', 'She is out.']);
});

test('the first piece ends at its first comma, so that its sound is ready soon', () => {
  const [first, second] = splitText('各位乘客，下一站係中環，請由左邊車門落車，多謝合作。', 'cantonese');
  expect(written(first!)).toEqual({ text: '各位乘客，', endsSentence: false });
  expect(second?.endsSentence).toBe(true);
});

test('the first piece of a long sentence without punctuation ends after about a dozen syllables', () => {
  const [first] = texts('政府同多間大學合作研究點樣可以令到全港市民都用到更加快更加平嘅公共交通服務');
  expect(Array.from(first ?? '').length).toBeGreaterThanOrEqual(4);
  expect(Array.from(first ?? '').length).toBeLessThanOrEqual(16);
});

test.each(['a', 'qwrtz', '0123456789', '%', '＠', '>=', '≤', 'a.', '1/', '+852 ', 'A1'])(
  'a text of only %j makes no piece that lasts for minutes',
  (unit) => {
    const text = `${unit.repeat(5_000 / unit.length)}1`;
    for (const piece of texts(text)) expect(piece.length).toBeLessThanOrEqual(200);
    expect(texts(text).join('')).toBe(text);
  },
);

test('no cut is within a Cantonese word or before its particle', () => {
  expect(texts('其他人食咗乜嘢好西去咗邊度旅行享受乜嘢人生').join('|')).not.toMatch(/邊\|度|乜\|嘢|\|咗/u);
  expect(texts('政府同多間大學合作研究點樣可以令到佢哋全部市民都鍾意嘅公共交通服務').join('|')).not.toMatch(
    /\|[哋嘅]|鍾\|意/u,
  );
});

test('no piece is longer than a breath', () => {
  const long = '我哋今日一齊去行山然後去食嘢跟住返屋企瞓覺'.repeat(40);
  const sizes = texts(long).map((piece) => Array.from(piece).length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(40);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(4);
});

test('a long English sentence is cut between words after about 25 of them', () => {
  const pieces = texts(Array.from({ length: 120 }, (_, index) => (index % 2 === 0 ? 'river' : 'stone')).join(' '));
  for (const piece of pieces) expect(piece.trim().split(' ').length).toBeLessThanOrEqual(26);
  expect(pieces.every((piece) => /^(?:river|stone)/.test(piece))).toBe(true);
});

test.each([
  'Dr. Wong', 'U.S. law', '3.5', '1,000,000', '12:30', '2026-11-21', 'https://example.com/a.b?c=d', 'info@example.com', 'e.g. this', 'HK$1,234.50', '+852 9123 4567',
])('nothing is cut within %s', (whole) => {
  const text = `我哋${'好'.repeat(3)}${whole}，${'一'.repeat(30)}${whole}${'啲嘢'.repeat(20)}${whole}。`;
  expect(texts(text).join('').split(whole)).toHaveLength(4);
  expect(texts(text).filter((piece) => piece.includes(whole)).join('').split(whole)).toHaveLength(4);
}); // prettier-ignore

test('a text without speakable content has no pieces', () => {
  for (const text of ['', ' \n', '……！', '😀'.repeat(5_000), '\u0000\u200b', '\ud83d', 'مرحبا', '⺀', '々'])
    expect(splitText(text, 'cantonese')).toEqual([]);
});

test('punctuation and emoji alone are part of an adjacent piece', () => {
  expect(texts('！！你好😀😀\n\n……\n再見🎉')).toEqual(['！！你好😀😀\n\n……\n', '再見🎉']);
});

const isSpoken = (kind: string) => kind !== 'mark' && kind !== 'silent';

test('the pieces together are the text, and each has something to speak', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const pieces = splitText(text, 'cantonese');
      expect(pieces.map((piece) => piece.text).join('')).toBe(pieces.length === 0 ? '' : text);
      expect(pieces.at(-1)?.endsSentence ?? true).toBe(true);
      expect(pieces.every(({ tokens }) => tokens.some(({ token }) => isSpoken(token.kind)))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('a mark behind an address that is longer than a piece is not a piece', () => {
  const address = 'https://example.com/a?b=chttps://example.com/abcdefghijk';
  expect(texts(`${address}（`)).toEqual([`${address}（`]);
});

test('the tokens of the pieces are those of the text', () => {
  const text = '我買咗$12嘅coffee。搭MTR要15分鐘，「行路」就要3-5個字；電話2345 6789。';
  const whole = tokenize(plainText(text, 'cantonese'), 'cantonese').map(({ token }) => token);
  expect(splitSentences(text, 'cantonese').flatMap(({ tokens }) => tokens.map(({ token }) => token))).toEqual(whole);
  const meanings = splitText(text, 'cantonese').flatMap(({ tokens }) => tokens.map(({ token }) => token.kind));
  expect(meanings.filter((kind) => kind !== 'han')).toEqual(
    whole.map(({ kind }) => kind).filter((kind) => kind !== 'han'),
  );
});

test('tokens are at their positions in the piece, and cover all of it except white space', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(...LANGUAGES), (text, language) => {
      for (const { plain, tokens } of splitText(text, language)) {
        let end = 0;
        for (const { token, at } of tokens) {
          expect(at).toBeGreaterThanOrEqual(end);
          expect(plain.slice(end, at)).toMatch(/^[\s\p{Cc}\p{Cf}]*$/u);
          expect(plain.startsWith(token.text, at)).toBe(true);
          end = at + token.text.length;
        }
        expect(plain.slice(end)).toMatch(/^[\s\p{Cc}\p{Cf}]*$/u);
      }
    }),
    { numRuns: 500 },
  );
});

test.each(['%(', '=+*', '(%#', '%(\u{1F600}', 'a', '\u{20BB7}', 'ab-'])(
  'signs that leave no place for a cut do not make one piece: %j',
  (unit) => {
    const text = `1${unit.repeat(5_000 / unit.length)}`;
    const pieces = splitText(text, 'english');
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(Math.max(...pieces.map((piece) => piece.text.length))).toBeLessThanOrEqual(301);
    expect(pieces.every((piece) => !/^[\uDC00-\uDFFF]/.test(piece.text))).toBe(true);
  },
);

test('whole sentences are never cut', () => {
  const long = `${'一路行一路唱'.repeat(100)}。`;
  expect(splitSentences(`${long}早晨。`, 'cantonese').map((piece) => piece.text)).toEqual([long, '早晨。']);
});

/**
 * The processor time of one split, as the least mean of several series: one split is shorter than
 * the steps of the clock.
 */
function costMs(text: string): number {
  const series = Array.from({ length: 3 }, () => {
    const startMs = cpuTimeMs();
    let splits = 0;
    do {
      splitText(text, 'cantonese');
      splits += 1;
    } while (cpuTimeMs() - startMs < 30);
    return (cpuTimeMs() - startMs) / splits;
  });
  return Math.min(...series);
}

test.each(['字', 'a', '1', '1-', '1,', '$', '+1 ', '(', '😀', '\ud800', 'a.', 'a@', 'www.', '１：', 'x-', '「'])(
  'ten times the text of %j takes about ten times as long',
  (unit) => {
    const short = unit.repeat(Math.ceil(1_000 / unit.length));
    // Ten times would be linear, a hundred quadratic.
    expect(costMs(short.repeat(10)) / costMs(short)).toBeLessThan(50);
  },
);

test('a number stays with what it counts, which decides how it is read', () => {
  const pieces = texts('我哋今日下晝喺銅鑼灣時代廣場買2個蛋糕同埋好多支可樂汽水返屋企開派對');
  expect(pieces.filter((piece) => /\d\s*$/.test(piece))).toEqual([]);
});
