import type { PcmChunk } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createRecentSamples } from '#audio/recent-samples.ts';
import { createSpeechGate, type GatedFrame } from './speech-gate.ts';
import { createVoiceDetector, VAD_FRAME_MS, VAD_FRAME_SAMPLES } from './vad.ts';

/** A segment of speech with a margin around it. */
export type SpeechSegment = {
  /** Mono sound at 16 kHz, padding included. */
  samples: Float32Array;
  /** Start of `samples` in the recording. */
  startMs: number;
  /** The speech alone, without padding. */
  speechStartMs: number;
  speechEndMs: number;
};

export type SegmenterEvent =
  | { type: 'segment'; segment: SpeechSegment }
  /** Everything before this time was emitted or is not speech. */
  | { type: 'settled'; untilMs: number };

/** A pause this long ends a segment: about where a reader would start a new line. */
const CLOSING_PAUSE_MS = 600;
/** From this length on a segment ends at its longest pause so far … */
const SOFT_LIMIT_MS = 15_000;
/** … of at least this length; shorter gaps are stops inside words. */
const MIN_PAUSE_MS = 100;
/** Longest segment: without any pause it is cut where it is quietest. */
const HARD_LIMIT_MS = 20_000;
/** Pieces before a cut are not made shorter than this. */
const MIN_PIECE_MS = 1_500;
/** Margin around speech: soft onsets and final stops are below every threshold. */
const PADDING_MS = 150;
/** Shorter speech is a click or a breath. */
const MIN_SPEECH_MS = 80;
/**
 * Speech has vowels: this much of a segment must have a pitch, which keeps hiss, wind and rustling
 * out.
 */
const MIN_VOICED_MS = 60;
const VOICED_PERIODICITY = 0.6;
/** Hum and dialling tones have a pitch too, but for this long no speech is this even. */
const STEADY_FROM_MS = 1_000;
const MIN_LEVEL_RANGE_DB = 3;

const frames = (durationMs: number) => Math.round(durationMs / VAD_FRAME_MS);

/**
 * Cuts a streamed recording into segments of speech; buffers about HARD_LIMIT_MS of audio at most.
 * Silence and steady noise give no segment. Segments are in order and their `samples` never
 * overlap.
 */
export async function* segmentSpeech(
  audio: AsyncIterable<PcmChunk>,
  signal: AbortSignal,
): AsyncGenerator<SegmenterEvent> {
  const detector = await createVoiceDetector();
  try {
    const cutter = createCutter();
    const gate = createSpeechGate();
    const rest = new Float32Array(VAD_FRAME_SAMPLES);
    let restLength = 0;
    for await (const chunk of audio) {
      signal.throwIfAborted();
      if (chunk.sampleRateHz !== RECOGNIZER_SAMPLE_RATE_HZ) {
        throw new AppError('internal_error', undefined, {
          cause: `a recognizer received audio of ${chunk.sampleRateHz} Hz`,
        });
      }
      cutter.append(chunk.samples);
      for (let at = 0; at < chunk.samples.length;) {
        const take = Math.min(VAD_FRAME_SAMPLES - restLength, chunk.samples.length - at);
        rest.set(chunk.samples.subarray(at, at + take), restLength);
        restLength += take;
        at += take;
        if (restLength < VAD_FRAME_SAMPLES) break;
        restLength = 0;
        for (const frame of gate.push(detector.judge(rest))) yield* asEvents(cutter.push(frame));
      }
      yield { type: 'settled', untilMs: cutter.settledMs() };
    }
    for (const frame of gate.flush()) yield* asEvents(cutter.push(frame));
    yield* asEvents(cutter.flush());
    yield { type: 'settled', untilMs: cutter.receivedMs() };
  } finally {
    detector.close();
  }
}

function* asEvents(segments: SpeechSegment[]): Generator<SegmenterEvent> {
  for (const segment of segments) yield { type: 'segment', segment };
}

/**
 * Holds the open segment's sound and frames, and decides where it ends. Frame numbers count from
 * the start of the recording.
 */
