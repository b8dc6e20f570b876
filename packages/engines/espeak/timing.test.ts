import { describe, expect, it } from 'vitest';
import type { PhraseEnding } from '@jyutsing/contracts/spoken-text';
import type { SourceVoice } from './espeak-driver.ts';
import { createProsodySampler } from '#engines/runtime/prosody-sampling.ts';
import type { SourcePart, SourceSyllable } from './syllables.ts';
import { isChecked, PAUSES_MS, timeSyllables, type TimedSyllable } from './timing.ts';

type Item = SourceSyllable['item'];

/** The sampler varies nothing. */
const sampler = createProsodySampler({ seed: 1, temperature: 0, topP: 1 });
const part = (kind: SourcePart['kind'], startMs: number, endMs: number): SourcePart => {
  return { kind, isVoiceless: false, startMs, endMs };
};

/**
 * Makes a syllable of 250 ms, the mean of the source in Cantonese: an onset of 80 ms and a vowel.
 */
function syllable(changes: Partial<Item> & { voice?: SourceVoice; parts?: SourcePart[]; isWordEnd?: boolean } = {}) {
  const {
    voice = 'yue',
    parts = [part('fricative', 0, 80), part('vowel', 80, 250)],
    isWordEnd = true,
    ...item
  } = changes;
  const full = { from: 0, to: 1, word: 0, written: '香', reading: 'hoeng1', tone: 1, isOnlyCoda: false, ...item };
  return {
    voice,
    item: { ...full, isWordStart: true, isWordEnd } as Item,
    stress: 1,
    isWordStart: true,
    isWordEnd,
    parts,
    nucleus: 1,
  } satisfies SourceSyllable;
}

const time = (syllables: readonly SourceSyllable[], ending: PhraseEnding | null = null, syllableMs = 200) =>
  timeSyllables(syllables, { startMs: 1_000, syllableMs, ending, sampler });
const durationOf = ({ startMs, endMs }: TimedSyllable) => endMs - startMs;
/** Returns the duration of the first of three syllables, the others of which are ordinary. */
const duration = (first: SourceSyllable) => durationOf(time([first, syllable(), syllable()])[0]!);

const lengths = (syllableMs: number) => time([syllable(), syllable()], null, syllableMs).map(durationOf);

const longer = (voice: SourceVoice, ms: number) =>
  duration(syllable({ voice, parts: [part('vowel', 0, 2 * ms)] })) /
  duration(syllable({ voice, parts: [part('vowel', 0, ms)] }));

describe('the times of syllables', () => {
  it('follow one another from the start, each filled by its parts', () => {
    const all = [syllable(), syllable({ reading: 'sap6', tone: 6 }), syllable({ isWordEnd: false })];
    const timed = time(all, 'statement');
    let reachedMs = 1_000;
    for (const { startMs, endMs, parts } of timed) {
      expect(startMs).toBeCloseTo(reachedMs, 9);
      for (const { fromMs, toMs } of parts) {
        expect(fromMs).toBeCloseTo(reachedMs, 9);
        expect(toMs).toBeGreaterThan(fromMs);
        reachedMs = toMs;
      }
      expect(endMs).toBeCloseTo(reachedMs, 9);
    }
  });

  it('are in proportion to the wanted length', () => {
    const [single, double] = [lengths(150), lengths(300)];
    expect(double.map((length, at) => length / single[at]!)).toEqual([2, 2].map((value) => expect.closeTo(value, 9)));
  });

  it('are near the wanted length for ordinary syllables', () => {
    expect(duration(syllable())).toBeGreaterThan(180);
    expect(duration(syllable())).toBeLessThan(220);
  });

  it('keep less of the differences of Chinese than of English, which carry stress', () => {
    expect(longer('yue', 250)).toBeCloseTo(Math.SQRT2, 9);
    expect(longer('cmn', 306)).toBeCloseTo(Math.SQRT2, 9);
    expect(longer('en', 231)).toBeGreaterThan(1.6);
  });

  it('are the same each time without variation, and others with it', () => {
    const varied = (seed: number) => {
      const moving = createProsodySampler({ seed, temperature: 1, topP: 0.9 });
      return timeSyllables([syllable()], { startMs: 0, syllableMs: 200, ending: null, sampler: moving })[0]!.endMs;
    };
    expect(duration(syllable())).toBe(duration(syllable()));
    expect(varied(1)).toBe(varied(1));
    expect(varied(1)).not.toBe(varied(2));
    for (let seed = 0; seed < 50; seed += 1) expect(Math.abs(varied(seed) / 206 - 1)).toBeLessThan(0.1);
  });
});

