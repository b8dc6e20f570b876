import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import type { TonePosition, ToneModelFile } from '#packages/engines/builtin/pronunciation/tones/tone-model.ts';
import type { Example } from './examples.ts';
import { fitGaussian, loosen, medianOf, widen, type Gaussian, type Widening } from './shapes.ts';

type Shape = ToneModelFile['shapes'][number];

/** What is chosen and not counted. */
export type Settings = {
  widening: Widening;
  /** What is added for syllables with neighbours where only lone ones were recorded. */
  connected: Widening;
  freedom: number;
  modelWeight: number;
  contourWeight: number;
  expectedShare: number;
  spans: ToneModelFile['spans'];
};

/** A tone has a shape of its own in a place when so many syllables show it. */
const LEAST_SYLLABLES = 40;
const PLACES: readonly TonePosition[] = ['alone', 'first', 'middle', 'last'];
const CHECKED = /[ptk]$/;
/** Variances at the seven points that a neighbour before adds: a tone begins where the one before it ended (Y. Xu 1997, A. Li et al. 2004). */
const CARRIED_OVER = [6, 3, 1.5, 0.7, 0.3, 0.2, 0.2];
const CARRIED_BACK = [0.2, 0.2, 0.2, 0.2, 0.3, 0.5, 1];

/** Connected speech goes this far towards the tones' targets of syllables said alone. */
const DRAWN_TOGETHER = 0.75;
/** The neutral tone of Mandarin goes on from the one before it, wherever that ended (Y. Chen and Y. Xu 2006). */
const NEUTRAL: Widening = { height: 1, slope: 0.5, bend: 0.3, fine: 0.2 };

type Syllable = { tone: number; isChecked: boolean; place: TonePosition; points: number[] };

/** Fits the tones of a language on examples by speakers whose register is taken as the middle of their tones said alone. */
export function makeToneModel(
  language: SyllabicLanguage,
  examples: readonly Example[],
  registers: ToneModelFile['registers'],
  settings: Settings,
): ToneModelFile {
  const syllables = aroundRegister(examples);
  const tones = language === 'cantonese' ? 6 : 5;
  const shapes: Shape[] = [];
  for (const place of PLACES) {
    for (let tone = 1; tone <= tones; tone++) {
      shapes.push(
        ...(language === 'cantonese'
          ? cantonese(syllables, tone, place, settings)
          : mandarin(syllables, tone, place, settings)),
      );
    }
  }
  const { freedom, modelWeight, contourWeight, expectedShare, spans } = settings;
  return {
    version: '1',
    tones,
    registers,
    spans,
    freedom,
    modelWeight,
    contourWeight,
    expectedShare,
    shapes: shapes.map(rounded),
  };
}

function mandarin(all: readonly Syllable[], tone: number, place: TonePosition, { widening }: Settings): Shape[] {
  const inPlace = all.filter((each) => each.tone === tone && each.place === place);
  const used = inPlace.length >= LEAST_SYLLABLES ? inPlace : all.filter((each) => each.tone === tone);
  if (used.length < LEAST_SYLLABLES) return [];
  const fitted = widen(fitGaussian(used.map(({ points }) => points)), widening);
  return [{ tone, rimes: 'all', place, share: 1, ...(tone === 5 ? widen(fitted, NEUTRAL) : fitted) }];
}

/** Fall of a low tone as most speakers have it, semitones: 21 (Bauer & Benedict 1997). The one speaker recorded keeps it level. */
const LOW_FALL = [-2.6, -3.6, -4.6, -5.5, -6.3, -7, -7.5];
/** High tones may fall (53, the same ones), level ones sink a little. */
const SINKING: Readonly<Record<number, readonly number[]>> = {
  1: [0.6, 0.5, 0.2, -0.2, -0.8, -1.5, -2.4],
  3: [0.3, 0.2, 0, -0.2, -0.5, -0.8, -1.2],
  6: [0.6, 0.4, 0.1, -0.3, -0.7, -1.1, -1.5],
};

