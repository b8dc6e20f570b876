import { describe, expect, it } from 'vitest';
import { leastCpuTimeMs } from '#test/cpu-time.ts';
import { isKnownPhrase, isTooFast, withoutLoops } from './hallucinations.ts';

describe('hallucinated phrases', () => {
  it.each([
    '字幕由 Amara.org 社群提供',
    '字幕由Amara.org社区提供',
    '字幕志愿者 楊茜茜',
    '多謝收睇！',
    '多謝大家收睇',
    '谢谢观看',
    '感謝您的觀看，下集再見',
    '請不吝點讚訂閱轉發打賞支持明鏡與點點欄目',
    'Thank you for watching!',
    'Thanks for watching.',
    'Subtitles by the Amara.org community',
    'Please subscribe to my channel.',
  ])('%s', (text) => {
    expect(isKnownPhrase(text)).toBe(true);
  });

  it.each(['多謝', '多謝晒你', '我想睇有字幕嘅戲', 'Thank you.', 'I was watching the match.', '谢谢你来看我', ''])(
    'may be spoken: %s',
    (text) => {
      expect(isKnownPhrase(text)).toBe(false);
    },
  );
});

describe('text that is too fast for speech', () => {
  it.each([
    [8, 1_000, false],
    [15, 1_000, false],
    [16, 1_000, true],
    [100, 10_000, false],
    [200, 10_000, true],
    [3, 150, false],
  ])('%d units in %d ms: %s', (units, ms, expected) => {
    expect(isTooFast(units, ms)).toBe(expected);
  });
});

const reduce = (text: string) => withoutLoops([...text], (unit) => unit).join('');

describe('loops', () => {
  it.each([
    ['多謝'.repeat(30), '多謝'],
    [`今日${'好'.repeat(40)}`, '今日好'],
    [`我哋去食飯${'唔該晒'.repeat(5)}再見`, '我哋去食飯唔該晒再見'],
  ])('%s becomes %s', (text, expected) => {
    expect(reduce(text)).toBe(expected);
  });

  it.each(['係係係係', '哈哈哈哈哈哈', '得得得，得得得', '一二三四五六七八九十', '行行重行行', ''])(
    '%s is kept',
    (text) => {
      expect(reduce(text)).toBe(text);
    },
  );

  it('a long text is processed quickly', async () => {
    const text = Array.from({ length: 5_000 }, (_, index) => String.fromCodePoint(0x4e_00 + ((index * 7_919) % 9_000)));
    expect(await leastCpuTimeMs(() => void withoutLoops(text, (unit) => unit), 500)).toBeLessThan(500);
  });
});
