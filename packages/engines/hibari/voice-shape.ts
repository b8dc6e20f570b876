import { readFileSync } from 'node:fs';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { formantWarp, warpEnvelope } from '@jyutsing/audio/voice/formant-warp';
import { createVoiceTransform, type Imitation } from '@jyutsing/audio/voice/voice-transform';
import { ENVELOPE_BINS, HZ_PER_BIN, NOISE_BANDS } from '@jyutsing/audio/vocoder/speech-frames';
import { exponential } from './fast-math.ts';
import { BINS, type SpectralFrame } from './spectra.ts';

/** Profile of the voice as it is, measured by training/voices/english/measure-speaker.ts. */
const SPEAKER: VoiceProfile = JSON.parse(
  readFileSync(new URL('speaker-profile.json', import.meta.url), 'utf8'),
) as VoiceProfile;

/** Changes the spectra of a run towards a voice, frame by frame in order. */
export type VoiceShape = {
  /** Factor of the voice's speed. */
  rate: number;
  /** The pitch in hertz for one that the graph predicted; `semitones` are added. */
  pitchOf(hz: number, semitones: number): number;
  /** Changes a frame in place; `fromHz` is the pitch that it had, `toHz` the one that it gets. */
  shape(frame: SpectralFrame, fromHz: number, toHz: number): void;
};

/** Bins of the spectra are 20 Hz apart, those of envelopes a little more. */
const BIN_HZ = 20;
const LEAST_VOICED_HZ = 40;
const PITCH_HZ = [55, 600] as const;
const RATE = [0.85, 1.15] as const;
const RANGE = [0.75, 1.2] as const;
/** Range of the factor of the formants of designed voices; beyond it words are misheard. */
const FORMANTS = [0.84, 1.2] as const;
/** Formants of a design that has the vocal tract of this voice: a woman's. */
const DESIGN_FORMANTS_HZ = [543, 1_742, 3_161] as const;
/** Change of the pitch in octaves below which the spectrum needs no smoothing. */
const LEAST_MOVE = 0.02;
/** As for recorded sounds of a person: more imitation makes words unintelligible. */
const IMITATION: Imitation = {
  maxCorrectionDb: 6,
  vowelCloseness: 0.2,
  highCloseness: 0.5,
  unvoiced: false,
  background: false,
};
const DB_PER_LOG = 20 / Math.LN10;

/**
 * The shape of a voice. The voice of the graph itself stays as it is. Designed voices have its
 * sounds with another pitch, pace and length of the vocal tract; voices measured on a person have
 * that person's formants and spectra, too.
 */
export function createVoiceShape(profile: VoiceProfile): VoiceShape {
  const median = profile.pitchMedianHz;
  const range = within(rangeOf(profile) / rangeOf(SPEAKER), RANGE);
  const isPerson = profile.timbre !== '';
  const move = createMover();
  const warp = isPerson ? warpTo(profile) : scaled(designFactor(profile));
  const correct = isPerson ? createCorrection(profile) : null;
  return {
    rate: within(profile.syllablesPerSecond / SPEAKER.syllablesPerSecond, RATE),
    pitchOf(hz, semitones) {
      if (hz < LEAST_VOICED_HZ) return 0;
      const octaves = range * Math.log2(hz / SPEAKER.pitchMedianHz) + semitones / 12;
      return within(median * 2 ** octaves, PITCH_HZ);
    },
    shape(frame, fromHz, toHz) {
      const isVoiced = toHz > 0;
      const isMoved = isVoiced && Math.abs(Math.log2(toHz / fromHz)) > LEAST_MOVE;
      if (!isMoved && warp === null && correct === null) return;
      const correction = correct?.(frame, isVoiced) ?? null;
      move(frame, { warp, spacing: isMoved ? fromHz / BIN_HZ : null, correction });
      // A lower voice has more harmonics, each of which is weaker.
      if (isMoved) add(frame.tone, Math.log(toHz / fromHz) / 2);
    },
  };
}

const rangeOf = ({ pitchLowSemitones, pitchHighSemitones }: VoiceProfile) => pitchHighSemitones - pitchLowSemitones;

function designFactor({ formantsHz }: VoiceProfile): number {
  const product = DESIGN_FORMANTS_HZ.reduce((whole, hz, i) => whole * (formantsHz[i]! / hz), 1);
  return within(product ** (1 / DESIGN_FORMANTS_HZ.length), FORMANTS);
}

/** For each bin, the place in the graph's spectrum that it gets; null to leave all as they are. */
function scaled(factor: number): Float64Array | null {
  if (Math.abs(factor - 1) < 0.005) return null;
  return Float64Array.from({ length: BINS }, (_, bin) => Math.min(BINS - 1, bin / factor));
}

