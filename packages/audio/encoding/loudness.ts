import { createFilterChain, type FilterChain } from './filter-chain.ts';

/** Loudness of finished speech, as podcasts have it. */
export const TARGET_LUFS = -16;
/** Highest true peak of finished speech: codecs swing a little beyond what they are given. */
export const PEAK_LIMIT_DBTP = -1;
/** The limiter aims this much lower: leaving its high rate adds a little. */
const LIMITER_MARGIN_DB = 0.15;
/** Softer than this whole sound is not speech that was recorded too softly: louder it would be noise. */
const MAX_GAIN_DB = 40;
/** What the standard counts as silence. */
const SILENCE_LUFS = -70;
/** Loudness is measured in blocks of 400 ms; a shorter sound is repeated until there are some, as its mean is the same. */
const MIN_MEASURED_MS = 1_000;
/** How much louder it may be made to have back what the limiter takes. */
const MAX_CORRECTION_DB = 4;

export type Loudness = {
  /** −∞ for silence. */
  integratedLufs: number;
  truePeakDb: number;
};

/** Measures sound that comes in pieces, from the first to the last. */
export type LoudnessMeter = {
  push(samples: Float32Array): void;
  /** Frees the meter. */
  finish(): Loudness;
  /** Frees the meter before its time. */
  close(): void;
};

/**
 * Integrated loudness with its gates and true peak at four times the rate or more, as ITU-R BS.1770-4 and EBU R 128 have them (the
 * codec library's "ebur128").
 */
export function createLoudnessMeter(sampleRateHz: number): LoudnessMeter {
  const chain = createFilterChain([['ebur128', 'metadata=1:peak=true:framelog=quiet']], sampleRateHz);
  const minSamples = (MIN_MEASURED_MS * sampleRateHz) / 1_000;
  let beginning: Float32Array[] = [];
  let count = 0;
  return {
    push(samples) {
      if (count < minSamples) beginning.push(samples.slice());
      else beginning = [];
      count += samples.length;
      chain.push(samples);
    },
    finish() {
      const repetitions = count === 0 || count >= minSamples ? 0 : Math.ceil(minSamples / count);
      for (let i = 0; i < repetitions; i += 1) for (const piece of beginning) chain.push(piece);
      chain.flush();
      const notes = chain.notes();
      chain.close();
      const integrated = Number(notes['lavfi.r128.I'] ?? -Infinity);
      const peak = Number(notes['lavfi.r128.true_peak'] ?? 0);
      return {
        integratedLufs: integrated > SILENCE_LUFS ? integrated : -Infinity,
        truePeakDb: 20 * Math.log10(peak),
      };
    },
    close: () => chain.close(),
  };
}

/** The gain that brings sound to the wanted loudness, dB; 0 for silence. */
export function gainFor({ integratedLufs }: Loudness): number {
  return integratedLufs === -Infinity ? 0 : Math.min(MAX_GAIN_DB, TARGET_LUFS - integratedLufs);
}

/** Whether sound of that true peak meets the limiter at that gain. */
export function isLimited({ truePeakDb }: Loudness, gainDb: number): boolean {
  return truePeakDb + gainDb > PEAK_LIMIT_DBTP;
}

/** A somewhat other gain, when what came out of the limiter at `gainDb` is not as loud as wanted. */
export function correctedGain(gainDb: number, limited: Loudness): number {
  return gainDb + Math.min(MAX_CORRECTION_DB, Math.max(-MAX_CORRECTION_DB, gainFor(limited)));
}

/**
 * A gain and a limiter that looks ahead 5 ms; the limiter works at a multiple of the rate, so that it sees the peaks between samples.
 * The sound comes out at `toHz`, as long as before and at the same place.
 */
export function createLeveler(gainDb: number, fromHz: number, toHz: number): FilterChain {
  const limit = 10 ** ((PEAK_LIMIT_DBTP - LIMITER_MARGIN_DB) / 20);
  return createFilterChain(
    [
      ['volume', `${gainDb.toFixed(3)}dB:precision=float`],
      // First to the file's rate: the filter of another rate makes peaks of its own.
      ...(fromHz === toHz ? [] : ([['aresample', String(toHz)]] as const)),
      ['aresample', String(toHz * 4)],
      ['alimiter', `limit=${limit.toFixed(6)}:attack=5:release=60:level=0:latency=1`],
      ['aresample', String(toHz)],
      ['aformat', 'sample_fmts=flt'],
    ],
    fromHz,
  );
}
