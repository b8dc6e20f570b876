import { describe, expect, it } from 'vitest';
import { joinTokens, piecesOfText, withoutTags } from './pieces.ts';

const join = (tokens: string[], startsMs?: number[], soundMs = 10_000) =>
  joinTokens(tokens, startsMs ?? tokens.map((_token, index) => index * 200), soundMs);
const textsOf = (tokens: string[]) => join(tokens).map(({ text, after }) => text + after);

describe('tokens become what people read', () => {
  it.each<[string, string[], string[]]>([
    ['characters stay characters', ['香', '港', '人'], ['香', '港', '人']],
    ['pieces of a word are one word', ['▁hel', 'lo', '▁wor', 'ld'], ['hello', 'world']],
    ['a leading space begins a word', [' thank', ' you'], ['thank', 'you']],
    ['a lone boundary belongs to what follows', ['我', '▁', 'send', '咗'], ['我', 'send', '咗']],
    [
      'a Latin word between characters is a word of its own',
      ['我', 'send', '咗', 'email'],
      ['我', 'send', '咗', 'email'],
    ],
    ['bytes become characters', ['<0xE9>', '<0xA6>', '<0x99>', '港'], ['香', '港']],
    ['half a character is none', ['<0xE9>', '<0xA6>', '港'], ['港']],
    ['tags are no text', ['<|yue|>', '<|NEUTRAL|>', '<|Speech|>', '<|woitn|>', '你', '<unk>', '好'], ['你', '好']],
    ['digits are one number', ['二', '0', '2', '4', '年'], ['二', '024', '年']],
    ['marks hang on what is before them', ['你', '好', '，', '早', '晨', '。'], ['你', '好，', '早', '晨。']],
    ['a mark before the first word is dropped', ['，', '你'], ['你']],
    ['an apostrophe is a letter', ['▁don', "'", 't'], ["don't"]],
    ['a point in a number is part of it', ['3', '.', '1', '4'], ['3.14']],
    ['a full stop at the end is not', ['▁yes', '.'], ['yes.']],
    ['several characters in a token are several', ['香港', '人'], ['香', '港', '人']],
    ['nothing is nothing', ['', ' ', '<blk>'], []],
  ])('%s', (_promise, tokens, expected) => {
    expect(textsOf(tokens)).toEqual(expected);
  });
});

describe('times', () => {
  it('a character lasts until the next begins, but no longer than half a second', () => {
    const pieces = join(['香', '港', '人'], [100, 300, 2_000], 3_000);
    expect(pieces.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [100, 300],
      [300, 800],
      [2_000, 2_500],
    ]);
  });

  it('a word lasts from its first piece to the end of its last', () => {
    const [word] = join(['▁hel', 'lo', '你'], [100, 300, 600]);
    expect(word).toMatchObject({ text: 'hello', startMs: 100, endMs: 600 });
  });

  it('the bytes of a character begin where the first does', () => {
    const [first, second] = join(['<0xE9>', '<0xA6>', '<0x99>', '港'], [100, 140, 180, 400]);
    expect([first?.startMs, first?.endMs, second?.startMs]).toEqual([100, 400, 400]);
  });

  it('nothing ends after the sound or before it begins, whatever the model says', () => {
    const pieces = join(['一', '二', '三', '四'], [900, 300, -5, 9_000], 1_000);
    let reachedMs = 0;
    for (const { startMs, endMs } of pieces) {
      expect(startMs).toBeGreaterThanOrEqual(reachedMs);
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      reachedMs = endMs;
    }
    expect(reachedMs).toBeLessThanOrEqual(1_000);
  });

  it('times that are missing do not make times that are not numbers', () => {
    for (const { startMs, endMs } of join(['一', '二'], [], 1_000)) expect(startMs + endMs).toBeGreaterThanOrEqual(0);
  });
});

describe('text without times', () => {
  it('is spread over the sound', () => {
    const pieces = piecesOfText('你好 hello', 800);
    expect(pieces.map(({ text }) => text)).toEqual(['你', '好', 'hello']);
    expect(pieces.at(-1)?.endMs).toBeLessThanOrEqual(800);
  });

  it('loses tags, halves of characters and superfluous space', () => {
    expect(withoutTags(' <|en|> hello \ufffd  there ')).toBe('hello there');
  });
});
