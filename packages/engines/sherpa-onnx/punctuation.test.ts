import { describe, expect, it } from 'vitest';
import { piecesOfText } from './pieces.ts';
import { takeMarks } from './punctuation.ts';

const marked = (text: string, punctuated: string, language: 'cantonese' | 'english' = 'cantonese') =>
  takeMarks(piecesOfText(text, 1_000), punctuated, language)?.map(({ text: word, after }) => word + after) ?? null;

describe('punctuation of a text', () => {
  it('is attached to the preceding pieces', () => {
    expect(marked('你好今日点呀', '你好，今日点呀？')).toEqual(['你', '好，', '今', '日', '点', '呀？']);
  });

  it('is converted to English punctuation in English', () => {
    expect(marked('good morning everyone', 'good morning， everyone。', 'english')).toEqual([
      'good',
      'morning,',
      'everyone.',
    ]);
  });

  it('is assigned when spaces differ', () => {
    expect(marked('我send咗email', '我 send 咗 email。')).toEqual(['我', 'send', '咗', 'email。']);
  });

  it.each(['你好吗', '我好', '你', '', '你好，早晨'])('is not used when the words differ: %s', (punctuated) => {
    expect(marked('你好', punctuated)).toBeNull();
  });
});
