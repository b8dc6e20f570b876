import { createMinimumPhase } from './minimum-phase.ts';
import { createDispersions } from './phase-dispersion.ts';
import { createRandom } from '@jyutsing/numeric/random';
import { createRealFft } from '@jyutsing/numeric/real-fft';
import {
  ENVELOPE_BINS,
  FRAME_SAMPLES,
  HZ_PER_BIN,
  NOISE_BAND_EDGES_HZ,
  NOISE_BANDS,
  TRANSFORM_SIZE,
  VOCODER_SAMPLE_RATE_HZ,
  type SpeechFrame,
} from './speech-frames.ts';

/** A pulse starts this long before its own time: the glottis opens before it closes. */
const PRE_SAMPLES = 2 * FRAME_SAMPLES;
/**
 * Delay of final output in frames: the first n calls of `push` have returned (n − 3) · 120 samples
 * in total.
 */
const RESYNTHESIS_LATENCY_FRAMES = 3;
/**
 * Longest stretches of noise that are shaped at once: noise must change with the frames and fit
 * before its pulse.
 */
const MAX_VOICED_NOISE = PRE_SAMPLES - 32;
const MAX_UNVOICED_NOISE = FRAME_SAMPLES;
/** Depth of the noise modulation: breath noise is loudest when the glottis closes. */
const NOISE_MODULATION = 0.5;
const RING = 2_048;
/** Number of faded samples at the end, which would click if cut. */
const FADE_SAMPLES = 48;

type Resynthesizer = {
  /**
   * Takes the next frame (its arrays are not kept) and returns the samples at 24 kHz that are now
   * final: 120, fewer at the start.
   */
  push(frame: SpeechFrame): Float32Array<ArrayBuffer>;
  /**
   * Returns the remaining samples: n frames give n · 120 samples in total. The resynthesizer cannot
   * be used afterwards.
   */
  flush(): Float32Array<ArrayBuffer>;
};

/**
 * The filters of a frame: complex minimum-phase spectra, one for the pulses and one for the noise.
 */
type Filters = {
  pitchHz: number;
  toneRe: Float64Array;
  toneIm: Float64Array;
  noiseRe: Float64Array;
  noiseIm: Float64Array;
};

/**
 * Synthesizes a seamless stream of speech from frames: pulses at sub-sample positions and noise,
 * each through the current minimum-phase filter (M. Morise, F. Yokomori, K. Ozawa, "WORLD: a
 * vocoder-based high-quality speech synthesis system", IEICE Transactions E99-D, 2016), the pulses
 * with glottal phase. Deterministic for a seed and frames.
 */
export function createResynthesizer({ seed }: { seed: number }): Resynthesizer {
  const random = createRandom(seed);
  const toFilters = createFilterMaker();
  const renderer = createRenderer(random);
  let previous = emptyFilters();
  let current = emptyFilters();
  let frameCount = 0;
  let phase = 0.5;
  let wasVoiced = false;
  let noiseFrom = 0;
  let emitted = 0;

  /** Places the pulses and stretches of noise from frame `index` to the next one. */
  const render = (index: number) => {
    const start = index * FRAME_SAMPLES;
    for (let i = 0; i < FRAME_SAMPLES; i += 1) {
      const hz = pitchBetween(previous.pitchHz, current.pitchHz, i / FRAME_SAMPLES);
      const sample = start + i;
      if (hz > 0) {
        if (!wasVoiced) phase = 0.7;
        const step = hz / VOCODER_SAMPLE_RATE_HZ;
        phase += step;
        if (phase >= 1) {
          phase -= 1;
          const at = sample + 1 - phase / step;
          renderer.add(
            { before: previous, after: current, share: (at - start) / FRAME_SAMPLES },
            { from: noiseFrom, to: sample + 1 },
            at,
            hz,
          );
          noiseFrom = sample + 1;
        } else if (sample + 1 - noiseFrom >= MAX_VOICED_NOISE) {
          renderer.add(
            { before: previous, after: current, share: (i + 1) / FRAME_SAMPLES },
            { from: noiseFrom, to: sample + 1 },
            null,
            hz,
          );
          noiseFrom = sample + 1;
        }
      } else if (sample + 1 - noiseFrom >= MAX_UNVOICED_NOISE) {
        renderer.add(
          { before: previous, after: current, share: (i + 1) / FRAME_SAMPLES },
          { from: noiseFrom, to: sample + 1 },
          null,
          0,
        );
        noiseFrom = sample + 1;
      }
      wasVoiced = hz > 0;
    }
  };

  const take = (untilSample: number) => {
    const samples = renderer.take(emitted, Math.max(emitted, untilSample));
    emitted += samples.length;
    return samples;
  };

  return {
    push(frame) {
      [previous, current] = [current, previous];
      toFilters(frame, current);
      if (frameCount > 0) render(frameCount - 1);
      frameCount += 1;
      return take((frameCount - RESYNTHESIS_LATENCY_FRAMES) * FRAME_SAMPLES);
    },
    flush() {
      if (frameCount === 0) return new Float32Array(0);
      previous = current;
      render(frameCount - 1);
      const end = frameCount * FRAME_SAMPLES;
      if (end > noiseFrom)
        renderer.add({ before: previous, after: current, share: 1 }, { from: noiseFrom, to: end }, null, 0);
      const samples = take(end);
      const fade = Math.min(FADE_SAMPLES, samples.length);
      for (let i = 1; i <= fade; i += 1) samples[samples.length - i]! *= i / (fade + 1);
      return samples;
    },
  };
}

