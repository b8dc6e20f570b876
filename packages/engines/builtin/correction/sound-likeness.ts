import {
  formatSyllable,
  JYUTPING_ONSETS,
  JYUTPING_RIMES,
  parseSyllable,
  pronunciationVariants,
} from '@jyutsing/text/syllables/jyutping';
import { soundDistance } from '@jyutsing/text/syllables/sound-distance';

/**
 * A code is the number of onset and rime times eight, plus the tone: taken apart by shifts, because
 * this is done millions of times.
 */
const TONE_BITS = 3;
const TONES = 1 << TONE_BITS;
const ONSETS = ['', ...JYUTPING_ONSETS];
const onsetNumbers = new Map(ONSETS.map((onset, number) => [onset, number]));
const rimeNumbers = new Map(JYUTPING_RIMES.map((rime, number) => [rime, number]));
const BASES = ONSETS.length * JYUTPING_RIMES.length;

/** Number of syllable codes; they begin with 0. */
export const SYLLABLE_CODES = BASES * TONES;

const codes = new Map<string, number>();

/** Returns the stable code of a jyutping syllable; −1 for anything else. */
export function syllableCode(syllable: string): number {
  const cached = codes.get(syllable);
  if (cached !== undefined) return cached;
  const parts = parseSyllable(syllable);
  if (parts === null) return -1;
  const onset = onsetNumbers.get(parts.onset) ?? 0;
  const rime = rimeNumbers.get(parts.rime) ?? 0;
  const code = (onset * JYUTPING_RIMES.length + rime) * TONES + parts.tone;
  codes.set(syllable, code);
  return code;
}

/** Spells a syllable in jyutping. */
function spell(code: number): string {
  const base = code >> TONE_BITS;
  const onset = ONSETS[Math.floor(base / JYUTPING_RIMES.length)] ?? '';
  const rime = JYUTPING_RIMES[base % JYUTPING_RIMES.length] ?? '';
  return formatSyllable({ onset, rime, tone: code % TONES });
}

/**
 * Distances or likelihoods of one base to all others (−1: not computed yet): at most 5 MB, kept for
 * the life of the process.
 */
type Rows = Map<number, Float32Array>;
const distanceRows: Rows = new Map();

function rowOf(rows: Rows, base: number): Float32Array {
  let row = rows.get(base);
  if (row === undefined) {
    row = new Float32Array(BASES).fill(-1);
    rows.set(base, row);
  }
  return row;
}

/** Returns the `soundDistance` of two syllables by their codes. */
export function distanceOf(a: number, b: number): number {
  const row = rowOf(distanceRows, a >> TONE_BITS);
  const other = b >> TONE_BITS;
  if ((row[other] ?? 0) < 0) row[other] = soundDistance(spell(a), spell(b));
  return row[other] ?? 1;
}

const variantCodes = new Map<number, readonly number[]>();

/** Returns the codes of a syllable and of its variants by the mergers of Hong Kong. */
export function codesWithVariants(code: number): readonly number[] {
  let codes = variantCodes.get(code);
  if (codes === undefined) {
    codes = [code, ...pronunciationVariants(spell(code)).map(syllableCode)];
    variantCodes.set(code, codes);
  }
  return codes;
}

/** Least likeness that is computed; less similar syllables count as 0. */
const MIN_LIKENESS = 1e-3;

/** A syllable and its probability. */
export type Sound = { code: number; probability: number };

/** Likelihood of each syllable at one position. */
export type Likelihood = {
  /** Returns the probability of a syllable, by its code, up to a constant factor. */
  of(code: number): number;
  /** Returns indexes of the codes whose likelihood may exceed `least`; may include others. */
  among(codes: RankedCodes, least: number): Iterable<number>;
};

/**
 * Codes that are searched at many positions. Long lists are sorted by similarity, once for each
 * base syllable.
 */
export type RankedCodes = { codes: readonly number[]; nearTo: Map<number, readonly Near[]> | null };
type Near = { index: number; likeness: number };

/** Length up to which a list is scanned, which is then faster than sorting it. */
const FEW_CODES = 12;

/**
 * Creates likelihoods of syllables from recognized ones: the probability of every alternative times
 * its similarity, which falls exponentially with the distance (`soundDistance`) and by a factor for
 * another tone.
 */
export function createLikelihoods({
  distanceScale,
  otherTone,
}: {
  distanceScale: number;
  otherTone: number;
}): (sounds: readonly Sound[]) => Likelihood {
  const otherToneShare = Math.exp(otherTone);
  const likenessRows: Rows = new Map();
  return (sounds) => {
    const weightsOf = new Map<number, Float64Array>();
    for (const { code, probability } of sounds) {
      const base = code >> TONE_BITS;
      const weights = weightsOf.get(base) ?? new Float64Array(TONES);
      weightsOf.set(base, weights);
      for (let tone = 0; tone < TONES; tone += 1) {
        weights[tone] = (weights[tone] ?? 0) + probability * (tone === code % TONES ? 1 : otherToneShare);
      }
    }
    const bases = [...weightsOf].map(([base, weights]) => ({
      base,
      weights,
      highest: Math.max(...weights),
      row: rowOf(likenessRows, base),
    }));
    return {
      of(code) {
        let sum = 0;
        for (const { base, weights, row } of bases) sum += likenessOf(base, row, code) * (weights[code % TONES] ?? 0);
        return sum;
      },
      among(ranked, least) {
        if (ranked.codes.length <= FEW_CODES) return ranked.codes.keys();
        const indexes = new Set<number>();
        for (const { base, highest, row } of bases) {
          // The likelihoods of several bases may add up to more than each alone.
          const enough = least / (bases.length * highest);
          for (const { index, likeness } of nearTo(ranked, base, row)) {
            if (likeness < enough) break;
            indexes.add(index);
          }
        }
        return indexes;
      },
    };
  };

  function likenessOf(base: number, row: Float32Array, code: number): number {
    const otherBase = code >> TONE_BITS;
    const likeness = row[otherBase] ?? 0;
    if (likeness >= 0) return likeness;
    return (row[otherBase] = Math.exp(-distanceScale * distanceOf((base << TONE_BITS) + 1, code)));
  }

  function nearTo(ranked: RankedCodes, base: number, row: Float32Array): readonly Near[] {
    ranked.nearTo ??= new Map();
    let near = ranked.nearTo.get(base);
    if (near === undefined) {
      near = ranked.codes
        .map((code, index) => ({ index, likeness: likenessOf(base, row, code) }))
        .filter(({ likeness }) => likeness >= MIN_LIKENESS)
        .sort((a, b) => b.likeness - a.likeness);
      ranked.nearTo.set(base, near);
    }
    return near;
  }
}
