import { mean, median, quantile } from '@jyutsing/numeric/statistics';
import { VOICE_BANDS, type VoiceProfile } from '@jyutsing/contracts/voice';
import { analyzeSpeech } from '#audio/vocoder/analyze-speech.ts';
import { ENVELOPE_BINS, NOISE_BANDS, type SpeechFrames } from '#audio/vocoder/speech-frames.ts';
import { createFormantFinder, formantTopHz } from './formants.ts';
import { bandCentersHz, noiseBandsToMel, toBands } from './mel-bands.ts';
import { syllablesPerSecond } from './syllable-rate.ts';
import { encodeTimbre, takeOffLevel, typicalRows, UNVOICED_ROW, VOICED_ROW, type Timbre } from './timbre.ts';

/**
 * Increased whenever the same audio would be measured differently: profiles of another version are
 * measured again.
 */
export const VOICE_PROFILE_VERSION = 1;

/**
 * Voiced frames this far below the loudest describe the recording conditions more than the voice.
 */
const VOICED_RANGE_DB = 25;
const UNVOICED_RANGE_DB = 40;
/** Least level of consonants above the background. */
const ABOVE_BACKGROUND_DB = 10;
/** Range in dB below the loudest frame that contains vowels, whose formants can be measured. */
const VOWEL_RANGE_DB = 14;
/** Default for a sound without any pitch. */
const DEFAULT_PITCH_HZ = 150;
const DEFAULT_FORMANTS_HZ = [500, 1_500, 2_500] as const;
const DEFAULT_SYLLABLES_PER_SECOND = 4.5;
/** Share of all frames, the quietest, that measure the background. */
const BACKGROUND_SHARE = 0.08;
const DEFAULT_NOISE_SHARE = 0.3;
const VOWELS_FROM_HZ = 250;
const VOWELS_TO_HZ = 3_200;

/**
 * Measures a voice. Samples are mono floats of any rate; a few seconds of clean speech are enough,
 * silence gives an average voice.
 */
export function measureVoice(samples: Float32Array, sampleRateHz: number): VoiceProfile {
  return measureFrames(analyzeSpeech(samples, sampleRateHz));
}

/** Measures a voice like `measureVoice`, from speech that is already analyzed. */
export function measureFrames(frames: SpeechFrames): VoiceProfile {
  const { bands, levels } = bandLevels(frames);
  const kinds = sortFrames(frames.pitchHz, levels);
  const voiced = bandMeans(bands, kinds.voiced);
  const unvoiced = bandMeans(bands, kinds.unvoiced.length > 0 ? kinds.unvoiced : kinds.voiced);
  const pitch = measurePitch(frames.pitchHz, kinds.voiced);
  return {
    version: VOICE_PROFILE_VERSION,
    ...pitch,
    formantsHz: measureFormants(frames, levels, kinds.voiced, pitch.pitchMedianHz),
    voicedBandsDb: voiced,
    unvoicedBandsDb: unvoiced,
    noiseShares: noiseMeans(frames, kinds.voiced),
    syllablesPerSecond: measureRate(bands, frames.pitchHz),
    timbre: encodeTimbre(measureTimbre(frames, bands, levels, kinds)),
  };
}

/** Computes levels of every frame: in bands (`count` × `VOICE_BANDS.count`) and as a whole, dB. */
function bandLevels(frames: SpeechFrames) {
  const bands = new Float32Array(frames.count * VOICE_BANDS.count);
  const levels = new Float32Array(frames.count);
  for (let frame = 0; frame < frames.count; frame += 1) {
    toBands(frames.envelopeDb, frame * ENVELOPE_BINS, bands, frame * VOICE_BANDS.count);
    levels[frame] = powerSumDb(bands, frame, 0, VOICE_BANDS.count);
  }
  return { bands, levels };
}

function powerSumDb(bands: Float32Array, frame: number, from: number, to: number): number {
  let power = 0;
  for (let band = from; band < to; band += 1) power += 10 ** (bands[frame * VOICE_BANDS.count + band]! / 10);
  return 10 * Math.log10(power / (to - from) + 1e-12);
}

/** Selects the frames that describe the voice and those that describe its consonants. */
function sortFrames(pitchHz: Float32Array, levels: Float32Array): { voiced: number[]; unvoiced: number[] } {
  const loud = quantile(levels, 0.98, 0);
  const background = quantile(levels, 0.05, 0);
  const voiced: number[] = [];
  const unvoiced: number[] = [];
  for (const [frame, level] of levels.entries()) {
    if (pitchHz[frame]! > 0) {
      if (level > loud - VOICED_RANGE_DB) voiced.push(frame);
    } else if (level > Math.max(loud - UNVOICED_RANGE_DB, background + ABOVE_BACKGROUND_DB)) unvoiced.push(frame);
  }
  return { voiced, unvoiced };
}