function warpTo(profile: VoiceProfile): Float64Array {
  const places = formantWarp(SPEAKER.formantsHz, profile.formantsHz);
  return Float64Array.from({ length: BINS }, (_, bin) => {
    const at = (bin * BIN_HZ) / HZ_PER_BIN;
    const lower = Math.min(ENVELOPE_BINS - 2, Math.floor(at));
    const place = places[lower]! + (places[lower + 1]! - places[lower]!) * (at - lower);
    return Math.min(BINS - 1, (place * HZ_PER_BIN) / BIN_HZ);
  });
}

type Correction = (frame: SpectralFrame, isVoiced: boolean) => Float64Array;

/** Returns the logarithms of amplitudes that make the sounds of a frame those of a person. */
function createCorrection(profile: VoiceProfile): Correction {
  const { transform } = createVoiceTransform(SPEAKER, profile, IMITATION);
  const warp = formantWarp(SPEAKER.formantsHz, profile.formantsHz);
  const before = new Float32Array(ENVELOPE_BINS);
  const after = new Float32Array(ENVELOPE_BINS);
  const noiseShares = new Float32Array(NOISE_BANDS);
  const correction = new Float64Array(BINS);
  return ({ tone, free }, isVoiced) => {
    for (let k = 0; k < ENVELOPE_BINS; k += 1) {
      const bin = Math.min(BINS - 1, Math.round((k * HZ_PER_BIN) / BIN_HZ));
      before[k] = 10 * Math.log10(exponential(2 * tone[bin]!) + exponential(2 * free[bin]!) + 1e-12);
    }
    after.set(before);
    transform(after, noiseShares, isVoiced);
    warpEnvelope(before, warp);
    // The frame keeps its power: a person is not louder than the voice of the graph.
    const gainDb = 10 * Math.log10(powerOf(before) / powerOf(after));
    for (let bin = 0; bin < BINS; bin += 1) {
      const k = Math.min(ENVELOPE_BINS - 1, Math.round((bin * BIN_HZ) / HZ_PER_BIN));
      correction[bin] = (after[k]! - before[k]! + gainDb) / DB_PER_LOG;
    }
    return correction;
  };
}

function powerOf(envelopeDb: Float32Array): number {
  let power = 1e-12;
  for (const level of envelopeDb) power += 10 ** (level / 10);
  return power;
}

type Move = {
  warp: Float64Array | null;
  /** Bins between harmonics: only there the filter of the pulses means something. */
  spacing: number | null;
  correction: Float64Array | null;
};

function createMover(): (frame: SpectralFrame, move: Move) => void {
  const row = new Float32Array(BINS);
  const peaks = new Float32Array(BINS);
  return ({ tone, tonePhase, noise, free, freePhase }, { warp, spacing, correction }) => {
    const placeOf = (bin: number) => (warp === null ? bin : warp[bin]!);
    const moveLevels = (part: Float32Array, levelAt: (place: number) => number) => {
      for (let bin = 0; bin < BINS; bin += 1) row[bin] = levelAt(placeOf(bin)) + (correction?.[bin] ?? 0);
      part.set(row);
    };
    if (spacing === null) moveLevels(tone, (place) => between(tone, place));
    else {
      const count = Math.floor((BINS - 1) / spacing);
      for (let harmonic = 1; harmonic <= count; harmonic += 1) peaks[harmonic] = between(tone, harmonic * spacing);
      moveLevels(tone, (place) => {
        const harmonic = place / spacing;
        if (harmonic <= 1) return peaks[1]!;
        return harmonic >= count ? peaks[count]! : between(peaks, harmonic);
      });
    }
    for (const part of [noise, free]) moveLevels(part, (place) => between(part, place));
    for (const part of [tonePhase, freePhase]) {
      for (let bin = 0; bin < BINS; bin += 1) {
        const place = placeOf(bin);
        const isTone = part === tonePhase && spacing !== null;
        const nearest = isTone ? Math.max(1, Math.round(place / spacing)) * spacing : place;
        row[bin] = part[Math.min(BINS - 1, Math.round(nearest))]!;
      }
      part.set(row);
    }
  };
}

function between(values: Float32Array, place: number): number {
  const lower = Math.min(BINS - 2, Math.floor(place));
  return values[lower]! + (values[lower + 1]! - values[lower]!) * (place - lower);
}

function add(values: Float32Array, log: number): void {
  for (let i = 0; i < values.length; i += 1) values[i] = values[i]! + log;
}

function within(value: number, [low, high]: readonly [number, number]): number {
  return Math.min(high, Math.max(low, value));
}
