import type { PcmChunk } from '@jyutsing/contracts/audio';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createActivityTrack, SPEAKER_FRAME_MS } from '@jyutsing/audio/speaker-clustering/frames';
import { analyzeRecording, type AnalysisOptions, type RecordingAnalysis } from './analyze-recording.ts';
import type { SpeakerModels } from './models.ts';

const FRAME_SAMPLES = (SPEAKER_FRAME_MS * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
const CHUNK_SAMPLES = RECOGNIZER_SAMPLE_RATE_HZ;
/** Sound before the new one for the context of the networks, and for the detector to begin. */
const LEAD_FRAMES = 2_400 / SPEAKER_FRAME_MS;

/** An analysis whose frames count from `firstFrame` of the recording. */
export type StretchAnalysis = RecordingAnalysis & { firstFrame: number };

/**
 * Analyzes stretches of a recording that grows, each of which ends later than the one before. What
 * was complete in an earlier stretch is not analyzed again. `startMs`: the time of the first of
 * `samples` in the recording.
 */
export function createGrowingAnalysis(models: SpeakerModels, rules: AnalysisOptions) {
  /** The part of the recording before `knownFrame`, in its frames; windows of a stretch only. */
  const complete: RecordingAnalysis = { track: createActivityTrack(), windows: [] };
  let knownFrame = 0;

  return async (samples: Float32Array, startMs: number, signal: AbortSignal): Promise<StretchAnalysis> => {
    const startSample = Math.round((startMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000);
    const firstFrame = Math.ceil(startSample / FRAME_SAMPLES);
    const fromFrame = Math.max(firstFrame, knownFrame - LEAD_FRAMES);
    const sinceFrame = Math.max(knownFrame, fromFrame);
    const recent: RecordingAnalysis = { track: createActivityTrack(), windows: [] };
    let isWhole = false;
    let completeMs = 0;
    async function* sound(): AsyncGenerator<PcmChunk> {
      yield* chunksFrom(samples, fromFrame * FRAME_SAMPLES - startSample);
      isWhole = true;
    }
    const onlyNew = { ...rules, fromFrame: sinceFrame - fromFrame };
    // A segment that the end of the sound cuts may go on in the next stretch.
    for await (const untilMs of analyzeRecording(sound(), models, onlyNew, recent, signal)) {
      if (!isWhole) completeMs = untilMs;
    }
    const stretch: StretchAnalysis = { firstFrame, track: createActivityTrack(), windows: [] };
    copy(complete, stretch, { from: firstFrame, to: sinceFrame, shift: -firstFrame });
    copy(recent, stretch, { from: sinceFrame - fromFrame, to: Infinity, shift: fromFrame - firstFrame });
    const completeFrame = fromFrame + Math.floor(completeMs / SPEAKER_FRAME_MS);
    if (completeFrame > sinceFrame) {
      copy(recent, complete, { from: sinceFrame - fromFrame, to: completeFrame - fromFrame, shift: fromFrame });
      knownFrame = completeFrame;
    }
    complete.windows = complete.windows.filter((window) => window.fromFrame >= firstFrame);
    return stretch;
  };
}

/** Copies the frames of a range, and the windows that begin in it, to frames `shift` later. */
function copy(
  source: RecordingAnalysis,
  target: RecordingAnalysis,
  { from, to, shift }: { from: number; to: number; shift: number },
): void {
  for (let frame = from; frame < Math.min(to, source.track.length()); frame += 1) {
    const activity = { speech: source.track.speechAt(frame), overlap: source.track.overlapAt(frame) };
    target.track.set(frame + shift, activity);
  }
  for (const window of source.windows) {
    if (window.fromFrame < from || window.fromFrame >= to) continue;
    target.windows.push({ ...window, fromFrame: window.fromFrame + shift, toFrame: window.toFrame + shift });
  }
}

function* chunksFrom(samples: Float32Array, first: number): Generator<PcmChunk> {
  for (let at = first; at < samples.length; at += CHUNK_SAMPLES) {
    const startMs = ((at - first) * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
    yield {
      samples: samples.slice(at, at + CHUNK_SAMPLES),
      sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ,
      startMs,
    };
  }
}
