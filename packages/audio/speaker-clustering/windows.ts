import { SPEAKER_FRAME_MS, type ActivityTrack } from './frames.ts';

/** Range of frames from `fromFrame` up to `toFrame`, exclusive. */
export type FrameSpan = { fromFrame: number; toFrame: number };

export type WindowOptions = {
  /** Probability threshold for speech, or for overlap. */
  speechFrom: number;
  overlapFrom: number;
  windowMs: number;
  hopMs: number;
  /** Shortest run, in milliseconds, that gives a voice embedding. */
  minMs: number;
  /**
   * Longest pause, in milliseconds, that is part of a window: stops, and breath within a phrase.
   */
  bridgedMs: number;
};

const framesOf = (durationMs: number) => Math.round(durationMs / SPEAKER_FRAME_MS);

/**
 * Lays windows of `windowMs` over the runs in which one speaker speaks alone, evenly, at most
 * `hopMs` apart; a shorter run is one window.
 */
export function voiceWindows(track: ActivityTrack, span: FrameSpan, rules: WindowOptions): FrameSpan[] {
  const length = framesOf(rules.windowMs);
  return singleRuns(track, span, rules).flatMap(({ fromFrame, toFrame }) => {
    const spare = toFrame - fromFrame - length;
    if (spare <= 0) return [{ fromFrame, toFrame }];
    const steps = Math.ceil(spare / framesOf(rules.hopMs));
    return Array.from({ length: steps + 1 }, (_, step) => {
      const from = fromFrame + Math.round((spare * step) / steps);
      return { fromFrame: from, toFrame: from + length };
    });
  });
}

function singleRuns(track: ActivityTrack, { fromFrame, toFrame }: FrameSpan, rules: WindowOptions): FrameSpan[] {
  const runs: FrameSpan[] = [];
  for (let frame = fromFrame; frame < toFrame; frame += 1) {
    if (track.speechAt(frame) < rules.speechFrom || track.overlapAt(frame) >= rules.overlapFrom) continue;
    const open = runs.at(-1);
    const isNear = open !== undefined && frame - open.toFrame <= framesOf(rules.bridgedMs);
    if (open !== undefined && isNear && !hasOverlap(track, open.toFrame, frame, rules)) open.toFrame = frame + 1;
    else runs.push({ fromFrame: frame, toFrame: frame + 1 });
  }
  return runs.filter((run) => run.toFrame - run.fromFrame >= framesOf(rules.minMs));
}

function hasOverlap(track: ActivityTrack, fromFrame: number, toFrame: number, { overlapFrom }: WindowOptions): boolean {
  // A single doubtful frame must not split a run.
  let count = 0;
  for (let frame = fromFrame; frame < toFrame; frame += 1) if (track.overlapAt(frame) >= overlapFrom) count += 1;
  return count > 1;
}
