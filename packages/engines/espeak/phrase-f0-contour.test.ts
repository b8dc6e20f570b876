import { describe, expect, it } from 'vitest';
import type { PhraseEnding, SpokenPhrase } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { aimOf, planPhraseContour, type Position } from './phrase-f0-contour.ts';
import { createProsodySampler } from '#engines/runtime/prosody-sampling.ts';
import type { TimedSyllable } from './timing.ts';
import { contourAt } from './tone-contours.ts';

const sampler = createProsodySampler({ seed: 1, temperature: 0, topP: 1 });

/** Makes a phrase of words; a word of Chinese has a syllable for each character. */
function phrase(text: string, ending: PhraseEnding = 'statement', language: Language = 'cantonese'): SpokenPhrase {
  const words = text.split(' ').map((written) => {
    const reading = language === 'english' ? [] : [...written].map(() => 'hoeng1');
    return { written, language, spokenForm: written, reading };
  });
  return { words, ending };
}
const planOf = (text: string, ending?: PhraseEnding, language?: Language, index = 0) =>
  planPhraseContour(phrase(text, ending, language), index, sampler);

const syllable = (tone: number, voice: 'yue' | 'cmn' | 'en' = 'yue', stress: 0 | 1 | 2 = 0): TimedSyllable =>
  ({ voice, stress, item: { tone } }) as TimedSyllable;
const FIRST: Position = { number: 0, previous: null, isLast: false, isNuclear: false, isAfterNuclear: false };
/** Returns the pitch at a share of a syllable, in semitones above the middle of the register. */
function pitchAt(
  share: number,
  of: TimedSyllable,
  position: Partial<Position>,
  plan: ReturnType<typeof planPhraseContour>,
): number {
  const { contour, shift, scale } = aimOf(of, { ...FIRST, ...position }, plan, sampler);
  return contourAt(contour, share) * scale + shift;
}

describe('the intonation of a question', () => {
  it.each([
    ['你去 香港', 'rise'],
    ['你 食 咗 飯', 'rise'],
    // The particle marks the question, so it keeps its tone.
    ['你去 香港 呀', null],
    ['係 咩', null],
    ['好 嗎', null],
    // The question word marks the question as well.
    ['你去 邊度', 'slight'],
    ['點解 唔 去', 'slight'],
    ['去唔去', 'slight'],
    ['食咗 未', 'slight'],
    ['幾多 錢', 'slight'],
  ])('%s: %s', (text, expected) => {
    expect(planOf(text, 'question').question).toBe(expected);
    expect(planOf(text, 'statement').question).toBeNull();
  });

  it.each([
    ['is it raining', 'rise'],
    ['what is it', 'slight'],
    ['How much', 'slight'],
    // The question has no question word.
    ['did somebody show up', 'rise'],
  ])('in English: %s: %s', (text, expected) => {
    expect(planOf(text, 'question', 'english').question).toBe(expected);
  });

  it('ends higher than a statement, in its second half', () => {
    const last = { number: 3, isLast: true };
    const [statement, question] = [planOf('你去香港'), planOf('你去香港', 'question')];
    for (const tone of [1, 2, 3, 4, 5, 6]) {
      const rise = pitchAt(1, syllable(tone), last, question) - pitchAt(1, syllable(tone), last, statement);
      expect(rise).toBeGreaterThan(3);
      const start = pitchAt(0.2, syllable(tone), last, question) - pitchAt(0.2, syllable(tone), last, statement);
      expect(Math.abs(start)).toBeLessThan(1);
    }
  });
});

const fall = (length: number) => {
  const plan = planOf('香'.repeat(length));
  return pitchAt(0.5, syllable(3), {}, plan) - pitchAt(0.5, syllable(3), { number: length - 1 }, plan);
};

