import { describe, expect, it } from 'vitest';
import { joinTokens, piecesOfText, withoutTags } from './pieces.ts';

const join = (tokens: string[], startsMs?: number[], soundMs = 10_000) =>
  joinTokens(tokens, startsMs ?? tokens.map((_token, index) => index * 200), soundMs);
const textsOf = (tokens: string[]) => join(tokens).map(({ text, after }) => text + after);

describe('joining tokens', () => {
  it.each<[string, string[], string[]]>([
    ['keeps characters', ['香', '港', '人'], ['香', '港', '人']],
    ['joins the parts of a word', ['▁hel', 'lo', '▁wor', 'ld'], ['hello', 'world']],
    ['a leading space begins a word', [' thank', ' you'], ['thank', 'you']],
    ['moves a lone boundary to the next token', ['我', '▁', 'send', '咗'], ['我', 'send', '咗']],
    ['separates Latin words from characters', ['我', 'send', '咗', 'email'], ['我', 'send', '咗', 'email']],
    ['joins bytes to characters', ['<0xE9>', '<0xA6>', '<0x99>', '港'], ['香', '港']],
    ['drops partial characters', ['<0xE9>', '<0xA6>', '港'], ['港']],
    ['drops tags', ['<|yue|>', '<|NEUTRAL|>', '<|Speech|>', '<|woitn|>', '你', '<unk>', '好'], ['你', '好']],
    ['joins digits to a number', ['二', '0', '2', '4', '年'], ['二', '024', '年']],
    ['attaches punctuation to the previous unit', ['你', '好', '，', '早', '晨', '。'], ['你', '好，', '早', '晨。']],
    ['drops punctuation before the first word', ['，', '你'], ['你']],
    ['keeps an apostrophe in a word', ['▁don', "'", 't'], ["don't"]],
    ['keeps a decimal point in a number', ['3', '.', '1', '4'], ['3.14']],
    ['separates a final full stop', ['▁yes', '.'], ['yes.']],
    ['splits tokens of several characters', ['香港', '人'], ['香', '港', '人']],
    ['returns nothing for empty tokens', ['', ' ', '<blk>'], []],
  ])('%s', (_name, tokens, expected) => {
    expect(textsOf(tokens)).toEqual(expected);
  });
});

describe('times', () => {
  it('a character ends at the next one, but after at most half a second', () => {
    const pieces = join(['香', '港', '人'], [100, 300, 2_000], 3_000);
    expect(pieces.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [100, 300],
      [300, 800],
      [2_000, 2_500],
    ]);
  });

  it('a word extends from its first to its last part', () => {
    const [word] = join(['▁hel', 'lo', '你'], [100, 300, 600]);
    expect(word).toMatchObject({ text: 'hello', startMs: 100, endMs: 600 });
  });

  it('a character begins at its first byte', () => {
    const [first, second] = join(['<0xE9>', '<0xA6>', '<0x99>', '港'], [100, 140, 180, 400]);
    expect([first?.startMs, first?.endMs, second?.startMs]).toEqual([100, 400, 400]);
  });

  it('times are ordered and within the audio for invalid times of the model', () => {
    const pieces = join(['一', '二', '三', '四'], [900, 300, -5, 9_000], 1_000);
    let reachedMs = 0;
    for (const { startMs, endMs } of pieces) {
      expect(startMs).toBeGreaterThanOrEqual(reachedMs);
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      reachedMs = endMs;
    }
    expect(reachedMs).toBeLessThanOrEqual(1_000);
  });

  it('missing times give finite times', () => {
    for (const { startMs, endMs } of join(['一', '二'], [], 1_000)) expect(startMs + endMs).toBeGreaterThanOrEqual(0);
  });
});

describe('text without times', () => {
  it('is distributed over the audio', () => {
    const pieces = piecesOfText('你好 hello', 800);
    expect(pieces.map(({ text }) => text)).toEqual(['你', '好', 'hello']);
    expect(pieces.at(-1)?.endMs).toBeLessThanOrEqual(800);
  });

  it('loses tags, partial characters and superfluous space', () => {
    expect(withoutTags(' <|en|> hello \ufffd  there ')).toBe('hello there');
  });
});
