import { mean, median } from '@jyutsing/numeric/statistics';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import type { TonePosition, ToneModelFile } from '#packages/engines/builtin/pronunciation/tones/tone-model.ts';
import type { Example } from './examples.ts';
import { fitGaussian, loosen, widen, type Gaussian, type Widening } from './shapes.ts';

type Shape = ToneModelFile['shapes'][number];

/** Settings chosen by hand. */
export type Settings = {
  widening: Widening;
  /** Widening for syllables with neighbors where only isolated ones were recorded. */
  connected: Widening;
  freedom: number;
  modelWeight: number;
  expectedNeutralLogp?: number;
  contourWeight: number;
  expectedShare: number;
  spans: ToneModelFile['spans'];
  fluentSpeech: ToneModelFile['connected'];
};

/** Minimum number of syllables for a shape of a tone in a position. */
const MIN_SYLLABLES = 40;
/** The same for neutral tones, which are rare. */
const MIN_NEUTRAL = 20;
const POSITIONS: readonly TonePosition[] = ['alone', 'first', 'middle', 'last'];
const CHECKED = /[ptk]$/;
/**
 * Variances at the seven points due to a preceding syllable: a tone starts where the last one ended
 * (Y. Xu 1997, A. Li et al. 2004).
 */
const CARRIED_OVER = [6, 3, 1.5, 0.7, 0.3, 0.2, 0.2];
const CARRIED_BACK = [0.2, 0.2, 0.2, 0.2, 0.3, 0.5, 1];

/** Connected speech reaches this share of the tone targets of isolated syllables. */
const UNDERSHOOT = 0.75;
/**
 * The Mandarin neutral tone continues from the end of the preceding tone (Y. Chen and Y. Xu 2006).
 */
const NEUTRAL_WIDENING: Widening = { height: 1, slope: 0.5, bend: 0.3, fine: 0.2 };
const NEUTRAL = 5;
/** Tones before a neutral one after which it is alike. */
const NEUTRAL_AFTER: readonly (readonly number[])[] = [[1, 2, 5], [3], [4]];

/** `before`: the tone of the syllable before it in the recording. */
type Syllable = { tone: number; isChecked: boolean; place: TonePosition; points: number[]; before: number | null };

/**
 * Fits the tones of a language, relative to each speaker's register, the middle of their tones in
 * isolation.
 */
export function makeToneModel(
  language: SyllabicLanguage,
  examples: readonly Example[],
  registers: ToneModelFile['registers'],
  settings: Settings,
): ToneModelFile {
  const syllables = aroundRegister(examples);
  const tones = language === 'cantonese' ? 6 : 5;
  const shapes: Shape[] = [];
  for (const place of POSITIONS) {
    for (let tone = 1; tone <= tones; tone++) {
      shapes.push(
        ...(language === 'cantonese'
          ? cantonese(syllables, tone, place, settings)
          : mandarin(syllables, tone, place, settings)),
      );
    }
  }
  const { fluentSpeech, widening: _1, connected: _2, ...weights } = settings;
  return {
    version: '1',
    tones,
    registers,
    ...weights,
    connected: fluentSpeech,
    shapes: shapes.map(rounded),
  };
}

function mandarin(all: readonly Syllable[], tone: number, place: TonePosition, { widening }: Settings): Shape[] {
  if (tone === NEUTRAL && (place === 'middle' || place === 'last')) return neutral(all, place, widening);
  const inPlace = all.filter((syllable) => syllable.tone === tone && syllable.place === place);
  const used = inPlace.length >= MIN_SYLLABLES ? inPlace : all.filter((syllable) => syllable.tone === tone);
  if (used.length < MIN_SYLLABLES) return [];
  const fitted = widen(fitGaussian(used.map(({ points }) => points)), widening);
  return [{ tone, rimes: 'all', place, share: 1, ...(tone === NEUTRAL ? widen(fitted, NEUTRAL_WIDENING) : fitted) }];
}

/** A neutral tone is high and rises after a third tone; after others it is low and falls. */
function neutral(all: readonly Syllable[], place: TonePosition, widening: Widening): Shape[] {
  const neutralSyllables = all.filter(({ tone }) => tone === NEUTRAL);
  if (neutralSyllables.length < MIN_NEUTRAL) return [];
  return NEUTRAL_AFTER.map((after): Shape => {
    const afterThese = neutralSyllables.filter(({ before }) => before !== null && after.includes(before));
    const used = afterThese.length >= MIN_NEUTRAL ? afterThese : neutralSyllables;
    const fitted = widen(fitGaussian(used.map(({ points }) => points)), widening);
    return { tone: NEUTRAL, rimes: 'all', place, after: [...after], share: 1, ...widen(fitted, NEUTRAL_WIDENING) };
  });
}

/**
 * Typical fall of a low tone in semitones: 21 (Bauer & Benedict 1997). The only recorded speaker
 * keeps it level.
 */
const LOW_FALL = [-2.6, -3.6, -4.6, -5.5, -6.3, -7, -7.5];
/** High tones may fall (53), level ones sink slightly. */
const SINKING: Readonly<Record<number, readonly number[]>> = {
  1: [0.6, 0.5, 0.2, -0.2, -0.8, -1.5, -2.4],
  3: [0.3, 0.2, 0, -0.2, -0.5, -0.8, -1.2],
  6: [0.6, 0.4, 0.1, -0.3, -0.7, -1.1, -1.5],
};