describe('the level of a phrase', () => {
  it('counts its syllables', () => {
    expect(planOf('香港人 好多').expectedSyllables).toBe(5);
    expect(planOf('hello beautiful', 'statement', 'english').expectedSyllables).toBe(2 + 3);
    expect(planPhraseContour({ words: [], ending: 'none' }, 0, sampler).expectedSyllables).toBe(1);
  });

  it('falls from its start to its end, more in a longer one', () => {
    expect(fall(2)).toBeGreaterThan(0);
    expect(fall(8)).toBeGreaterThan(fall(2));
    expect(fall(60)).toBeLessThan(3);
  });

  it('is lower the later it comes in its sentence, and lively ones are higher and wider', () => {
    const [first, second, third, tenth] = [0, 1, 2, 9].map(
      (index) => planOf('香港', 'comma', 'cantonese', index).level,
    );
    expect(second).toBeLessThan(first!);
    expect(third).toBeLessThan(second!);
    expect(tenth).toBeGreaterThan(first! - 2);
    const exclamation = planOf('香港', 'exclamation');
    expect(exclamation.level).toBeGreaterThan(first!);
    expect(exclamation.range).toBeGreaterThan(planOf('香港').range);
  });

  it('falls at the end of a statement', () => {
    const last = { number: 1, isLast: true };
    const [statement, open] = [planOf('香港'), planOf('香港', 'none')];
    expect(pitchAt(0.5, syllable(1), last, statement)).toBeLessThan(pitchAt(0.5, syllable(1), last, open));
  });

  it('of English alone has the tunes of English, beside Chinese the levels of its tones', () => {
    expect(planOf('hello', 'statement', 'english').hasTones).toBe(false);
    expect(planOf('香港').hasTones).toBe(true);
    const mixed = {
      words: [...phrase('我').words, ...phrase('send', 'none', 'english').words],
      ending: 'none' as const,
    };
    const plan = planPhraseContour(mixed, 0, sampler);
    expect(plan.hasTones).toBe(true);
    const stressed = pitchAt(0.5, syllable(0, 'en', 1), { number: 1 }, plan);
    expect(Math.abs(stressed - pitchAt(0.5, syllable(1), { number: 1 }, plan))).toBeLessThan(1.5);
  });
});

describe('the tones of Cantonese', () => {
  // The tones are 55, 25, 33, 21, 23, 22 in Chao's tone letters.
  const plan = planOf('香港人好');
  const at = (share: number, tone: number) => pitchAt(share, syllable(tone), { number: 1 }, plan);
  const rise = (tone: number) => at(1, tone) - at(0, tone);

  it('have their order at the end: 1 and 2, then 5 and 3, then 6, then 4', () => {
    expect(at(1, 4)).toBeLessThan(at(1, 6));
    expect(at(1, 6)).toBeLessThan(at(1, 3));
    expect(at(1, 5)).toBeLessThan(at(1, 1));
    expect(at(1, 3)).toBeLessThan(at(1, 2));
    expect(Math.abs(at(1, 5) - at(1, 3))).toBeLessThan(1);
  });

  it('rise in 2 and 5, fall in 4, and are level otherwise', () => {
    expect(rise(2)).toBeGreaterThan(6);
    expect(rise(5)).toBeGreaterThan(2.5);
    expect(rise(5)).toBeLessThan(rise(2));
    expect(rise(4)).toBeLessThan(-2);
    for (const tone of [1, 3, 6]) expect(Math.abs(rise(tone))).toBeLessThan(0.6);
  });
});

describe('the tunes of English', () => {
  const nuclear = { number: 2, isLast: true, isNuclear: true };
  const tune = (ending: PhraseEnding, share: number, text = 'it is raining') =>
    pitchAt(share, syllable(0, 'en', 1), nuclear, planOf(text, ending, 'english'));

  it('fall in a statement, rise in a question, and stay up where more follows', () => {
    expect(tune('statement', 1)).toBeLessThan(tune('statement', 0.4) - 6);
    expect(tune('question', 1)).toBeGreaterThan(tune('question', 0.4) + 5);
    expect(tune('comma', 1)).toBeGreaterThan(tune('statement', 1) + 2);
    // Questions with a question word fall.
    expect(tune('question', 1, 'what is it')).toBeLessThan(tune('question', 0.4, 'what is it'));
  });

  it('are high on stressed syllables', () => {
    const plan = planOf('it is raining', 'statement', 'english');
    const [unstressed, secondary, primary] = ([0, 2, 1] as const).map((stress) =>
      pitchAt(0.4, syllable(0, 'en', stress), { number: 1 }, plan),
    );
    expect(unstressed).toBeLessThan(secondary!);
    expect(secondary).toBeLessThan(primary!);
  });
});
