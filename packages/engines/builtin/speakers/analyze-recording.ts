import type { PcmChunk } from '@jyutsing/contracts/audio';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createRecentSamples, type RecentSamples } from '@jyutsing/audio/recent-samples';
import {
  createActivityTrack,
  SPEAKER_FRAME_MS,
  type ActivityTrack,
  type VoiceWindow,
} from '@jyutsing/audio/speaker-clustering/frames';
import { voiceWindows, type FrameSpan, type WindowOptions } from '@jyutsing/audio/speaker-clustering/windows';
import { segmentSpeech, type SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import type { SpeakerModels } from './models.ts';

/**
 * Analysis of a whole recording: speech activity and voice embeddings. A few megabytes per hour.
 */
export type RecordingAnalysis = { track: ActivityTrack; windows: VoiceWindow[] };

export type AnalysisOptions = WindowOptions & {
  /**
   * Margin around detected speech that the network also analyses: the detector starts late and
   * stops early.
   */
  reachMs: number;
  /** Sound before this frame is only context; absent: all sound is analyzed. */
  fromFrame?: number;
};

const FRAME_SAMPLES = (SPEAKER_FRAME_MS * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
/** Frames of context that the activity network uses on both sides … */
const CONTEXT_FRAMES = 1_200 / SPEAKER_FRAME_MS;
/** … and frames that it takes at a time, context included: 20 s. */
const PIECE_FRAMES = 17_000 / SPEAKER_FRAME_MS;
/** Share of the segmentation network in the log odds of speech. */
const SEGMENTATION_WEIGHT = 0.45;
/** Bound of a probability, so that no network is certain. */
const LEAST_PROBABILITY = 0.004;

/**
 * Analyses a streamed recording and yields its progress after each segment of speech. Skips audio
 * without speech (music, noise). Fills `recording`.
 */
export async function* analyzeRecording(
  audio: AsyncIterable<PcmChunk>,
  models: SpeakerModels,
  rules: AnalysisOptions,
  recording: RecordingAnalysis,
  signal: AbortSignal,
): AsyncGenerator<number> {
  const sound = createRecentSamples();
  async function* kept(): AsyncGenerator<PcmChunk> {
    for await (const chunk of audio) {
      sound.append(chunk.samples);
      yield chunk;
    }
  }
  const reachFrames = Math.round(rules.reachMs / SPEAKER_FRAME_MS);
  const keepFrames = CONTEXT_FRAMES + reachFrames;
  let doneFrame = rules.fromFrame ?? 0;
  for await (const event of segmentSpeech(kept(), signal)) {
    signal.throwIfAborted();
    if (event.type === 'settled') {
      sound.discardBefore((Math.floor(event.untilMs / SPEAKER_FRAME_MS) - keepFrames) * FRAME_SAMPLES);
      yield event.untilMs;
      continue;
    }
    const span = spanOf(event.segment, doneFrame, reachFrames);
    if (span.fromFrame >= span.toFrame) continue;
    const alone = await detectActivity(sound, span, models, recording.track, signal);
    const windows = voiceWindows(alone, { fromFrame: 0, toFrame: span.toFrame - span.fromFrame }, rules);
    const spans = windows.map((window) => ({
      fromFrame: window.fromFrame + span.fromFrame,
      toFrame: window.toFrame + span.fromFrame,
    }));
    recording.windows.push(...(await embedVoices(sound, spans, models, signal)));
    doneFrame = span.toFrame;
    yield event.segment.speechEndMs;
  }
}

/** Returns the frames of a segment with a margin, without those that are already analyzed. */
function spanOf(segment: SpeechSegment, doneFrame: number, reachFrames: number): FrameSpan {
  const fromFrame = Math.floor(segment.speechStartMs / SPEAKER_FRAME_MS) - reachFrames;
  return {
    fromFrame: Math.max(doneFrame, fromFrame, 0),
    toFrame: Math.ceil(segment.speechEndMs / SPEAKER_FRAME_MS) + reachFrames,
  };
}

/**
 * Fills the frames of a span with what both networks find: `activity` takes quiet speech in a room
 * for silence, the other one short pauses for speech. Returns what `activity` finds alone.
 */
async function detectActivity(
  sound: RecentSamples,
  { fromFrame, toFrame }: FrameSpan,
  models: SpeakerModels,
  track: ActivityTrack,
  signal: AbortSignal,
): Promise<ActivityTrack> {
  const builtinTrack = createActivityTrack();
  for (let from = fromFrame; from < toFrame; from += PIECE_FRAMES) {
    const to = Math.min(from + PIECE_FRAMES, toFrame);
    const first = Math.max(0, from - CONTEXT_FRAMES) * FRAME_SAMPLES;
    const { samples, firstSample } = sound.slice(first, (to + CONTEXT_FRAMES) * FRAME_SAMPLES);
    if (samples.length < FRAME_SAMPLES) break;
    const activity = await models.activity(samples);
    const active = await models.active(samples);
    signal.throwIfAborted();
    // Buffered audio starts at a whole frame, except at the odd end of a stream.
    const offset = Math.round(firstSample / FRAME_SAMPLES);
    for (let frame = from; frame < to; frame += 1) {
      const at = frame - offset;
      const silence = activity[3 * at];
      if (silence === undefined) break;
      const alone = { speech: 1 - silence, overlap: activity[3 * at + 2] ?? 0 };
      builtinTrack.set(frame - fromFrame, alone);
      track.set(frame, {
        speech: joinOdds(alone.speech, active.speech[at] ?? 0),
        overlap: (alone.overlap + (active.overlap[at] ?? 0)) / 2,
      });
    }
  }
  return builtinTrack;
}

/** Joins two probabilities by the weighted mean of their log odds: who is certain counts more. */
function joinOdds(activity: number, segmentation: number): number {
  const joined = (1 - SEGMENTATION_WEIGHT) * logOdds(activity) + SEGMENTATION_WEIGHT * logOdds(segmentation);
  return 1 / (1 + Math.exp(-joined));
}

function logOdds(probability: number): number {
  const bounded = Math.min(1 - LEAST_PROBABILITY, Math.max(LEAST_PROBABILITY, probability));
  return Math.log(bounded / (1 - bounded));
}

async function embedVoices(
  sound: RecentSamples,
  spans: readonly FrameSpan[],
  models: SpeakerModels,
  signal: AbortSignal,
): Promise<VoiceWindow[]> {
  const byLength = new Map<number, (FrameSpan & { samples: Float32Array })[]>();
  for (const span of spans) {
    const { samples } = sound.slice(span.fromFrame * FRAME_SAMPLES, span.toFrame * FRAME_SAMPLES);
    byLength.set(samples.length, [...(byLength.get(samples.length) ?? []), { ...span, samples }]);
  }
  const windows: VoiceWindow[] = [];
  for (const group of byLength.values()) {
    const vectors = await models.voices(group.map(({ samples }) => samples));
    signal.throwIfAborted();
    for (const [index, { fromFrame, toFrame }] of group.entries()) {
      windows.push({ fromFrame, toFrame, voice: vectors[index]! });
    }
  }
  return windows.sort((a, b) => a.fromFrame - b.fromFrame);
}
