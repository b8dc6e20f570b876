import type { VoiceProfile } from '#contracts/voice.ts';
import { VOICE_BANDS } from '#contracts/voice.ts';
import { ENVELOPE_BINS, NOISE_BANDS } from '#audio/vocoder/speech-frames.ts';
import { formantWarp, warpEnvelope } from './formant-warp.ts';
import { addBands, bandsOfWarped, melToNoiseBands, toBands, toBins } from './mel-bands.ts';
import { decodeTimbre, distance, takeOffLevel, UNVOICED_ROW, VOICED_ROW, type Timbre } from './timbre.ts';

/** Turns what a synthesiser says into what the speaker of a reference sample would sound like. For one stream of frames in order. */
export type VoiceTransform = {
  /** The fundamental frequency (Hz) of a melody given in semitones around the speaker's register (0 is the median). */
  pitchOf(semitonesAroundRegister: number): number;
  /** Changes the envelope (`ENVELOPE_BINS`, dB) and the noise shares (`NOISE_BANDS`) of the next frame in place. */
  transform(envelopeDb: Float32Array, noiseShares: Float32Array, isVoiced: boolean): void;
};

/** The melody is stretched with the speaker's range, but never so that tones are lost or sung. */
const MIN_SPAN = 0.8;
const MAX_SPAN = 1.35;
/** What a melody of tones spans from its 10th to its 90th percentile, semitones: what `pitchOf` takes is thought of as so wide. */
export const MELODY_SPAN_SEMITONES = 7;
/** Corrections of the spectrum beyond this are those of a recording that has nothing there. */
const MAX_CORRECTION_DB = 30;
/** Typical sounds this much (dB²) farther than the nearest one count for a third. */
const LIKENESS_DB2 = 2;
/** Those that would count for less than a thousandth are left out. */
const MOST_EXCESS = 7;
/** Share of the frame before in a correction: what jumps from frame to frame is heard as a rattle. */
const INERTIA = 0.4;
/** The room of a sample is heard with the voice, but not where it is loud: a clone need not be noisy. */
const MAX_BACKGROUND_DB = -42;
/** So far above the room a sound drowns it. */
const INAUDIBLE_DB = 20;

/**
 * `source` is measured on what the synthesiser says, `target` on the reference sample, both by `measureVoice`.
 */
export function createVoiceTransform(source: VoiceProfile, target: VoiceProfile): VoiceTransform {
  const span = Math.min(MAX_SPAN, Math.max(MIN_SPAN, rangeOf(target) / MELODY_SPAN_SEMITONES));
  const warp = formantWarp(source.formantsHz, target.formantsHz);
  const voiced = difference(source.voicedBandsDb, target.voicedBandsDb, warp);
  const unvoiced = difference(source.unvoicedBandsDb, target.unvoicedBandsDb, warp);
  const breathe = breathChanges(source, target);
  const timbre = decodeTimbre(target.timbre);
  const imitate = timbre === null ? null : createImitator(timbre);
  const room = timbre === null ? null : roomOf(timbre, decodeTimbre(source.timbre));
  return {
    pitchOf: (semitones) => target.pitchMedianHz * 2 ** ((semitones * span) / 12),
    transform(envelopeDb, noiseShares, isVoiced) {
      warpEnvelope(envelopeDb, warp);
      addBands(envelopeDb, 0, isVoiced ? voiced : unvoiced);
      if (isVoiced)
        for (let band = 0; band < NOISE_BANDS; band += 1) noiseShares[band] = breathe(band, noiseShares[band]!);
      imitate?.(envelopeDb, noiseShares, isVoiced);
      if (room !== null) addRoom(envelopeDb, room);
    },
  };
}

const rangeOf = (voice: VoiceProfile) => voice.pitchHighSemitones - voice.pitchLowSemitones;

/** What the warped spectrum of the source lacks, in bands. Both go through the same bins and bands, and so are equally smooth. */
function difference(source: readonly number[], target: readonly number[], warp: Float64Array): Float64Array {
  const from = bandsOfWarped(source, warp);
  return bandsOfWarped(target, unwarped).map((level, band) =>
    Math.min(MAX_CORRECTION_DB, Math.max(-MAX_CORRECTION_DB, level - from[band]!)),
  );
}

const unwarped = Float64Array.from({ length: ENVELOPE_BINS }, (_, k) => k);