/**
 * Rising tones may rise over the whole syllable: the only recorded speaker completes the rise by
 * its middle when speaking slowly.
 */
const RISING = new Set([2, 5]);
const STRETCHES = [
  { part: 0.8, share: 0.3 },
  { part: 0.65, share: 0.3 },
];

/**
 * Stretches the beginning of a contour to full length, raised proportionally to the same final
 * height.
 */
function stretched(mean: readonly number[], part: number): number[] {
  const last = mean.length - 1;
  const slow = mean.map((_, at) => {
    const before = Math.min(last - 1, Math.floor(at * part));
    return mean[before]! + (mean[before + 1]! - mean[before]!) * (at * part - before);
  });
  const lowest = Math.min(...slow);
  const factor = (mean[last]! - lowest) / (slow[last]! - lowest);
  return slow.map((value) => lowest + (value - lowest) * factor);
}

function cantonese(
  all: readonly Syllable[],
  tone: number,
  place: TonePosition,
  { widening, connected }: Settings,
): Shape[] {
  return (['open', 'checked'] as const).flatMap((rimes): Shape[] => {
    const used = all.filter((syllable) => syllable.tone === tone && syllable.isChecked === (rimes === 'checked'));
    if (used.length < MIN_SYLLABLES) return [];
    const fitted = fitGaussian(used.map(({ points }) => points));
    const asMeasured = (gaussian: Gaussian): Gaussian => inPlace(widen(gaussian, widening), place, connected);
    const { covariance } = fitted;
    if (tone === 4) {
      const shift = rimes === 'checked' ? 0.5 : 0;
      return [
        { tone, rimes, place, share: 0.35, ...asMeasured(fitted) },
        {
          tone,
          rimes,
          place,
          share: 0.65,
          ...asMeasured({ mean: LOW_FALL.map((value) => value + shift), covariance }),
        },
      ];
    }
    if (RISING.has(tone) && rimes === 'open') {
      const slow = STRETCHES.map(({ part, share }): Shape => {
        return { tone, rimes, place, share, ...asMeasured({ mean: stretched(fitted.mean, part), covariance }) };
      });
      return [{ tone, rimes, place, share: 0.4, ...asMeasured(fitted) }, ...slow];
    }
    const sinking = SINKING[tone];
    if (sinking === undefined) return [{ tone, rimes, place, share: 1, ...asMeasured(fitted) }];
    const sunk = { mean: fitted.mean.map((value, at) => value + sinking[at]!), covariance };
    return [
      { tone, rimes, place, share: 0.65, ...asMeasured(fitted) },
      { tone, rimes, place, share: 0.35, ...asMeasured(sunk) },
    ];
  });
}

/**
 * Shape of an isolated syllable in connected speech: reduced, started where the last one ended, and
 * less certain.
 */
function inPlace(alone: Gaussian, place: TonePosition, connected: Widening): Gaussian {
  if (place === 'alone') return alone;
  const smooth = alone.mean.map((value, at, all) => (value + (all[at - 1] ?? value) + (all[at + 1] ?? value)) / 3);
  const drawn = { mean: smooth.map((value) => UNDERSHOOT * value), covariance: alone.covariance };
  const loose = place === 'first' ? drawn : loosen(drawn, CARRIED_OVER);
  return widen(place === 'last' ? loose : loosen(loose, CARRIED_BACK), connected);
}

/**
 * Contours relative to each speaker's register: the mean over tones of the median height in
 * isolation.
 */
function aroundRegister(examples: readonly Example[]): Syllable[] {
  return [...new Set(examples.map(({ speaker }) => speaker))].flatMap((speaker) => {
    const ofSpeaker = examples.filter((example) => example.speaker === speaker).flatMap(syllablesOf);
    const alone = ofSpeaker.filter(({ place, tone, points }) => place === 'alone' && points.length > 0 && tone < 7);
    const heights = [...new Set(alone.map(({ tone }) => tone))].flatMap((tone) => {
      const same = alone.filter((syllable) => syllable.tone === tone);
      return same.length < MIN_SYLLABLES ? [] : [median(same.map(({ points }) => mean(points)))];
    });
    const register = mean(heights);
    return ofSpeaker.map((syllable) => ({ ...syllable, points: syllable.points.map((value) => value - register) }));
  });
}

function syllablesOf({ questions, contours }: Example): Syllable[] {
  const last = questions.length - 1;
  return questions.flatMap(({ expected: [tone], rime }, at) => {
    const contour = contours[at];
    if (contour === null || contour === undefined || tone === undefined) return [];
    const place = last === 0 ? 'alone' : at === 0 ? 'first' : at === last ? 'last' : 'middle';
    const before = questions[at - 1]?.expected[0] ?? null;
    return [{ tone, isChecked: CHECKED.test(rime), place, points: [...contour.points], before }];
  });
}

function rounded(shape: Shape): Shape {
  return {
    ...shape,
    mean: shape.mean.map(thousandths),
    covariance: shape.covariance.map((row) => row.map(thousandths)),
  };
}

const thousandths = (value: number): number => Math.round(value * 1e3) / 1e3;
