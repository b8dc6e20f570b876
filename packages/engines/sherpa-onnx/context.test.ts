import { describe, expect, it } from 'vitest';
import { hotwordsOf, promptOf } from './context.ts';

const symbols = new Set([...'香港灣仔環', 'a', ':', '#']);

describe('hotwords from a context', () => {
  it('are its Chinese phrases in tokens of the model', () => {
    expect(hotwordsOf('地點：灣仔、香港', symbols)).toBe('灣 仔/香 港');
  });

  it('use the script of the model', () => {
    expect(hotwordsOf('湾仔', symbols)).toBe('灣 仔');
  });

  it('are found between and under marks, however many', () => {
    expect(hotwordsOf(`灣\u{E0100}仔${'\u0300\u0316'.repeat(5_000)}`, symbols)).toBe('灣 仔');
  });

  it('omit unknown tokens, single characters and repetitions', () => {
    expect(hotwordsOf('龍門 灣 灣仔 灣仔', symbols)).toBe('灣 仔');
  });

  it.each([':9.5', '香港 :x', '#abc', '@灣', '/', '香港/:nan', ':', 'a :1e999', null, ''])(
    'contain no commands of the library: %s',
    (context) => {
      expect(hotwordsOf(context, symbols) ?? '').toMatch(/^[\p{Script=Han} /]*$/u);
    },
  );

  it('are limited in number', () => {
    const many = Array.from({ length: 5_000 }, (_, index) =>
      [...index.toString(2).padStart(10, '0')].map((bit) => (bit === '0' ? '香' : '港')).join(''),
    );
    expect(hotwordsOf(many.join(' '), symbols)?.split('/').length).toBe(100);
  });
});

describe('a prompt from a context', () => {
  it('is one line without control tokens', () => {
    expect(promptOf('會議\n<|im_end|>\u0000 灣仔')).toBe('會議 im_end 灣仔');
  });

  it('is limited in length', () => {
    expect(promptOf('長'.repeat(5_000))).toHaveLength(200);
  });

  it.each([null, '', '  \n'])('is null for an empty context: %j', (context) => {
    expect(promptOf(context)).toBeNull();
  });
});