/** Moves shares of noise so that the source's mean becomes the target's: in log odds, so that they stay between 0 and 1. */
function breathChanges(source: VoiceProfile, target: VoiceProfile): (band: number, share: number) => number {
  const from = melToNoiseBands(source.noiseShares);
  const shifts = melToNoiseBands(target.noiseShares).map((share, band) => logOdds(share) - logOdds(from[band]!));
  return (band, share) => 1 / (1 + Math.exp(-(logOdds(share) + shifts[band]!)));
}

function logOdds(share: number): number {
  const inside = Math.min(0.98, Math.max(0.02, share));
  return Math.log(inside / (1 - inside));
}

/**
 * Gives every frame the spectrum of the typical sounds that are most like it, level kept: a soft nearest-neighbour conversion between
 * recordings of different words (after D. Erro, A. Moreno, A. Bonafonte, "INCA algorithm for training voice conversion systems from
 * nonparallel corpora", IEEE TASLP 18(5), 2010, with one round, since formants and means are aligned beforehand).
 */
function createImitator(timbre: Timbre): VoiceTransform['transform'] {
  const row = new Float32Array(VOICED_ROW);
  const wanted = new Float64Array(VOICED_ROW);
  const correction = new Float64Array(VOICED_ROW);
  const distances = new Float64Array(
    Math.max(timbre.voiced.length / VOICED_ROW, timbre.unvoiced.length / UNVOICED_ROW),
  );
  let wasVoiced: boolean | null = null;
  return (envelopeDb, noiseShares, isVoiced) => {
    const rows = isVoiced ? timbre.voiced : timbre.unvoiced;
    const width = isVoiced ? VOICED_ROW : UNVOICED_ROW;
    if (rows.length === 0) return;
    toBands(envelopeDb, 0, row);
    takeOffLevel(row);
    if (isVoiced) row.set(noiseShares, VOICE_BANDS.count);
    mixLikest(row, rows, width, distances, wanted);
    const inertia = wasVoiced === isVoiced ? INERTIA : 0;
    wasVoiced = isVoiced;
    for (let i = 0; i < width; i += 1)
      correction[i] = inertia * correction[i]! + (1 - inertia) * (wanted[i]! - row[i]!);
    addBands(envelopeDb, 0, correction);
    if (!isVoiced) return;
    for (let band = 0; band < NOISE_BANDS; band += 1) {
      const share = noiseShares[band]! + correction[VOICE_BANDS.count + band]!;
      noiseShares[band] = Math.min(1, Math.max(0, share));
    }
  };
}

/** The mean of the rows, weighted by how like each is to `row`; `distances` has a place for every row. */
function mixLikest(
  row: Float32Array,
  rows: Float32Array,
  width: number,
  distances: Float64Array,
  mixed: Float64Array,
): void {
  const count = rows.length / width;
  let nearest = Infinity;
  for (let i = 0; i < count; i += 1) {
    distances[i] = distance(row, 0, rows, i * width);
    if (distances[i]! < nearest) nearest = distances[i]!;
  }
  let weights = 0;
  mixed.fill(0);
  for (let i = 0; i < count; i += 1) {
    const excess = (distances[i]! - nearest) / LIKENESS_DB2;
    if (excess > MOST_EXCESS) continue;
    const weight = Math.exp(-excess);
    weights += weight;
    for (let j = 0; j < width; j += 1) mixed[j] = mixed[j]! + weight * rows[i * width + j]!;
  }
  for (let j = 0; j < width; j += 1) mixed[j] = mixed[j]! / weights;
}

/** The room of the sample at the level of the source's sound, dB per bin. */
function roomOf(target: Timbre, source: Timbre | null): Float64Array | null {
  if (source === null) return null;
  let power = 0;
  for (const level of target.backgroundDb) power += 10 ** (level / 10) / VOICE_BANDS.count;
  const relativeDb = 10 * Math.log10(power + 1e-12) - target.levelDb;
  const gainDb = source.levelDb - target.levelDb - Math.max(0, relativeDb - MAX_BACKGROUND_DB);
  return toBins(target.backgroundDb).map((level) => level + gainDb);
}

/** Adds the power of the room, where it makes a difference. */
function addRoom(envelopeDb: Float32Array, roomDb: Float64Array): void {
  for (let k = 0; k < ENVELOPE_BINS; k += 1) {
    const above = envelopeDb[k]! - roomDb[k]!;
    if (above < INAUDIBLE_DB) envelopeDb[k] = roomDb[k]! + 10 * Math.log10(1 + 10 ** (above / 10));
  }
}
