import { describe, expect, it } from 'vitest';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { toSegment, type RawRecognition } from './segment-text.ts';

const speech = (lengthMs = 2_000, startMs = 5_000): SpeechSegment => ({
  samples: new Float32Array(lengthMs * 16),
  startMs,
  speechStartMs: startMs + 150,
  speechEndMs: startMs + lengthMs - 150,
});
const output = (tokens: string[], timestamps: number[] = []): RawRecognition => ({
  text: tokens.join(''),
  tokens,
  timestamps,
});
const timed = { hasWordTimes: true, isGenerative: false, punctuator: null };
const generated = { hasWordTimes: false, isGenerative: true, punctuator: null };

describe('a segment with word times', () => {
  it('has words with times of the recording in the script of the language', () => {
    const segment = toSegment(
      speech(),
      output(['我', '系', '香', '港', '人'], [0.2, 0.4, 0.6, 0.8, 1]),
      'cantonese',
      timed,
    );
    expect(segment?.text).toBe('我係香港人。');
    expect(segment?.words.map(({ text, startMs }) => [text, startMs])).toEqual([
      ['我', 5_200],
      ['係', 5_400],
      ['香', 5_600],
      ['港', 5_800],
      ['人', 6_000],
    ]);
    expect([segment?.startMs, segment?.endMs]).toEqual([5_150, 6_850]);
  });

  it('keeps the punctuation of the model in the text, but not among the words', () => {
    const segment = toSegment(
      speech(),
      output(['你', '好', '，', '早', '晨', '。'], [0.2, 0.4, 0.5, 0.6, 0.8, 1]),
      'cantonese',
      timed,
    );
    expect(segment?.text).toBe('你好，早晨。');
    expect(segment?.words.map(({ text }) => text)).toEqual(['你', '好', '早', '晨']);
  });

  it('Mandarin stays Simplified', () => {
    expect(toSegment(speech(), output(['这', '里'], [0.2, 0.4]), 'mandarin', timed)?.text).toBe('这里。');
  });

  it.each([
    ['an empty result', output([])],
    ['tags alone', output(['<|yue|>', '<|NEUTRAL|>', '<|Speech|>', '<|woitn|>'], [0, 0, 0, 0])],
    ['punctuation alone', output(['。'], [0.1])],
  ])('%s gives no segment', (_name, empty) => {
    expect(toSegment(speech(), empty, 'cantonese', timed)).toBeNull();
  });

  it('text that is too fast for speech gives no segment', () => {
    const tokens = [...'一二三四五六七八九十百千万亿人口手足刀尺山水田火'];
    const times = tokens.map((_token, index) => index * 0.02);
    expect(toSegment(speech(500), output(tokens, times), 'mandarin', timed)).toBeNull();
  });

  it('keeps repetitions when the model is not generative', () => {
    const tokens = [...'好好好好好好好好好好'];
    expect(
      toSegment(
        speech(),
        output(
          tokens,
          tokens.map((_t, index) => index / 10),
        ),
        'mandarin',
        timed,
      )?.words,
    ).toHaveLength(10);
  });
});

describe('a segment of a generative model', () => {
  it('has a text and the times of the speech', () => {
    expect(toSegment(speech(), output(['<|zh|>', '你好', '，', '朋友。']), 'mandarin', generated)).toEqual({
      text: '你好，朋友。',
      startMs: 5_150,
      endMs: 6_850,
      words: [],
      speaker: null,
      confidence: null,
    });
  });

  it('is converted to Hong Kong Traditional', () => {
    expect(toSegment(speech(), output(['我系香港人。']), 'cantonese', generated)?.text).toBe('我係香港人。');
  });

  it('keeps capitals and quotes in English', () => {
    const text = 'He said "I\u2019m fine." Then he left.';
    expect(toSegment(speech(3_000), output([text]), 'english', generated)?.text).toBe(text);
  });

  it('gets punctuation when the model wrote none', () => {
    expect(toSegment(speech(), output(['你好吗']), 'mandarin', generated)?.text).toMatch(/^你好吗[？。]$/u);
  });

  it('has loops reduced to one repetition', () => {
    expect(toSegment(speech(15_000), output(['今日天气好，', '多謝'.repeat(40)]), 'cantonese', generated)?.text).toBe(
      '今日天氣好，多謝',
    );
  });

  it.each(['字幕由 Amara.org 社群提供', '多謝收睇', 'Thank you for watching!'])('%s gives no segment', (phrase) => {
    expect(toSegment(speech(4_000), output([phrase]), 'cantonese', generated)).toBeNull();
  });
});
