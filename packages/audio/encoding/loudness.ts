import { createFilterChain, type FilterChain } from './filter-chain.ts';

/** Target loudness of speech files, as usual for podcasts. */
const TARGET_LUFS = -16;
/** Highest true peak of speech files; codecs overshoot their input slightly. */
const PEAK_LIMIT_DBTP = -1;
/** Margin below the peak limit: downsampling after the limiter raises peaks slightly. */
const LIMITER_MARGIN_DB = 0.15;
/** Largest gain: quieter audio is background noise, not quiet speech. */
const MAX_GAIN_DB = 40;
/** Loudness that the standard treats as silence. */
const SILENCE_LUFS = -70;
/** Loudness is measured in blocks of 400 ms; a shorter sound is repeated, which keeps its mean. */
const MIN_MEASURED_MS = 1_000;
/** Limit of the extra gain that compensates for the limiter. */
const MAX_CORRECTION_DB = 4;

export type Loudness = {
  /** Integrated loudness in LUFS; −∞ for silence. */
  integratedLufs: number;
  truePeakDb: number;
};

/** Measures the loudness of a stream. */
type LoudnessMeter = {
  push(samples: Float32Array): void;
  /** Returns the result and frees the meter. */
  finish(): Loudness;
  /** Frees the meter when measuring is abandoned. */
  close(): void;
};

/**
 * Integrated loudness with its gates and true peak at four times the rate or more, as ITU-R
 * BS.1770-4 and EBU R 128 define them (the codec library's "ebur128").
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
      const metadata = chain.metadata();
      chain.close();
      const integrated = Number(metadata['lavfi.r128.I'] ?? -Infinity);
      const peak = Number(metadata['lavfi.r128.true_peak'] ?? 0);
      return {
        integratedLufs: integrated > SILENCE_LUFS ? integrated : -Infinity,
        truePeakDb: 20 * Math.log10(peak),
      };
    },
    close: () => chain.close(),
  };
}

/** Returns the gain in dB that reaches the target loudness; 0 for silence. */
export function gainFor({ integratedLufs }: Loudness): number {
  return integratedLufs === -Infinity ? 0 : Math.min(MAX_GAIN_DB, TARGET_LUFS - integratedLufs);
}

/** Returns true if the limiter acts on audio with this true peak at this gain. */
export function isLimited({ truePeakDb }: Loudness, gainDb: number): boolean {
  return truePeakDb + gainDb > PEAK_LIMIT_DBTP;
}

/** Corrects the gain by the loudness measured after the limiter at `gainDb`. */
export function correctedGain(gainDb: number, limited: Loudness): number {
  return gainDb + Math.min(MAX_CORRECTION_DB, Math.max(-MAX_CORRECTION_DB, gainFor(limited)));
}

/**
 * Applies a gain and a limiter with 5 ms of look-ahead. The limiter runs at a multiple of the rate,
 * so that it catches peaks between samples. Output is at `toHz`, with unchanged length and timing.
 */
export function createLeveler(gainDb: number, fromHz: number, toHz: number): FilterChain {
  const limit = 10 ** ((PEAK_LIMIT_DBTP - LIMITER_MARGIN_DB) / 20);
  return createFilterChain(
    [
      ['volume', `${gainDb.toFixed(3)}dB:precision=float`],
      // Convert to the file's rate first: resampling creates new peaks.
      ...(fromHz === toHz ? [] : ([['aresample', String(toHz)]] as const)),
      ['aresample', String(toHz * 4)],
      ['alimiter', `limit=${limit.toFixed(6)}:attack=5:release=60:level=0:latency=1`],
      ['aresample', String(toHz)],
      ['aformat', 'sample_fmts=flt'],
    ],
    fromHz,
  );
}