/**
 * Interpolates the pitch between voiced frames; a voiced frame beside an unvoiced one extends
 * half-way.
 */
function pitchBetween(from: number, to: number, share: number): number {
  if (from > 0 && to > 0) return from + (to - from) * share;
  return share < 0.5 ? from : to;
}

function emptyFilters(): Filters {
  return {
    pitchHz: 0,
    toneRe: new Float64Array(ENVELOPE_BINS),
    toneIm: new Float64Array(ENVELOPE_BINS),
    noiseRe: new Float64Array(ENVELOPE_BINS),
    noiseIm: new Float64Array(ENVELOPE_BINS),
  };
}

function createFilterMaker(): (frame: SpeechFrame, filters: Filters) => void {
  const toMinimumPhase = createMinimumPhase();
  const logAmplitude = new Float64Array(ENVELOPE_BINS);
  const phase = new Float64Array(ENVELOPE_BINS);
  return (frame, filters) => {
    toMinimumPhase(frame.envelopeDb, logAmplitude, phase);
    const isVoiced = frame.pitchHz > 0;
    filters.pitchHz = isVoiced ? frame.pitchHz : 0;
    for (let k = 0; k < ENVELOPE_BINS; k += 1) {
      const amplitude = Math.exp(logAmplitude[k]!);
      const re = amplitude * Math.cos(phase[k]!);
      const im = amplitude * Math.sin(phase[k]!);
      const band = lowerBands[k]!;
      const lower = frame.noiseShares[band]!;
      const share = isVoiced ? lower + (frame.noiseShares[band + 1]! - lower) * bandBlends[k]! : 1;
      const tone = Math.sqrt(Math.max(0, 1 - share));
      const noise = Math.sqrt(Math.max(0, share));
      filters.toneRe[k] = re * tone;
      filters.toneIm[k] = im * tone;
      filters.noiseRe[k] = re * noise;
      filters.noiseIm[k] = im * noise;
    }
  };
}

/**
 * For each bin, the band whose center is below it and the position between that and the next
 * center.
 */
const lowerBands = new Uint8Array(ENVELOPE_BINS);
const bandBlends = new Float64Array(ENVELOPE_BINS);
const middleOf = (band: number) => (NOISE_BAND_EDGES_HZ[band]! + NOISE_BAND_EDGES_HZ[band + 1]!) / 2;
for (let k = 0; k < ENVELOPE_BINS; k += 1) {
  const hz = k * HZ_PER_BIN;
  let band = 0;
  while (band < NOISE_BANDS - 2 && middleOf(band + 1) <= hz) band += 1;
  lowerBands[k] = band;
  bandBlends[k] = Math.min(1, Math.max(0, (hz - middleOf(band)) / (middleOf(band + 1) - middleOf(band))));
}