/** Rising tones whose rise may fill the syllable: the one man recorded has risen by its middle when he says it slowly. */
const RISING = new Set([2, 5]);
const STRETCHES = [
  { part: 0.8, share: 0.3 },
  { part: 0.65, share: 0.3 },
];

/** The beginning of a contour, slowed down to its whole length and raised in proportion to end where it ended. */
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
    const used = all.filter((each) => each.tone === tone && each.isChecked === (rimes === 'checked'));
    if (used.length < LEAST_SYLLABLES) return [];
    const fitted = fitGaussian(used.map(({ points }) => points));
    const asHeard = (gaussian: Gaussian): Gaussian => inPlace(widen(gaussian, widening), place, connected);
    const { covariance } = fitted;
    if (tone === 4) {
      const shift = rimes === 'checked' ? 0.5 : 0;
      return [
        { tone, rimes, place, share: 0.35, ...asHeard(fitted) },
        { tone, rimes, place, share: 0.65, ...asHeard({ mean: LOW_FALL.map((value) => value + shift), covariance }) },
      ];
    }
    if (RISING.has(tone) && rimes === 'open') {
      const slow = STRETCHES.map(({ part, share }): Shape => {
        return { tone, rimes, place, share, ...asHeard({ mean: stretched(fitted.mean, part), covariance }) };
      });
      return [{ tone, rimes, place, share: 0.4, ...asHeard(fitted) }, ...slow];
    }
    const sinking = SINKING[tone];
    if (sinking === undefined) return [{ tone, rimes, place, share: 1, ...asHeard(fitted) }];
    const sunk = { mean: fitted.mean.map((value, at) => value + sinking[at]!), covariance };
    return [
      { tone, rimes, place, share: 0.65, ...asHeard(fitted) },
      { tone, rimes, place, share: 0.35, ...asHeard(sunk) },
    ];
  });
}

/** A shape of a lone syllable in connected speech: drawn together, begun where the one before ended, and less certain. */
function inPlace(alone: Gaussian, place: TonePosition, connected: Widening): Gaussian {
  if (place === 'alone') return alone;
  const smooth = alone.mean.map((value, at, all) => (value + (all[at - 1] ?? value) + (all[at + 1] ?? value)) / 3);
  const drawn = { mean: smooth.map((value) => DRAWN_TOGETHER * value), covariance: alone.covariance };
  const loose = place === 'first' ? drawn : loosen(drawn, CARRIED_OVER);
  return widen(place === 'last' ? loose : loosen(loose, CARRIED_BACK), connected);
}

/** Contours around each speaker's register: the mean over tones of the median height of syllables said alone. */
function aroundRegister(examples: readonly Example[]): Syllable[] {
  return [...new Set(examples.map(({ speaker }) => speaker))].flatMap((speaker) => {
    const own = examples.filter((each) => each.speaker === speaker).flatMap(syllablesOf);
    const alone = own.filter(({ place, tone, points }) => place === 'alone' && points.length > 0 && tone < 7);
    const heights = [...new Set(alone.map(({ tone }) => tone))].flatMap((tone) => {
      const same = alone.filter((each) => each.tone === tone);
      return same.length < LEAST_SYLLABLES ? [] : [medianOf(same.map(({ points }) => mean(points)))];
    });
    const register = mean(heights);
    return own.map((each) => ({ ...each, points: each.points.map((value) => value - register) }));
  });
}

function syllablesOf({ questions, contours }: Example): Syllable[] {
  const last = questions.length - 1;
  return questions.flatMap(({ expected: [tone], rime }, at) => {
    const contour = contours[at];
    if (contour === null || contour === undefined || tone === undefined) return [];
    const place = last === 0 ? 'alone' : at === 0 ? 'first' : at === last ? 'last' : 'middle';
    return [{ tone, isChecked: CHECKED.test(rime), place, points: [...contour.points] }];
  });
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function rounded(shape: Shape): Shape {
  return {
    ...shape,
    mean: shape.mean.map(thousandths),
    covariance: shape.covariance.map((row) => row.map(thousandths)),
  };
}

const thousandths = (value: number): number => Math.round(value * 1e3) / 1e3;