function bandMeans(bands: Float32Array, frames: readonly number[]): number[] {
  const means = Array.from({ length: VOICE_BANDS.count }, () => 0);
  for (const frame of frames) {
    for (let band = 0; band < means.length; band += 1) {
      means[band]! += bands[frame * VOICE_BANDS.count + band]! / frames.length;
    }
  }
  const average = mean(means);
  return means.map((level) => rounded(level - average, 1));
}

function measurePitch(pitchHz: Float32Array, voiced: readonly number[]) {
  if (voiced.length === 0) return { pitchMedianHz: DEFAULT_PITCH_HZ, pitchLowSemitones: -3, pitchHighSemitones: 3 };
  const values = voiced.map((frame) => pitchHz[frame]!);
  const middleHz = median(values);
  const semitones = (share: number) => rounded(12 * Math.log2(quantile(values, share) / middleHz), 2);
  return {
    pitchMedianHz: rounded(middleHz, 1),
    pitchLowSemitones: semitones(0.1),
    pitchHighSemitones: semitones(0.9),
  };
}

function measureFormants(
  frames: SpeechFrames,
  levels: Float32Array,
  voiced: readonly number[],
  pitchMedianHz: number,
): [number, number, number] {
  const find = createFormantFinder(formantTopHz(pitchMedianHz));
  const loud = quantile(
    voiced.map((frame) => levels[frame]!),
    0.95,
    0,
  );
  const formantsOfFrames: (readonly [number, number, number])[] = [];
  for (const frame of voiced) {
    if (levels[frame]! < loud - VOWEL_RANGE_DB) continue;
    const formants = find(frames.envelopeDb, frame * ENVELOPE_BINS);
    if (formants !== null) formantsOfFrames.push(formants);
  }
  if (formantsOfFrames.length === 0) return [...DEFAULT_FORMANTS_HZ];
  const middle = (index: 0 | 1 | 2) => Math.round(median(formantsOfFrames.map((formants) => formants[index])));
  return [middle(0), middle(1), middle(2)];
}

function noiseMeans(frames: SpeechFrames, voiced: readonly number[]): number[] {
  const means = Array.from({ length: NOISE_BANDS }, (_, band) => {
    let sum = 0;
    for (const frame of voiced) sum += frames.noiseShares[frame * NOISE_BANDS + band]!;
    return voiced.length === 0 ? DEFAULT_NOISE_SHARE : sum / voiced.length;
  });
  return noiseBandsToMel(means).map((share) => rounded(share, 3));
}

function measureRate(bands: Float32Array, pitchHz: Float32Array): number {
  const from = bandCentersHz.findIndex((hz) => hz >= VOWELS_FROM_HZ);
  const to = bandCentersHz.findIndex((hz) => hz >= VOWELS_TO_HZ);
  const levels = Float32Array.from(pitchHz, (_, frame) => powerSumDb(bands, frame, from, to));
  return rounded(syllablesPerSecond(levels, pitchHz) || DEFAULT_SYLLABLES_PER_SECOND, 2);
}

function measureTimbre(
  frames: SpeechFrames,
  bands: Float32Array,
  levels: Float32Array,
  { voiced, unvoiced }: { voiced: readonly number[]; unvoiced: readonly number[] },
): Timbre {
  const rowsOf = (kind: readonly number[], width: typeof VOICED_ROW | typeof UNVOICED_ROW) => {
    const rows = new Float32Array(kind.length * width);
    for (const [row, frame] of kind.entries()) {
      rows.set(bands.subarray(frame * VOICE_BANDS.count, (frame + 1) * VOICE_BANDS.count), row * width);
      takeOffLevel(rows, row * width);
      if (width !== VOICED_ROW) continue;
      rows.set(
        frames.noiseShares.subarray(frame * NOISE_BANDS, (frame + 1) * NOISE_BANDS),
        row * width + VOICE_BANDS.count,
      );
    }
    return typicalRows(rows, width);
  };
  const quiet = quantile(levels, BACKGROUND_SHARE, 0);
  const background = [...levels.keys()].filter((frame) => levels[frame]! <= quiet);
  return {
    levelDb: voiced.reduce((sum, frame) => sum + levels[frame]!, 0) / Math.max(1, voiced.length),
    backgroundDb: powerMeans(bands, background),
    voiced: rowsOf(voiced, VOICED_ROW),
    unvoiced: rowsOf(unvoiced, UNVOICED_ROW),
  };
}

function powerMeans(bands: Float32Array, frames: readonly number[]): Float32Array {
  return Float32Array.from({ length: VOICE_BANDS.count }, (_, band) => {
    let power = 0;
    for (const frame of frames) power += 10 ** (bands[frame * VOICE_BANDS.count + band]! / 10) / frames.length;
    return 10 * Math.log10(power + 1e-12);
  });
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
