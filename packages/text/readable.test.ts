import { describe, expect, it, test } from 'vitest';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import { joinWords } from './join-words.ts';
import { writeReadably } from './readable.ts';

/** Words of 200 ms; a number between them is a pause in milliseconds. */
function segmentOf(spoken: string, startMs = 0, speaker: string | null = null): Segment {
  let atMs = startMs;
  const words = spoken.split(' ').flatMap((text) => {
    const pauseMs = /^\d+$/.test(text) ? Number(text) : 0;
    atMs += pauseMs === 0 ? 200 : pauseMs;
    return pauseMs > 0 ? [] : [{ text, reading: null, startMs: atMs - 200, endMs: atMs, confidence: 0.9 }];
  });
  return { text: joinWords(words.map(({ text }) => text)), startMs, endMs: atMs, words, speaker, confidence: 0.9 };
}
const ALL = { punctuation: true, numerals: true };
const write = (spoken: string, language: Language = 'cantonese', style = ALL) =>
  writeReadably([segmentOf(spoken)], language, style)[0]!;
const textsOf = (segments: readonly Segment[], language: Language = 'cantonese') =>
  writeReadably(segments, language, ALL).map(({ text }) => text);
const marked = (text: string): Segment => ({ ...segmentOf('x'), text, words: [] });
const chinese = (text: string) => [...text].join(' ');

describe('a segment is written as people write', () => {
  test.each<[Language, string, string]>([
    ['cantonese', chinese('一共一百二十八個五'), '一共$128.50。'],
    ['cantonese', `${chinese('朝早九點半')} 400 ${chinese('喺中環碼頭等')}`, '朝早9:30，喺中環碼頭等。'],
    ['cantonese', `用 payme ${chinese('畀錢得唔得')}`, '用PayMe畀錢得唔得？'],
    ['cantonese', `${chinese('有冇')} wifi 呀`, '有冇Wi-Fi呀？'],
    ['cantonese', chinese('我哋一齊去食飯'), '我哋一齊去食飯。'],
    ['mandarin', chinese('一共二十三块钱'), '一共23块钱。'],
    ['english', 'twenty one people went to hong kong on monday', '21 people went to Hong Kong on Monday.'],
    ['english', "so i'll use my iphone", "So I'll use my iPhone."],
    ['english', 'pay me later', 'Pay me later.'],
  ])('%s: %s', (language, spoken, expected) => {
    const { text, words } = write(spoken, language);
    expect(text).toBe(expected);
    // Each word is in the text, in order.
    let at = 0;
    for (const word of words) {
      expect(text.indexOf(word.text, at)).toBeGreaterThanOrEqual(at);
      at = text.indexOf(word.text, at) + word.text.length;
    }
  });

  it('keeps the times of words, and a number lasts as long as its words', () => {
    const { words, startMs, endMs } = write(chinese('要三十蚊呀'));
    expect(words.map(({ text, startMs: from, endMs: to }) => [text, from, to])).toEqual([
      ['要', 0, 200],
      ['$30', 200, 800],
      ['呀', 800, 1_000],
    ]);
    expect([startMs, endMs]).toEqual([0, 1_000]);
  });

  it('a text that was corrected without its words stays, and gets a mark at its end', () => {
    const corrected = { ...segmentOf(`${chinese('中環')} 1000 ${chinese('馬頭')}`), text: '中環碼頭' };
    expect(writeReadably([corrected], 'cantonese', ALL)[0]).toMatchObject({
      text: '中環碼頭。',
      words: corrected.words,
    });
  });

  it('without marks, digits, or either', () => {
    const spoken = `${chinese('早晨')} 1000 ${chinese('要三十蚊')}`;
    expect(write(spoken, 'cantonese', { punctuation: false, numerals: true }).text).toBe('早晨要$30');
    expect(write(spoken, 'cantonese', { punctuation: true, numerals: false }).text).toBe('早晨。要三十蚊。');
    expect(write(spoken, 'cantonese', { punctuation: false, numerals: false }).text).toBe('早晨要三十蚊');
  });
});

describe('marks of the recognizer', () => {
  it('stay as they are, also without times of words', () => {
    expect(writeReadably([marked('好，三點半見！')], 'cantonese', ALL)[0]!.text).toBe('好，3:30見！');
    expect(writeReadably([marked('冇標點')], 'cantonese', ALL)[0]!.text).toBe('冇標點');
  });

  it('are removed on request, but those inside of numbers', () => {
    const style = { punctuation: false, numerals: false };
    expect(writeReadably([marked('好，9:30見！OK，PayMe。')], 'cantonese', style)[0]!.text).toBe('好9:30見OK PayMe');
    expect(writeReadably([marked('It is 3.5, I think.')], 'english', style)[0]!.text).toBe('It is 3.5 I think');
    const words = segmentOf('it is').words.map((word) => ({ ...word, text: `${word.text},` }));
    expect(
      writeReadably([{ ...marked('it, is,'), words }], 'english', style)[0]!.words.map(({ text }) => text),
    ).toEqual(['it', 'is']);
  });
});

describe('between segments', () => {
  it('the pause decides on the mark', () => {
    const [first, second] = ['今日好熱', '我哋去游水'].map(chinese) as [string, string];
    expect(textsOf([segmentOf(first), segmentOf(second, 900)])).toEqual(['今日好熱', '我哋去游水。']);
    expect(textsOf([segmentOf(first), segmentOf(second, 1_300)])).toEqual(['今日好熱，', '我哋去游水。']);
    expect(textsOf([segmentOf(first), segmentOf(second, 2_000)])).toEqual(['今日好熱。', '我哋去游水。']);
  });

  it('another speaker begins another sentence', () => {
    expect(textsOf([segmentOf('so we go', 0, '0'), segmentOf('and then', 700, '1')], 'english')).toEqual([
      'So we go.',
      'And then.',
    ]);
  });

  it('a sentence of several segments has one capital', () => {
    expect(textsOf([segmentOf('so we go'), segmentOf('and i sleep', 1_100)], 'english')).toEqual([
      'So we go,',
      'and I sleep.',
    ]);
  });
});
