import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { VOICE_BANDS } from '@jyutsing/contracts/voice';
import { ENVELOPE_BINS, NOISE_BANDS } from '#audio/vocoder/speech-frames.ts';
import { formantWarp, warpEnvelope } from './formant-warp.ts';
import { addBands, bandCentersHz, bandsOfWarped, melToNoiseBands, toBands, toBins } from './mel-bands.ts';
import { decodeTimbre, distance, takeOffLevel, UNVOICED_ROW, VOICED_ROW, type Timbre } from './timbre.ts';

/**
 * Converts synthesized speech towards the speaker of a reference sample. Handles one stream of
 * frames in order.
 */
export type VoiceTransform = {
  /**
   * Returns the fundamental frequency (Hz) for semitones around the speaker's register (0 is the
   * median).
   */
  pitchOf(semitonesAroundRegister: number): number;
  /**
   * Changes the envelope (`ENVELOPE_BINS`, dB) and noise shares (`NOISE_BANDS`) of the next frame
   * in place.
   */
  transform(envelopeDb: Float32Array, noiseShares: Float32Array, isVoiced: boolean): void;
};

/**
 * The contour is scaled to the speaker's range, within limits that preserve tones and avoid
 * singing.
 */
const MIN_SPAN = 0.8;
const MAX_SPAN = 1.35;
/** Assumed span of the input of `pitchOf`, from its 10th to its 90th percentile, semitones. */
export const CONTOUR_SPAN_SEMITONES = 7;
/**
 * How far sounds are changed. More change makes the voice more similar, and the words harder to
 * understand.
 */
export type Imitation = {
  /**
   * Largest correction of the mean spectrum, dB; larger differences come from recordings without
   * energy in a band.
   */
  maxCorrectionDb: number;
  /**
   * Weight, 0..1, of replacing a voiced sound by the nearest typical one, against only shifting it
   * like all sounds near it: below `VOWEL_TOP_HZ` and above. At 1 the speaker embedder scores
   * highest, but the recognizer fails: neighboring sounds merge.
   */
  vowelCloseness: number;
  highCloseness: number;
  /**
   * True to change the spectra of sounds without voice, too; their frequencies always are changed.
   */
  unvoiced: boolean;
  /** True to reproduce the background of the sample. */
  background: boolean;
};

/**
 * The imitation for a synthesizer that sounds like no person. On 20 voices that nothing else was
 * tuned on, the embedder ranks 14 references first with a weight of 0.45 for vowels as with 0.2,
 * and 12 with 0; the acoustic model misrecognizes 20, 16 and 15 % of the syllables without tone.
 */
const FULL_IMITATION: Imitation = {
  maxCorrectionDb: 30,
  vowelCloseness: 0.2,
  highCloseness: 1,
  unvoiced: true,
  background: true,
};

/** Excess distance, in dB², at which a typical sound counts for a third of the nearest one. */
const LIKENESS_DB2 = 6;
/** Weight like `vowelCloseness` for sounds without voice. */
const UNVOICED_CLOSENESS = 0.2;
/** Frequency in hertz below which vowels differ, above which speakers do. */
const VOWEL_TOP_HZ = 1_800;
/**
 * Weight of no change: typical sounds of the target far from all of the source's have no effect.
 */
const STAYING_WEIGHT = 0.3;
/**
 * Largest excess distance, in units of LIKENESS_DB2, that is computed: beyond it the relative
 * weight is below a thousandth.
 */
const MAX_EXCESS = 7;
/**
 * Share of the previous frame in a correction: jumps between frames would be audible as a rattle.
 */
const INERTIA = 0.4;
/** Highest level, in dB, up to which the background of a sample is reproduced with the voice. */
const MAX_BACKGROUND_DB = -42;
/** Distance in dB above the background at which sound masks it. */
const INAUDIBLE_DB = 20;

/**
 * Creates the transform; `source` is measured on the synthesizer's output, `target` on the
 * reference sample, both by `measureVoice`.
 */