describe('a syllable', () => {
  it.each<[string, SourceSyllable]>([
    ['within a word', syllable({ isWordEnd: false })],
    ['of a function word', syllable({ written: '嘅', reading: 'ge3', tone: 3 })],
    ['that ends in a stop', syllable({ reading: 'sik6', tone: 6 })],
    ['of a consonant alone', syllable({ reading: 'm4', tone: 4, isOnlyCoda: true })],
  ])('%s is shorter than another one', (_name, shorter) => {
    expect(duration(shorter)).toBeLessThan(duration(syllable()));
  });

  it('in the neutral tone is shorter, in Mandarin alone', () => {
    const neutral = { tone: 5, reading: 'ma5' };
    expect(duration(syllable({ voice: 'cmn', ...neutral }))).toBeLessThan(0.8 * duration(syllable({ voice: 'cmn' })));
    expect(duration(syllable({ tone: 5, reading: 'maa5' }))).toBe(duration(syllable()));
  });

  it.each(['comma', 'statement', 'question', 'exclamation', 'ellipsis'] as const)('before a %s is longer', (ending) => {
    const [inside, last] = [time([syllable()]), time([syllable()], ending)].map(([only]) => durationOf(only!));
    expect(last).toBeGreaterThan(1.1 * inside!);
  });

  it('is as long at the end of a piece as it is where more follow', () => {
    const timed = time([syllable(), syllable()], 'none').map(durationOf);
    expect(timed[1]!).toBeLessThan(timed[0]!);
  });

  it.each([
    ['yue', 'sap6', true],
    ['yue', 'sik1', true],
    ['yue', 'jat1', true],
    ['yue', 'sam1', false],
    ['yue', 'ng5', false],
    ['cmn', 'ka1', false],
    ['en', 'stop', false],
  ] as const)('%s %s is checked: %s', (voice, reading, expected) => {
    expect(isChecked(syllable({ voice, reading }))).toBe(expected);
  });

  it('that is checked ends in silence, before which its stop is closed', () => {
    const [checked] = time([syllable({ reading: 'sik6', tone: 6 })]);
    const silence = checked!.parts.at(-1)!;
    expect(checked!.parts).toHaveLength(3);
    expect(silence).toMatchObject({ kind: 'closure', isSilenced: true, startMs: 250, endMs: 250 });
    const share = (silence.toMs - silence.fromMs) / durationOf(checked!);
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.3);
    expect(checked!.parts.slice(0, 2).some(({ isSilenced }) => isSilenced)).toBe(false);
  });
});

const lengthsAt = (syllableMs: number, parts: SourcePart[]) =>
  time([syllable({ parts })], null, syllableMs)[0]!.parts.map(({ fromMs, toMs }) => toMs - fromMs);

describe('the parts of a stretched syllable', () => {
  it('change least where they tell sounds apart: stops less than vowels', () => {
    const parts = [
      part('stop', 0, 45),
      part('fricative', 45, 85),
      part('transition', 85, 120),
      part('vowel', 120, 250),
    ];
    const [short, long] = [lengthsAt(120, parts), lengthsAt(480, parts)];
    const growth = long.map((length, at) => length / short[at]!);
    expect(growth[0]).toBeLessThan(growth[2]!);
    expect(growth[2]).toBeLessThan(growth[1]!);
    expect(growth[1]).toBeLessThan(growth[3]!);
    for (const ratio of growth) expect(ratio).toBeGreaterThan(1);
  });

  it('of one kind keep their proportion', () => {
    const [first, second, third] = lengthsAt(400, [
      part('vowel', 50, 100),
      part('vowel', 100, 200),
      part('vowel', 200, 350),
    ]);
    expect(second! / first!).toBeCloseTo(2, 6);
    expect(third! / first!).toBeCloseTo(3, 6);
  });

  it('fill the syllable whatever the speed', () => {
    const parts = [part('stop', 0, 45), part('vowel', 45, 250)];
    for (const syllableMs of [20, 60, 200, 700, 3_000]) {
      const total = lengthsAt(syllableMs, parts).reduce((sum, length) => sum + length, 0);
      expect(total / syllableMs).toBeGreaterThan(0.9);
      expect(total / syllableMs).toBeLessThan(1.1);
    }
  });
});

it('pauses are longer the more a sign separates, and none within a sentence that goes on', () => {
  const { none: noPause, comma, statement, question, exclamation, ellipsis } = PAUSES_MS;
  expect(noPause).toBe(0);
  expect(comma).toBeLessThan(statement);
  expect([question, exclamation]).toEqual([statement, statement]);
  expect(statement).toBeLessThan(ellipsis);
});
