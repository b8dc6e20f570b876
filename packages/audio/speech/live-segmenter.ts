import type { SegmentEndReason, TurnDetection } from '@jyutsing/contracts/live-recognition';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createRecentSamples } from '#audio/recent-samples.ts';
import type { SpeechSegment } from './segmenter.ts';
import {
  CLOSING_PAUSE_MS,
  frames,
  HARD_LIMIT_MS,
  isSpeechEnough,
  longestPause,
  MIN_SPEECH_MS,
  MIN_VOICED_MS,
  PADDING_MS,
  quietestFrame,
  SOFT_LIMIT_MS,
  VOICED_PERIODICITY,
} from './speech-cuts.ts';
import type { LiveSpeechDetector } from './live-speech-detector.ts';
import type { GatedFrame } from './speech-gate.ts';
import { VAD_FRAME_MS, VAD_FRAME_SAMPLES } from './vad.ts';

/**
 * A segment consists of pieces: stretches of speech that a recognizer takes at once. Each `piece`
 * is complete. `speech-end` comes before the last piece, `segment-end` after it.
 */
export type LiveSegmenterEvent =
  | { type: 'segment-start'; startMs: number }
  | { type: 'piece'; speech: SpeechSegment }
  | { type: 'speech-end' | 'segment-end'; endMs: number; reason: SegmentEndReason };

/** Time in milliseconds within which enough speech opens a segment. */
const OPENING_MS = 300;
/** From this length on, a segment ends with its piece: a monologue must not grow forever. */
const LONG_SEGMENT_MS = 30_000;
/**
 * Initial capacity of eight seconds, because a session that only waits must take little memory; it
 * grows for longer pieces.
 */
const INITIAL_SAMPLES = 1 << 17;

/**
 * Cuts sound that arrives live into segments and their pieces; without turn detection every sound
 * belongs to a segment. Times count from the first sample, frames too.
 */
export class LiveSegmenter {
  private readonly detector: LiveSpeechDetector;
  private readonly sound = createRecentSamples(INITIAL_SAMPLES);
  /** `wanted` is the configured turn detection, `turn` the one that applies to the open segment. */
  private turnDetection: TurnDetection | null;
  private turn: TurnDetection | null;
  /** Decided frames from `firstFrame` on: the open piece, or the frames before the next one. */
  private held: GatedFrame[] = [];
  private firstFrame = 0;
  private isPieceOpen = false;
  private silentFrames = 0;
  /** No later piece may reach back over this frame. */
  private givenUntilFrame = 0;
  /** First frame of the open segment; null while no segment is open. */
  private segmentStartFrame: number | null = null;

  constructor(detector: LiveSpeechDetector, turnDetection: TurnDetection | null) {
    this.detector = detector;
    this.turnDetection = turnDetection;
    this.turn = turnDetection;
  }

  /**
   * Takes any number of samples at 16 kHz; returns the events that they complete, in order. Await
   * it before calling any other method.
   */
  async push(samples: Float32Array): Promise<LiveSegmenterEvent[]> {
    this.sound.append(samples);
    const frames = await this.detector.push(samples, this.turn?.threshold ?? null);
    return frames.flatMap((frame) => this.pushFrame(frame));
  }

  /** Returns the sound of the open piece so far; null when it contains no speech. */
  openPiece(): SpeechSegment | null {
    return this.isPieceOpen ? (this.speechBefore(this.nowFrame())?.speech ?? null) : null;
  }

  /** Ends the open segment. Without one, 'commit' gives an empty segment, and 'end' nothing. */
  commit(reason: 'commit' | 'end'): LiveSegmenterEvent[] {
    const events = this.detector.flush().flatMap((frame) => this.pushFrame(frame));
    if (reason === 'end' && this.segmentStartFrame === null) return events;
    // A word may be cut off before it was long enough to open a piece.
    if (this.turn === null && this.held.some((frame) => frame.isSpeech)) this.isPieceOpen = true;
    return [...events, ...this.endSegment(reason)];
  }

  /** Drops the open segment; returns true if there was one. */
  clear(): boolean {
    const wasOpen = this.segmentStartFrame !== null;
    this.held.push(...this.detector.flush());
    this.givenUntilFrame = this.nowFrame();
    this.forget(this.nowFrame());
    this.isPieceOpen = false;
    this.segmentStartFrame = null;
    this.turn = this.turnDetection;
    return wasOpen;
  }

  /** Changes the turn detection, from the next segment on. */
  configure(turnDetection: TurnDetection | null): void {
    this.turnDetection = turnDetection;
    if (this.segmentStartFrame === null) this.turn = turnDetection;
  }

