import { createEnvelopes, type Envelopes } from './envelope.ts';
import { MS } from './unit.ts';

const HOP = 160;
const WINDOW = 480;
/** Of the transform; conversions take the bins of 1,024 samples. */
const SIZE = 512;
const CONVERTED_SIZE = 1_024;
/** Smoothing over time: the articulators lag. */
const SIGMA_FRAMES = (4 * MS) / HOP;
const REACH = 2;
const KEPT_CEPSTRA = 40;
const MOST_DOWN = -1.2;
const MOST_UP = 0.9;
/** Sum of the windows at one sample. */
const OVERLAP = WINDOW / 2 / HOP;

const HANN = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW));
const WEIGHTS = weights();

type Frame = { spectrumRe: Float64Array; spectrumIm: Float64Array; envelope: Float64Array };

/** Changes a spectral envelope in place: dB, linear in frequency from 0 to 12 kHz. */
export type EnvelopeConversion = (envelopeDb: Float32Array, isVoiced: boolean) => void;

/** Nepers to decibels; power of the window, so that white sound of variance 1 has 0 dB. */
const DB = 20 / Math.LN10;
const WINDOW_DB = 10 * Math.log10(HANN.reduce((sum, value) => sum + value * value, 0));
/** A conversion changes no frequency by more than this, nepers. */
const MOST_CONVERTED = 2.5;

/** Samples that must be known after those that are asked for. */
export const SMOOTHING_AHEAD = WINDOW + REACH * HOP;

/** Marks of growing sound, one for every 160 samples: where it has voice, where it is smoothed. */
export const createFrameMarks = (length: number): Uint8Array => new Uint8Array(Math.ceil(length / HOP) + 1);
export const markFrame = (marks: Uint8Array, sample: number): void => void (marks[Math.round(sample / HOP)] = 1);
export function markFrames(marks: Uint8Array, from: number, to: number): void {
  marks.fill(1, Math.max(0, Math.round(from / HOP)), Math.max(0, Math.round(to / HOP)) + 1);
}

/**
 * Smooths the spectral envelopes of growing sound over time, so that sounds pass over into each
 * other as in running speech, and converts them to another voice, keeping the level of every frame.
 */
export function createEnvelopeSmoother(
  sound: Float32Array,
  { voicing, smoothed, convert }: { voicing: Uint8Array; smoothed: Uint8Array; convert: EnvelopeConversion | null },
) {
  const envelopes = createEnvelopes(convert === null ? SIZE : CONVERTED_SIZE);
  const { bins } = envelopes;
  const { analyzed, forget } = createFrames(sound, envelopes);
  const output = new Float32Array(sound.length + 2 * WINDOW);
  const change = new Float64Array(bins);
  const converted = new Float32Array(bins);
  let frame = 0;
  let given = 0;

  const addConversion = (convertFrame: EnvelopeConversion, envelope: Float64Array, isVoiced: boolean) => {
    for (let bin = 0; bin < bins; bin += 1) converted[bin] = DB * envelope[bin]! - WINDOW_DB;
    convertFrame(converted, isVoiced);
    let before = 1e-12;
    let after = 1e-12;
    for (let bin = 0; bin < bins; bin += 1) {
      const wanted = (converted[bin]! + WINDOW_DB) / DB - envelope[bin]!;
      const step = Math.max(-MOST_CONVERTED, Math.min(MOST_CONVERTED, wanted));
      before += Math.exp(2 * envelope[bin]!);
      after += Math.exp(2 * (envelope[bin]! + step));
      change[bin]! += step;
    }
    const level = 0.5 * Math.log(before / after);
    for (let bin = 0; bin < bins; bin += 1) change[bin]! += level;
  };

  const addSmoothing = (k: number, own: Frame) => {
    for (let d = -REACH; d <= REACH; d += 1) {
      const { envelope } = analyzed(Math.max(0, k + d));
      const weight = WEIGHTS[d + REACH]!;
      for (let bin = 0; bin < bins; bin += 1) change[bin]! += weight * envelope[bin]!;
    }
    for (let bin = 0; bin < bins; bin += 1)
      change[bin] = Math.max(MOST_DOWN, Math.min(MOST_UP, change[bin]! - own.envelope[bin]!));
  };

  /** Adds a frame as it is. */
  const copy = (k: number) => {
    const from = k * HOP - WINDOW / 2;
    for (let i = Math.max(0, -from); i < Math.min(WINDOW, sound.length - from); i += 1)
      output[from + WINDOW + i]! += (sound[from + i]! * HANN[i]!) / OVERLAP;
  };

  const render = (k: number) => {
    const own = analyzed(k);
    change.fill(0);
    if (smoothed[k] === 1) addSmoothing(k, own);
    if (convert !== null) addConversion(convert, own.envelope, voicing[k] === 1);
    envelopes.re.set(own.spectrumRe);
    envelopes.im.set(own.spectrumIm);
    const shaped = envelopes.shape(change);
    const from = k * HOP - WINDOW / 2 + WINDOW;
    for (let i = 0; i < WINDOW; i += 1) output[from + i]! += shaped[i]! / OVERLAP;
  };

  return {
    /**
     * The smoothed samples before `until` that were not given yet. The sound must be final there
     * and `SMOOTHING_AHEAD` further.
     */
    take(until: number): Float32Array<ArrayBuffer> {
      const end = Math.min(until, sound.length);
      for (; frame * HOP - WINDOW / 2 < end; frame += 1) {
        if (smoothed[frame] === 1 || convert !== null) render(frame);
        else copy(frame);
        forget(frame - REACH);
      }
      const taken = output.slice(WINDOW + given, WINDOW + Math.max(given, end));
      given = Math.max(given, end);
      return taken;
    },
  };
}

/** The frames of growing sound that are in use. */
function createFrames(sound: Float32Array, envelopes: Envelopes) {
  const frames = new Map<number, Frame>();
  /** Frames whose time is over; their arrays are used again. */
  const spare: Frame[] = [];
  const windowed = new Float64Array(WINDOW);
  return {
    /** Frame `k` begins half a window before sample `k · HOP`. */
    analyzed(k: number): Frame {
      const known = frames.get(k);
      if (known !== undefined) return known;
      const from = k * HOP - WINDOW / 2;
      for (let i = 0; i < WINDOW; i += 1) {
        const at = from + i;
        windowed[i] = at < 0 || at >= sound.length ? 0 : sound[at]! * HANN[i]!;
      }
      envelopes.analyze(windowed);
      const made = spare.pop() ?? createFrame(envelopes.bins);
      envelopes.envelope(made.envelope, KEPT_CEPSTRA);
      made.spectrumRe.set(envelopes.re);
      made.spectrumIm.set(envelopes.im);
      frames.set(k, made);
      return made;
    },
    forget(k: number): void {
      const past = frames.get(k);
      if (past === undefined) return;
      frames.delete(k);
      spare.push(past);
    },
  };
}

function createFrame(bins: number): Frame {
  return {
    spectrumRe: new Float64Array(bins),
    spectrumIm: new Float64Array(bins),
    envelope: new Float64Array(bins),
  };
}

function weights(): number[] {
  const raw = Array.from({ length: 2 * REACH + 1 }, (_, i) => Math.exp(-0.5 * ((i - REACH) / SIGMA_FRAMES) ** 2));
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((weight) => weight / sum);
}
