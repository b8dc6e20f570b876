import { ENVELOPE_BINS, FRAME_MS, NOISE_BANDS, type SpeechFrames } from '@jyutsing/audio/vocoder/speech-frames';

/** Frames of espeak-ng's output, and their start in its time. */
export type Source = { frames: SpeechFrames; startMs: number };

/** A span of the output: which part of which source it uses. */
export type Stretch = {
  fromMs: number;
  toMs: number;
  /** The frames to use; null for silence. */
  source: Source | null;
  sourceFromMs: number;
  sourceToMs: number;
  /** Gains in dB at the start and the end, interpolated linearly between them. */
  gainsDb: readonly [number, number];
};

/** A frame to be filled; `isVoiced` marks frames with a pitch. */
export type TimelineFrame = { isVoiced: boolean; envelopeDb: Float32Array; noiseShares: Float32Array };

export type Timeline = {
  add(stretch: Stretch): void;
  /** Returns the end of the last span. */
  endMs(): number;
  /** Fills the frame at a time, which must not decrease. Earlier spans are discarded. */
  fill(timeMs: number, frame: TimelineFrame): void;
};

/** Level in dB below 16-bit resolution, because the vocoder needs a level above digital silence. */
const SILENCE_DB = -110;
/** Length of the cross-fade on each side of a joint, in milliseconds. */
const JOINT_MS = 10;

export function createFrame(): TimelineFrame {
  return {
    isVoiced: false,
    envelopeDb: new Float32Array(ENVELOPE_BINS).fill(SILENCE_DB),
    noiseShares: new Float32Array(NOISE_BANDS).fill(1),
  };
}

/** Adds silence; does nothing for zero or negative durations. */
export function addSilence(timeline: Timeline, durationMs: number): void {
  const fromMs = timeline.endMs();
  if (durationMs <= 0) return;
  timeline.add({ fromMs, toMs: fromMs + durationMs, source: null, sourceFromMs: 0, sourceToMs: 0, gainsDb: [0, 0] });
}

/** Consecutive spans, read frame by frame. */
export function createTimeline(): Timeline {
  const stretches: Stretch[] = [];
  const other = createFrame();
  return {
    add: (stretch) => void stretches.push(stretch),
    endMs: () => stretches.at(-1)?.toMs ?? 0,
    fill(timeMs, frame) {
      while (stretches.length > 1 && stretches[0]!.toMs <= timeMs - JOINT_MS) stretches.shift();
      let at = 0;
      while (at < stretches.length - 1 && stretches[at]!.toMs <= timeMs) at += 1;
      const stretch = stretches[at];
      if (stretch === undefined) return fillSilence(frame);
      take(stretch, timeMs, frame);
      const isFirstHalf = timeMs - stretch.fromMs < stretch.toMs - timeMs;
      const neighbor = isFirstHalf ? stretches[at - 1] : stretches[at + 1];
      if (neighbor?.source === undefined || neighbor.source === null || stretch.source === null) return;
      if (neighbor.source === stretch.source) return;
      const distanceMs = isFirstHalf ? timeMs - stretch.fromMs : stretch.toMs - timeMs;
      if (distanceMs >= JOINT_MS) return;
      take(neighbor, timeMs, other);
      blend(frame, other, 0.5 - distanceMs / (2 * JOINT_MS));
    },
  };
}

function fillSilence(frame: TimelineFrame): void {
  frame.isVoiced = false;
  frame.envelopeDb.fill(SILENCE_DB);
  frame.noiseShares.fill(1);
}

/** Reads a span; before and after it the source continues, for cross-fades. */
function take(
  { fromMs, toMs, source, sourceFromMs, sourceToMs, gainsDb }: Stretch,
  timeMs: number,
  frame: TimelineFrame,
) {
  if (source === null) return fillSilence(frame);
  const lengthMs = Math.max(1e-3, toMs - fromMs);
  const share = (timeMs - fromMs) / lengthMs;
  const beyondMs = share < 0 ? timeMs - fromMs : share > 1 ? timeMs - toMs : 0;
  const within = Math.min(1, Math.max(0, share));
  const sourceMs = sourceFromMs + within * (sourceToMs - sourceFromMs) + beyondMs;
  const gainDb = gainsDb[0] + within * (gainsDb[1] - gainsDb[0]);
  const { count, pitchHz, envelopeDb, noiseShares } = source.frames;
  const place = Math.min(count - 1, Math.max(0, (sourceMs - source.startMs) / FRAME_MS));
  const before = Math.floor(place);
  const after = Math.min(count - 1, before + 1);
  const weight = place - before;
  frame.isVoiced = pitchHz[weight < 0.5 ? before : after]! > 0;
  const a = before * ENVELOPE_BINS;
  const b = after * ENVELOPE_BINS;
  for (let k = 0; k < ENVELOPE_BINS; k += 1) {
    const level = envelopeDb[a + k]!;
    frame.envelopeDb[k] = level + (envelopeDb[b + k]! - level) * weight + gainDb;
  }
  const c = before * NOISE_BANDS;
  const d = after * NOISE_BANDS;
  for (let k = 0; k < NOISE_BANDS; k += 1) {
    frame.noiseShares[k] = noiseShares[c + k]! + (noiseShares[d + k]! - noiseShares[c + k]!) * weight;
  }
}

function blend(frame: TimelineFrame, other: TimelineFrame, share: number): void {
  for (let k = 0; k < ENVELOPE_BINS; k += 1) {
    frame.envelopeDb[k] = frame.envelopeDb[k]! + (other.envelopeDb[k]! - frame.envelopeDb[k]!) * share;
  }
  for (let k = 0; k < NOISE_BANDS; k += 1) {
    frame.noiseShares[k] = frame.noiseShares[k]! + (other.noiseShares[k]! - frame.noiseShares[k]!) * share;
  }
}