export function createVoiceTransform(
  source: VoiceProfile,
  target: VoiceProfile,
  imitation = FULL_IMITATION,
): VoiceTransform {
  const span = Math.min(MAX_SPAN, Math.max(MIN_SPAN, rangeOf(target) / CONTOUR_SPAN_SEMITONES));
  const warp = formantWarp(source.formantsHz, target.formantsHz);
  const { maxCorrectionDb } = imitation;
  const voiced = difference(source.voicedBandsDb, target.voicedBandsDb, warp, maxCorrectionDb);
  const unvoiced = difference(source.unvoicedBandsDb, target.unvoicedBandsDb, warp, maxCorrectionDb);
  const shiftNoise = noiseShifter(source, target);
  const timbre = decodeTimbre(target.timbre);
  const sourceTimbre = decodeTimbre(source.timbre);
  const timbres = timbre === null || sourceTimbre === null ? null : { timbre, sourceTimbre };
  const adapt = (row: Float32Array, isVoiced: boolean) => adaptRow(row, warp, isVoiced ? voiced : unvoiced, shiftNoise);
  const imitate = timbres === null ? null : createImitator(timbres.sourceTimbre, timbres.timbre, adapt, imitation);
  const background =
    timbres === null || !imitation.background ? null : backgroundOf(timbres.timbre, timbres.sourceTimbre);
  return {
    pitchOf: (semitones) => target.pitchMedianHz * 2 ** ((semitones * span) / 12),
    transform(envelopeDb, noiseShares, isVoiced) {
      warpEnvelope(envelopeDb, warp);
      if (!isVoiced && !imitation.unvoiced) return;
      addBands(envelopeDb, 0, isVoiced ? voiced : unvoiced);
      if (isVoiced)
        for (let band = 0; band < NOISE_BANDS; band += 1) noiseShares[band] = shiftNoise(band, noiseShares[band]!);
      imitate?.(envelopeDb, noiseShares, isVoiced);
      if (background !== null) addBackground(envelopeDb, background);
    },
  };
}

const rangeOf = (voice: VoiceProfile) => voice.pitchHighSemitones - voice.pitchLowSemitones;

/**
 * Computes the spectral difference in bands. Both spectra use the same bins and bands, so they are
 * equally smooth.
 */
function difference(
  source: readonly number[],
  target: readonly number[],
  warp: Float64Array,
  maxDb: number,
): Float64Array {
  const from = bandsOfWarped(source, warp);
  return bandsOfWarped(target, unwarped).map((level, band) => Math.min(maxDb, Math.max(-maxDb, level - from[band]!)));
}

const unwarped = Float64Array.from({ length: ENVELOPE_BINS }, (_, k) => k);

/**
 * Moves shares of noise so that the source's mean becomes the target's: in log odds, so that they
 * stay between 0 and 1.
 */
function noiseShifter(source: VoiceProfile, target: VoiceProfile): (band: number, share: number) => number {
  const from = melToNoiseBands(source.noiseShares);
  const shifts = melToNoiseBands(target.noiseShares).map((share, band) => logOdds(share) - logOdds(from[band]!));
  return (band, share) => 1 / (1 + Math.exp(-(logOdds(share) + shifts[band]!)));
}

function logOdds(share: number): number {
  const inside = Math.min(0.98, Math.max(0.02, share));
  return Math.log(inside / (1 - inside));
}

/** Applies what `transform` does to a frame before imitation to a typical sound of the source. */
function adaptRow(
  row: Float32Array,
  warp: Float64Array,
  correction: Float64Array,
  shiftNoise: (band: number, share: number) => number,
): Float32Array {
  const moved = bandsOfWarped(Array.from(row.subarray(0, VOICE_BANDS.count)), warp);
  const adapted = row.map((value, i) =>
    i < VOICE_BANDS.count ? moved[i]! + correction[i]! : shiftNoise(i - VOICE_BANDS.count, value),
  );
  takeOffLevel(adapted);
  return adapted;
}

/**
 * Moves every frame towards the most similar typical sounds of the target, keeping its level: a
 * soft nearest-neighbor conversion between recordings of different words (after D. Erro, A.
 * Moreno, A. Bonafonte, "INCA algorithm for training voice conversion systems from nonparallel
 * corpora", IEEE TASLP 18(5), 2010, with one round, since formants and means are aligned
 * beforehand). It mixes replacement by such a sound with the mean shift of the source's sounds near
 * it, which keeps distinct sounds distinct.
 */
function createImitator(
  source: Timbre,
  target: Timbre,
  adapt: (row: Float32Array, isVoiced: boolean) => Float32Array,
  imitation: Imitation,
): VoiceTransform['transform'] {
  const voiced = createLikeness(source.voiced, target.voiced, VOICED_ROW, (row) => adapt(row, true));
  const unvoiced = createLikeness(source.unvoiced, target.unvoiced, UNVOICED_ROW, (row) => adapt(row, false));
  const row = new Float32Array(VOICED_ROW);
  const correction = new Float64Array(VOICED_ROW);
  let wasVoiced: boolean | null = null;
  return (envelopeDb, noiseShares, isVoiced) => {
    const kind = isVoiced ? voiced : unvoiced;
    if (kind.count === 0) return;
    toBands(envelopeDb, 0, row);
    takeOffLevel(row);
    if (isVoiced) row.set(noiseShares, VOICE_BANDS.count);
    const { sound, shift } = kind.of(row);
    const inertia = wasVoiced === isVoiced ? INERTIA : 0;
    wasVoiced = isVoiced;
    for (let i = 0; i < sound.length; i += 1) {
      const closeness = closenessAt(i, isVoiced, imitation);
      const imitated = closeness * (sound[i]! - row[i]!) + (1 - closeness) * shift[i]!;
      correction[i] = inertia * correction[i]! + (1 - inertia) * imitated;
    }
    addBands(envelopeDb, 0, correction);
    if (!isVoiced) return;
    for (let band = 0; band < NOISE_BANDS; band += 1) {
      const share = noiseShares[band]! + correction[VOICE_BANDS.count + band]!;
      noiseShares[band] = Math.min(1, Math.max(0, share));
    }
  };
}

