import { mean } from '@jyutsing/numeric/statistics';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createRecentSamples } from '#audio/recent-samples.ts';
import {
  CLOSING_PAUSE_MS,
  frames,
  HARD_LIMIT_MS,
  isSpeechEnough,
  longestPause,
  PADDING_MS,
  quietestFrame,
  SOFT_LIMIT_MS,
} from './speech-cuts.ts';
import { createWebRtcSpeechDetector, type SpeechDetector } from './speech-detector.ts';
import type { GatedFrame } from './speech-gate.ts';
import { VAD_FRAME_MS, VAD_FRAME_SAMPLES } from './vad.ts';

/** The soft limit as a share of the hard one, where a model needs a lower one than 20 s. */
const SOFT_SHARE = SOFT_LIMIT_MS / HARD_LIMIT_MS;

/** A segment of speech with a margin around it. */
export type SpeechSegment = {
  /** Mono sound at 16 kHz, padding included. */
  samples: Float32Array;
  /** Start of `samples` in the recording, in milliseconds. */
  startMs: number;
  /** Start of the speech without padding, in milliseconds. */
  speechStartMs: number;
  speechEndMs: number;
  /** One minus the mean probability of a voice in it, 0..1; absent: the detector gives none. */
  noSpeech?: number;
};

export type SegmenterEvent =
  | { type: 'segment'; segment: SpeechSegment }
  /** Everything before this time was emitted or is not speech. */
  | { type: 'settled'; untilMs: number };

/**
 * Cuts a streamed recording into segments of speech of `maxSegmentMs` at most, which is no more
 * than HARD_LIMIT_MS; buffers about as much audio.
 * Silence and steady noise give no segment. Segments are in order and their `samples` never
 * overlap.
 */
export async function* segmentSpeech(
  audio: AsyncIterable<PcmChunk>,
  signal: AbortSignal,
  createDetector: () => Promise<SpeechDetector> = createWebRtcSpeechDetector,
  maxSegmentMs: number = HARD_LIMIT_MS,
): AsyncGenerator<SegmenterEvent> {
  const detector = await createDetector();
  try {
    const cutter = createCutter(Math.min(maxSegmentMs, HARD_LIMIT_MS));
    const partialFrame = new Float32Array(VAD_FRAME_SAMPLES);
    let partialLength = 0;
    for await (const chunk of audio) {
      signal.throwIfAborted();
      if (chunk.sampleRateHz !== RECOGNIZER_SAMPLE_RATE_HZ) {
        throw new AppError('internal_error', undefined, {
          cause: `a recognizer received audio of ${chunk.sampleRateHz} Hz`,
        });
      }
      cutter.append(chunk.samples);
      for (let at = 0; at < chunk.samples.length;) {
        const take = Math.min(VAD_FRAME_SAMPLES - partialLength, chunk.samples.length - at);
        partialFrame.set(chunk.samples.subarray(at, at + take), partialLength);
        partialLength += take;
        at += take;
        if (partialLength < VAD_FRAME_SAMPLES) break;
        partialLength = 0;
        for (const frame of await detector.push(partialFrame)) yield* asEvents(cutter.push(frame));
      }
      yield { type: 'settled', untilMs: cutter.settledMs() };
    }
    for (const frame of await detector.flush()) yield* asEvents(cutter.push(frame));
    yield* asEvents(cutter.flush());
    yield { type: 'settled', untilMs: cutter.receivedMs() };
  } finally {
    detector.close();
  }
}

/** One minus the mean probability of a voice in the speech of a segment. */
function noSpeechIn(piece: readonly GatedFrame[]): Pick<SpeechSegment, 'noSpeech'> {
  const voice = piece.flatMap((frame) => (frame.isSpeech ? (frame.voice ?? []) : []));
  return voice.length === 0 ? {} : { noSpeech: 1 - mean(voice) };
}

function* asEvents(segments: SpeechSegment[]): Generator<SegmenterEvent> {
  for (const segment of segments) yield { type: 'segment', segment };
}

/**
 * Holds the open segment's sound and frames, and decides where it ends. Frame numbers count from
 * the start of the recording.
 */
function createCutter(hardLimitMs: number) {
  const softLimitMs = Math.min(SOFT_LIMIT_MS, SOFT_SHARE * hardLimitMs);
  const sound = createRecentSamples();
  /** Frames from `firstFrame` on: the open segment, or the padding before the next one. */
  let heldFrames: GatedFrame[] = [];
  let firstFrame = 0;
  let isOpen = false;
  let silentFrames = 0;
  /** No later segment may reach back over this frame. */
  let givenUntilFrame = 0;

  const forget = (untilFrame: number) => {
    heldFrames = heldFrames.slice(untilFrame - firstFrame);
    firstFrame = untilFrame;
    sound.discardBefore(untilFrame * VAD_FRAME_SAMPLES);
  };

  /**
   * Takes the sound from `firstFrame` to the cut as one segment, or drops it when it is no speech.
   */
  const cutAt = (cutFrame: number): SpeechSegment[] => {
    const piece = heldFrames.slice(0, cutFrame - firstFrame);
    const first = piece.findIndex((frame) => frame.isSpeech);
    const last = piece.findLastIndex((frame) => frame.isSpeech);
    const segments: SpeechSegment[] = [];
    if (first >= 0 && isSpeechEnough(piece)) {
      const from = Math.max(givenUntilFrame, firstFrame + first - frames(PADDING_MS));
      const to = Math.min(cutFrame, firstFrame + last + 1 + frames(PADDING_MS));
      const { samples } = sound.slice(from * VAD_FRAME_SAMPLES, to * VAD_FRAME_SAMPLES);
      givenUntilFrame = to;
      segments.push({
        samples,
        startMs: from * VAD_FRAME_MS,
        speechStartMs: (firstFrame + first) * VAD_FRAME_MS,
        speechEndMs: (firstFrame + last + 1) * VAD_FRAME_MS,
        ...noSpeechIn(piece),
      });
    }
    forget(cutFrame);
    return segments;
  };

  return {
    append: (samples: Float32Array) => sound.append(samples),
    push(frame: GatedFrame): SpeechSegment[] {
      heldFrames.push(frame);
      silentFrames = frame.isSpeech ? 0 : silentFrames + 1;
      if (!isOpen) {
        if (frame.isSpeech) isOpen = true;
        else if (heldFrames.length > frames(PADDING_MS)) forget(firstFrame + 1);
        return [];
      }
      if (silentFrames >= frames(CLOSING_PAUSE_MS)) {
        isOpen = false;
        return cutAt(firstFrame + heldFrames.length - frames(PADDING_MS));
      }
      if (heldFrames.length < frames(softLimitMs)) return [];
      const cut =
        longestPause(heldFrames) ?? (heldFrames.length >= frames(hardLimitMs) ? quietestFrame(heldFrames) : null);
      return cut === null ? [] : cutAt(firstFrame + cut);
    },
    flush: () => (isOpen ? cutAt(firstFrame + heldFrames.length) : []),
    settledMs: () => firstFrame * VAD_FRAME_MS,
    receivedMs: () => (sound.endSample() * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ,
  };
}
