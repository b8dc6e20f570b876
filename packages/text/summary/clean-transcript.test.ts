import { describe, expect, it } from 'vitest';
import { cleanTranscript } from './clean-transcript.ts';

const clean = (text: string) => cleanTranscript(text, () => undefined);

describe('cleaning a transcript', () => {
  it.each([
    ['of times at the start of lines', '00:12 hello\n[1:02:03.450] there\n(0:07) you', 'hello\nthere\nyou'],
    ['of lines of times', '00:00:01,000 --> 00:00:02,000\nhello', 'hello'],
    ['of sound descriptions and speaker marks', '[Music] hello ♪ >> there', 'hello there'],
    ['of repetitions of the previous line', 'hello there\nhello there\nhello there', 'hello there'],
    ['but not of short repeated lines', 'no\nno\nno', 'no\nno\nno'],
    ['of control characters and lone surrogates', 'a\u0000b\ud800c\u200bd\u00a0e', 'a bcd e'],
    ['of other line endings', 'a\r\nb\rc\u2028d\n\n\ne', 'a\nb\nc\nd\ne'],
  ])('%s', async (_name, before, after) => {
    expect(await clean(before)).toBe(after);
  });

  it('does not depend on the pauses: no character and no line break is split', async () => {
    for (const [sign, after] of [
      ['😀', '😀'],
      ['\r\n', '\n'],
    ] as const) {
      for (let shift = 0; shift < 3; shift += 1) {
        const start = '好'.repeat(16_382 + shift);
        expect(await clean(`${start}${sign}end`)).toBe(`${start}${after}end`);
      }
    }
  });

  it('pauses after each piece', async () => {
    let pauses = 0;
    await cleanTranscript('a line of words\n'.repeat(20_000), () => {
      pauses += 1;
      return undefined;
    });
    expect(pauses).toBeGreaterThan(30);
  });
});