/** Adds pulses and noise to a ring buffer of samples, from which final ones are read. */
function createRenderer(random: () => number) {
  const fft = createRealFft(TRANSFORM_SIZE);
  const dispersionOf = createDispersions();
  const ring = new Float64Array(RING);
  const signal = new Float64Array(TRANSFORM_SIZE);
  const re = new Float64Array(ENVELOPE_BINS);
  const im = new Float64Array(ENVELOPE_BINS);

  const fillNoise = (base: number, from: number, to: number, pulseAt: number | null, pitchHz: number) => {
    signal.fill(0);
    const turn = (2 * Math.PI * pitchHz) / VOCODER_SAMPLE_RATE_HZ;
    const depth = pulseAt === null ? 0 : NOISE_MODULATION;
    // Uniform numbers of variance 1 are used; the filter makes them Gaussian.
    const gain = Math.sqrt(12 / (1 + (depth * depth) / 2));
    for (let n = from; n < to; n += 1) {
      const modulation = depth === 0 ? 1 : 1 + depth * Math.cos(turn * (n - (pulseAt ?? 0)));
      signal[n - base] = gain * modulation * (random() - 0.5);
    }
  };

  return {
    /**
     * Adds noise in a range of samples, and a pulse at `pulseAt` unless null, through filters
     * interpolated by `share` from `before` to `after`.
     */
    add(
      { before, after, share }: { before: Filters; after: Filters; share: number },
      range: { from: number; to: number },
      pulseAt: number | null,
      pitchHz: number,
    ): void {
      const base = Math.floor(pulseAt ?? range.to) - PRE_SAMPLES;
      fillNoise(base, range.from, range.to, pulseAt, pitchHz);
      fft.forward(signal, re, im);
      const keep = 1 - share;
      const { noiseRe: n0Re, noiseIm: n0Im } = before;
      const { noiseRe: n1Re, noiseIm: n1Im } = after;
      for (let k = 0; k < ENVELOPE_BINS; k += 1) {
        const filterRe = keep * n0Re[k]! + share * n1Re[k]!;
        const filterIm = keep * n0Im[k]! + share * n1Im[k]!;
        const noise = re[k]!;
        re[k] = noise * filterRe - im[k]! * filterIm;
        im[k] = noise * filterIm + im[k]! * filterRe;
      }
      if (pulseAt !== null) addPulse(before, after, share, pulseAt - base, pitchHz);
      im[0] = 0;
      im[ENVELOPE_BINS - 1] = 0;
      fft.inverse(re, im, signal);
      for (let i = Math.max(0, -base); i < TRANSFORM_SIZE; i += 1) ring[(base + i) & (RING - 1)]! += signal[i]!;
    },
    take(from: number, to: number): Float32Array<ArrayBuffer> {
      const samples = new Float32Array(to - from);
      for (let n = from; n < to; n += 1) {
        samples[n - from] = ring[n & (RING - 1)]!;
        ring[n & (RING - 1)] = 0;
      }
      return samples;
    },
  };

  /** Adds the spectrum of a pulse `delay` samples after the base to `re` and `im`. */
  function addPulse(before: Filters, after: Filters, share: number, delay: number, pitchHz: number): void {
    const dispersion = dispersionOf(pitchHz);
    const gain = Math.sqrt(VOCODER_SAMPLE_RATE_HZ / pitchHz);
    const keep = gain * (1 - share);
    const take = gain * share;
    const turn = (-2 * Math.PI * delay) / TRANSFORM_SIZE;
    const turnCos = Math.cos(turn);
    const turnSin = Math.sin(turn);
    let c = 1;
    let s = 0;
    for (let k = 0; k < ENVELOPE_BINS; k += 1) {
      const filterRe = keep * before.toneRe[k]! + take * after.toneRe[k]!;
      const filterIm = keep * before.toneIm[k]! + take * after.toneIm[k]!;
      const phaseRe = dispersion.re[k]! * c - dispersion.im[k]! * s;
      const phaseIm = dispersion.re[k]! * s + dispersion.im[k]! * c;
      re[k] = re[k]! + filterRe * phaseRe - filterIm * phaseIm;
      im[k] = im[k]! + filterRe * phaseIm + filterIm * phaseRe;
      const nextCos = c * turnCos - s * turnSin;
      s = s * turnCos + c * turnSin;
      c = nextCos;
    }
  }
}