  receivedMs(): number {
    return (this.sound.endSample() * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
  }

  close(): void {
    this.detector.close();
  }

  private pushFrame(frame: GatedFrame): LiveSegmenterEvent[] {
    this.held.push(frame);
    this.silentFrames = frame.isSpeech ? 0 : this.silentFrames + 1;
    const events = this.openSegment();
    if (this.segmentStartFrame === null) return events;
    if (this.turn === null) return this.isPieceOpen ? [...events, ...this.cutLongPiece()] : events;
    if (this.silentFrames >= frames(this.turn.silenceMs)) return [...events, ...this.endSegment('silence')];
    if (this.isPieceOpen) return [...events, ...this.cutLongPiece()];
    return this.isLong() ? [...events, ...this.endSegment('limit')] : events;
  }

  /** Opens a segment, a piece or both where they begin with the last frame. */
  private openSegment(): LiveSegmenterEvent[] {
    const speechFrame = this.isPieceOpen ? null : this.speechBegins();
    if (speechFrame !== null) this.isPieceOpen = true;
    const before = frames(Math.max(PADDING_MS, this.turn?.prefixPaddingMs ?? 0));
    if (!this.isPieceOpen) this.forget(this.nowFrame() - frames(OPENING_MS) - before);
    if (this.segmentStartFrame !== null || (this.turn !== null && speechFrame === null)) return [];
    const earliest = this.turn === null ? this.nowFrame() - 1 : (speechFrame ?? 0) - before;
    this.segmentStartFrame = Math.max(this.givenUntilFrame, earliest, 0);
    return [{ type: 'segment-start', startMs: this.segmentStartFrame * VAD_FRAME_MS }];
  }

  /** Returns the first frame of speech once there is enough speech, with a voice in it. */
  private speechBegins(): number | null {
    const recent = this.held.slice(-frames(OPENING_MS));
    const speech = recent.filter((frame) => frame.isSpeech);
    const voiced = speech.filter((frame) => frame.periodicity >= VOICED_PERIODICITY);
    if (speech.length < frames(MIN_SPEECH_MS) || voiced.length < frames(MIN_VOICED_MS)) return null;
    return this.nowFrame() - recent.length + recent.findIndex((frame) => frame.isSpeech);
  }

  private endSegment(reason: SegmentEndReason): LiveSegmenterEvent[] {
    // Both the end of this piece and the beginning of the next one keep some silence.
    const padding = frames(PADDING_MS);
    const paddingFrames = Math.max(0, Math.min(padding, this.silentFrames - padding));
    const pieces = this.isPieceOpen ? this.cutPiece(this.nowFrame() - paddingFrames) : [];
    this.segmentStartFrame = null;
    this.turn = this.turnDetection;
    return around(pieces, this.nowFrame() * VAD_FRAME_MS, reason);
  }

  /** Ends a piece at a pause or when it is too long; the segment goes on, unless it is long. */
  private cutLongPiece(): LiveSegmenterEvent[] {
    const { held: heldFrames } = this;
    if (this.silentFrames >= frames(CLOSING_PAUSE_MS)) return this.cutPiece(this.nowFrame() - frames(PADDING_MS));
    if (heldFrames.length < frames(SOFT_LIMIT_MS)) return [];
    const cut =
      longestPause(heldFrames) ?? (heldFrames.length >= frames(HARD_LIMIT_MS) ? quietestFrame(heldFrames) : null);
    if (cut === null) return [];
    const pieces = this.cutPiece(this.firstFrame + cut);
    // The remaining frames begin the next piece, which need not wait for an opening.
    this.isPieceOpen = this.held.some((frame) => frame.isSpeech);
    return this.turn !== null && this.isLong() ? this.restartSegment(pieces) : pieces;
  }

  /** Ends a long segment at a cut; the held frames begin the next one. */
  private restartSegment(pieces: LiveSegmenterEvent[]): LiveSegmenterEvent[] {
    const atMs = this.firstFrame * VAD_FRAME_MS;
    const ended = around(pieces, atMs, 'limit');
    this.segmentStartFrame = this.isPieceOpen ? this.firstFrame : null;
    return this.isPieceOpen ? [...ended, { type: 'segment-start', startMs: atMs }] : ended;
  }

  private cutPiece(cutFrame: number): LiveSegmenterEvent[] {
    const piece = this.speechBefore(cutFrame);
    this.isPieceOpen = false;
    this.forget(cutFrame);
    if (piece === null) return [];
    this.givenUntilFrame = piece.untilFrame;
    return [{ type: 'piece', speech: piece.speech }];
  }

  /** Returns the speech of the held frames before `cutFrame`; null when there is too little. */
  private speechBefore(cutFrame: number): { speech: SpeechSegment; untilFrame: number } | null {
    const { firstFrame } = this;
    const piece = this.held.slice(0, cutFrame - firstFrame);
    const first = piece.findIndex((frame) => frame.isSpeech);
    const last = piece.findLastIndex((frame) => frame.isSpeech);
    if (first < 0 || !isSpeechEnough(piece)) return null;
    const from = Math.max(this.givenUntilFrame, firstFrame + first - frames(PADDING_MS));
    const to = Math.min(cutFrame, firstFrame + last + 1 + frames(PADDING_MS));
    const speech = {
      samples: this.sound.slice(from * VAD_FRAME_SAMPLES, to * VAD_FRAME_SAMPLES).samples,
      startMs: from * VAD_FRAME_MS,
      speechStartMs: (firstFrame + first) * VAD_FRAME_MS,
      speechEndMs: (firstFrame + last + 1) * VAD_FRAME_MS,
    };
    return { speech, untilFrame: to };
  }

  private isLong(): boolean {
    return this.nowFrame() - (this.segmentStartFrame ?? this.nowFrame()) >= frames(LONG_SEGMENT_MS);
  }

  private nowFrame(): number {
    return this.firstFrame + this.held.length;
  }

  private forget(untilFrame: number): void {
    if (untilFrame <= this.firstFrame) return;
    this.held = this.held.slice(untilFrame - this.firstFrame);
    this.firstFrame = untilFrame;
    this.sound.discardBefore(untilFrame * VAD_FRAME_SAMPLES);
  }
}

function around(pieces: LiveSegmenterEvent[], endMs: number, reason: SegmentEndReason): LiveSegmenterEvent[] {
  return [{ type: 'speech-end', endMs, reason }, ...pieces, { type: 'segment-end', endMs, reason }];
}
