import { createEnvelopes, type Envelopes } from './envelope.ts';
import { createBands, FINISH_BANDS, FINISH_CONTEXT, type Finish } from './finish.ts';

export const HOP = 160;
const WINDOW = 480;
/** Size of the transform, as conversions expect it. */
export const SIZE = 1_024;
const KEPT_CEPSTRA = 40;
/** Sum of the windows at one sample. */
const OVERLAP = WINDOW / 2 / HOP;

const HANN = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW));

type Frame = { spectrumRe: Float64Array; spectrumIm: Float64Array; envelope: Float64Array };

/** Changes a spectral envelope in place: dB, linear in frequency from 0 to 12 kHz. */
export type EnvelopeConversion = (envelopeDb: Float32Array, isVoiced: boolean) => void;

/**
 * Factor from nepers to decibels; power of the window, so that white sound of variance 1 has 0 dB.
 */
const DB = 20 / Math.LN10;
const WINDOW_DB = 10 * Math.log10(HANN.reduce((sum, value) => sum + value * value, 0));
/** Largest change of any frequency by a conversion, in nepers. */
const MOST_CONVERTED = 2.5;

/** Creates the marks of growing sound, one for every 160 samples, which say where it has voice. */
export const createFrameMarks = (length: number): Uint8Array => new Uint8Array(Math.ceil(length / HOP) + 2);
export const markFrame = (marks: Uint8Array, sample: number): void => void (marks[Math.round(sample / HOP)] = 1);

type Changes = { finish: Finish | null; convert: EnvelopeConversion | null };

/** Returns the number of samples that must be final after those that are taken. */
export function soundAhead({ finish, convert }: Changes): number {
  if (finish !== null) return WINDOW + FINISH_CONTEXT * HOP;
  return convert === null ? 0 : WINDOW;
}

type EnvelopeShaper = {
  /**
   * Returns the shaped samples before `until` that were not returned before. The sound must be
   * final there and `soundAhead` further.
   */
  take(until: number): Float32Array<ArrayBuffer> | Promise<Float32Array<ArrayBuffer>>;
};

/**
 * Changes the spectral envelopes of growing sound: a network makes those of joined recordings more
 * like connected speech, and a conversion those of another voice, which keeps the level of frames.
 */
export function createEnvelopeShaper(
  sound: Float32Array,
  { voicing, finish, convert }: Changes & { voicing: Uint8Array },
): EnvelopeShaper {
  if (finish === null && convert === null) return { take: takerOf(sound) };
  const envelopes = createEnvelopes(SIZE);
  const { bins } = envelopes;
  const { analyzed, forget } = createFrames(sound, envelopes);
  const bands = createBands(bins);
  const output = new Float32Array(sound.length + 2 * WINDOW);
  const takeOutput = takerOf(output.subarray(WINDOW, WINDOW + sound.length));
  const total = Math.ceil((sound.length + WINDOW / 2) / HOP);
  const change = new Float64Array(bins);
  const converted = new Float32Array(bins);
  let next = 0;

  /** Computes the changes of frames from `from` on; the columns of the matrix begin at `first`. */
  const finishing = async (network: Finish, from: number, until: number) => {
    const first = Math.max(0, from - FINISH_CONTEXT);
    const frames = Math.min(total, until + FINISH_CONTEXT) - first;
    const levels = new Float32Array(FINISH_BANDS * frames);
    for (let i = 0; i < frames; i += 1) bands.read(analyzed(first + i).envelope, levels, i, frames);
    const isVoiced = Float32Array.from(voicing.subarray(first, first + frames));
    return { first, frames, changes: await network.changes(levels, isVoiced) };
  };

  const addConversion = (convertFrame: EnvelopeConversion, envelope: Float64Array, isVoiced: boolean) => {
    for (let bin = 0; bin < bins; bin += 1) converted[bin] = DB * (envelope[bin]! + change[bin]!) - WINDOW_DB;
    convertFrame(converted, isVoiced);
    let before = 1e-12;
    let after = 1e-12;
    for (let bin = 0; bin < bins; bin += 1) {
      const logLevel = envelope[bin]! + change[bin]!;
      const logChange = (converted[bin]! + WINDOW_DB) / DB - logLevel;
      const step = Math.max(-MOST_CONVERTED, Math.min(MOST_CONVERTED, logChange));
      before += Math.exp(2 * logLevel);
      after += Math.exp(2 * (logLevel + step));
      change[bin]! += step;
    }
    const level = 0.5 * Math.log(before / after);
    for (let bin = 0; bin < bins; bin += 1) change[bin]! += level;
  };

  const render = (k: number, finished: Awaited<ReturnType<typeof finishing>> | null) => {
    const { envelope, spectrumRe, spectrumIm } = analyzed(k);
    change.fill(0);
    if (finished !== null) bands.add(finished.changes, k - finished.first, finished.frames, change);
    if (convert !== null) addConversion(convert, envelope, voicing[k] === 1);
    envelopes.re.set(spectrumRe);
    envelopes.im.set(spectrumIm);
    const shaped = envelopes.shape(change);
    const from = k * HOP - WINDOW / 2 + WINDOW;
    for (let i = 0; i < WINDOW; i += 1) output[from + i]! += shaped[i]! / OVERLAP;
  };

  return {
    async take(until) {
      const last = Math.min(total, Math.ceil((Math.min(until, sound.length) + WINDOW / 2) / HOP));
      const finished = finish === null || last <= next ? null : await finishing(finish, next, last);
      for (; next < last; next += 1) {
        render(next, finished);
        forget(next - FINISH_CONTEXT);
      }
      return takeOutput(until);
    },
  };
}

/** Returns a function that returns the samples before a place that it did not return before. */
function takerOf(sound: Float32Array): (until: number) => Float32Array<ArrayBuffer> {
  let taken = 0;
  return (until) => {
    const from = taken;
    taken = Math.max(taken, Math.min(until, sound.length));
    return sound.slice(from, taken);
  };
}

/** Holds the frames of growing sound that are in use. */
export function createFrames(sound: Float32Array, envelopes: Envelopes) {
  const frames = new Map<number, Frame>();
  /** Frames whose time has passed; their arrays are reused. */
  const spare: Frame[] = [];
  const windowed = new Float64Array(WINDOW);
  return {
    /** Analyzes frame `k`, whose middle is sample `k · HOP`. */
    analyzed(k: number): Frame {
      const cached = frames.get(k);
      if (cached !== undefined) return cached;
      const from = k * HOP - WINDOW / 2;
      for (let i = 0; i < WINDOW; i += 1) {
        const at = from + i;
        windowed[i] = at < 0 || at >= sound.length ? 0 : sound[at]! * HANN[i]!;
      }
      envelopes.analyze(windowed);
      const frame = spare.pop() ?? createFrame(envelopes.bins);
      envelopes.envelope(frame.envelope, KEPT_CEPSTRA);
      frame.spectrumRe.set(envelopes.re);
      frame.spectrumIm.set(envelopes.im);
      frames.set(k, frame);
      return frame;
    },
    forget(k: number): void {
      const expired = frames.get(k);
      if (expired === undefined) return;
      frames.delete(k);
      spare.push(expired);
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