function createCutter() {
  const sound = createRecentSamples();
  /** Frames from `firstFrame` on: those of the open segment, or the padding before the next one. */
  let held: GatedFrame[] = [];
  let firstFrame = 0;
  let isOpen = false;
  let silentFrames = 0;
  /** No later segment may reach back over this frame. */
  let givenUntilFrame = 0;

  const forget = (untilFrame: number) => {
    held = held.slice(untilFrame - firstFrame);
    firstFrame = untilFrame;
    sound.discardBefore(untilFrame * VAD_FRAME_SAMPLES);
  };

  /**
   * Takes the sound from `firstFrame` to the cut as one segment, or drops it when it is no speech.
   */
  const cutAt = (cutFrame: number): SpeechSegment[] => {
    const piece = held.slice(0, cutFrame - firstFrame);
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
      });
    }
    forget(cutFrame);
    return segments;
  };

  return {
    append: (samples: Float32Array) => sound.append(samples),
    push(frame: GatedFrame): SpeechSegment[] {
      held.push(frame);
      silentFrames = frame.isSpeech ? 0 : silentFrames + 1;
      if (!isOpen) {
        if (frame.isSpeech) isOpen = true;
        else if (held.length > frames(PADDING_MS)) forget(firstFrame + 1);
        return [];
      }
      if (silentFrames >= frames(CLOSING_PAUSE_MS)) {
        isOpen = false;
        return cutAt(firstFrame + held.length - frames(PADDING_MS));
      }
      if (held.length < frames(SOFT_LIMIT_MS)) return [];
      const cut = longestPause(held) ?? (held.length >= frames(HARD_LIMIT_MS) ? quietestFrame(held) : null);
      return cut === null ? [] : cutAt(firstFrame + cut);
    },
    flush: () => (isOpen ? cutAt(firstFrame + held.length) : []),
    settledMs: () => firstFrame * VAD_FRAME_MS,
    receivedMs: () => (sound.endSample() * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ,
  };
}

function isSpeechEnough(piece: GatedFrame[]): boolean {
  const speech = piece.filter((frame) => frame.isSpeech);
  const voiced = speech.filter((frame) => frame.periodicity >= VOICED_PERIODICITY);
  const isVoiced = speech.length >= frames(MIN_SPEECH_MS) && voiced.length >= frames(MIN_VOICED_MS);
  return isVoiced && (speech.length < frames(STEADY_FROM_MS) || levelRangeDb(speech) >= MIN_LEVEL_RANGE_DB);
}

/** Range from the 10th to the 90th percentile of the levels. */
function levelRangeDb(speech: GatedFrame[]): number {
  const levels = speech.map((frame) => frame.levelDb).sort((a, b) => a - b);
  return (levels[Math.floor(levels.length * 0.9)] ?? 0) - (levels[Math.floor(levels.length * 0.1)] ?? 0);
}

/**
 * Finds the middle of the longest pause that leaves a piece of useful length; null when there is
 * none.
 */
function longestPause(held: GatedFrame[]): number | null {
  let best = { length: frames(MIN_PAUSE_MS) - 1, middle: 0 };
  let length = 0;
  for (const [index, frame] of held.entries()) {
    if (!frame.isSpeech) length += 1;
    if (frame.isSpeech || index === held.length - 1) {
      const start = index - length;
      if (length > best.length && start >= frames(MIN_PIECE_MS)) best = { length, middle: start + (length >> 1) };
      length = 0;
    }
  }
  return best.middle > 0 ? best.middle : null;
}

/** Finds the lowest level over five frames in the second half, so that both pieces are useful. */
function quietestFrame(held: GatedFrame[]): number {
  let best = { levelDb: Infinity, index: held.length - 1 };
  for (let index = held.length >> 1; index < held.length - 2; index += 1) {
    const levelDb = Math.max(...held.slice(index - 2, index + 3).map((frame) => frame.levelDb));
    if (levelDb < best.levelDb) best = { levelDb, index };
  }
  return best.index;
}