/**
 * Returns the weight for a band, or for a share of noise after the bands: breathiness does not
 * distinguish sounds.
 */
function closenessAt(index: number, isVoiced: boolean, { vowelCloseness, highCloseness }: Imitation): number {
  if (index >= VOICE_BANDS.count) return 1;
  if (!isVoiced) return UNVOICED_CLOSENESS;
  return bandCentersHz[index]! < VOWEL_TOP_HZ ? vowelCloseness : highCloseness;
}

/**
 * Mixes, for any sound, the similar typical sounds of the target and the shift of the source's
 * sounds of that kind.
 */
function createLikeness(
  source: Float32Array,
  target: Float32Array,
  width: number,
  adapt: (row: Float32Array) => Float32Array,
) {
  const count = target.length / width;
  const weights = new Float64Array(count);
  const sound = new Float64Array(width);
  const shift = new Float64Array(width);
  const weigh = (row: Float32Array): void => {
    let nearest = Infinity;
    for (let i = 0; i < count; i += 1) {
      weights[i] = distance(row, 0, target, i * width);
      nearest = Math.min(nearest, weights[i]!);
    }
    let sum = 0;
    for (let i = 0; i < count; i += 1) {
      const excess = (weights[i]! - nearest) / LIKENESS_DB2;
      weights[i] = excess > MAX_EXCESS ? 0 : Math.exp(-excess);
      sum += weights[i]!;
    }
    for (let i = 0; i < count; i += 1) weights[i] = weights[i]! / sum;
  };
  const members = new Float64Array(count);
  const sums = new Float64Array(target.length);
  for (let at = 0; at < source.length; at += width) {
    const row = adapt(source.subarray(at, at + width));
    weigh(row);
    for (let i = 0; i < count; i += 1) {
      members[i] = members[i]! + weights[i]!;
      for (let j = 0; j < width; j += 1) sums[i * width + j] = sums[i * width + j]! + weights[i]! * row[j]!;
    }
  }
  const shifts = target.map((value, i) => {
    const weight = members[Math.floor(i / width)]!;
    return weight === 0 ? 0 : ((value - sums[i]! / weight) * weight) / (weight + STAYING_WEIGHT);
  });
  return {
    count,
    /** Both arrays are overwritten by the next call. */
    of(row: Float32Array): { sound: Float64Array; shift: Float64Array } {
      weigh(row);
      sound.fill(0);
      shift.fill(0);
      for (let i = 0; i < count; i += 1) {
        const weight = weights[i]!;
        if (weight === 0) continue;
        for (let j = 0; j < width; j += 1) {
          sound[j] = sound[j]! + weight * target[i * width + j]!;
          shift[j] = shift[j]! + weight * shifts[i * width + j]!;
        }
      }
      return { sound, shift };
    },
  };
}

/** Computes the background of the sample at the level of the source's audio, dB per bin. */
function backgroundOf(target: Timbre, source: Timbre): Float64Array {
  let power = 0;
  for (const level of target.backgroundDb) power += 10 ** (level / 10) / VOICE_BANDS.count;
  const relativeDb = 10 * Math.log10(power + 1e-12) - target.levelDb;
  const gainDb = source.levelDb - target.levelDb - Math.max(0, relativeDb - MAX_BACKGROUND_DB);
  return toBins(target.backgroundDb).map((level) => level + gainDb);
}

/** Adds the power of the background where it matters. */
function addBackground(envelopeDb: Float32Array, backgroundDb: Float64Array): void {
  for (let k = 0; k < ENVELOPE_BINS; k += 1) {
    const above = envelopeDb[k]! - backgroundDb[k]!;
    if (above < INAUDIBLE_DB) envelopeDb[k] = backgroundDb[k]! + 10 * Math.log10(1 + 10 ** (above / 10));
  }
}
