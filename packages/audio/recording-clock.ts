/**
 * Shorter differences between the times of frames and the sound before them are rounding and
 * jitter of the program that recorded; filling them would chop the sound.
 */
const MIN_GAP_MS = 50;
/** A longer jump is an error of the recorder's clock, such as the wrap of its 33 bits. */
const MAX_GAP_MS = 3_600_000;
/**
 * Times that run back further begin again, as where two recordings were joined; less is an overlap
 * of frames.
 */
const MAX_OVERLAP_MS = 1_000;
/** How much the length of a frame that a header states may differ from the true one. */
const MAX_ROUNDING_SHARE = 0.1;
/**
 * Frames with numbers in a row before a gap: FFmpeg 5.1 (libavformat/avienc.c) writes a thousand
 * empty ones before each of E-AC-3 and DTS.
 */
const MIN_FRAMES_IN_A_ROW = 5;
/** AV_NOPTS_VALUE of FFmpeg as a number: the lowest 64-bit integer. */
const NO_TIME = -(2 ** 63);

/** The start of a recording in the times of its packets. */
export type ClockStart = {
  /** Milliseconds of one tick. */
  tickMs: number;
  /** The time at which a player begins to count; null: with the first sound. */
  startMs: number | null;
  /**
   * The sound with which an encoder begins before that of the recording. Counts where the file does
   * not state it, so that its first packet has the time of the start.
   */
  priming: { frames: number } | { samples: number };
  /** The longest gap that is filled with silence; absent: an hour. */
  maxGapMs?: number;
  /**
   * The file states, instead of times, the number of each frame, which may be empty, or nothing
   * behind the first frame.
   */
  states?: 'numbers' | 'nothing';
};

/**
 * Places the decoded sound of one file on its time line, by one rule for all containers: sound is
 * where the timestamps say, except that none is cut. Where frames overlap all are kept, and later
 * gaps make up for it. A jump of more than an hour and one back of more than a second are no gap;
 * the time continues.
 */
export class RecordingClock {
  readonly #maxGapMs: number;
  readonly #states: ClockStart['states'];
  #tickMs: number;
  #priming: ClockStart['priming'];
  /** The packet time that is 0 on the clock; null until it is known. */
  #originMs: number | null;
  /** The same before any jump; null until the first frame with a time. */
  #firstOriginMs: number | null = null;
  #firstPacketMs: number | null = null;
  /** Frames without sound before those of the encoder. */
  #leadingFrames = 0;
  #positionMs = 0;
  /** The position at which the present recording begins; more than 0 after others in the file. */
  #beginMs = 0;
  #gapMs = 0;
  #lastMs = 0;
  /** Time of packets that were skipped since the last frame. */
  #skippedMs = 0;
  /** The part of it up to the last pause. */
  #pausedMs = 0;
  /** The end of the last frame by its timestamp; after an overlap the position is later. */
  #stampedEndMs = 0;
  #longestFrameMs = 0;
  #framesInARow = 0;

  constructor({ tickMs, startMs, priming, maxGapMs = MAX_GAP_MS, states }: ClockStart) {
    this.#maxGapMs = maxGapMs;
    this.#states = states;
    this.#tickMs = tickMs;
    this.#originMs = startMs;
    this.#priming = priming;
  }

  /** Goes on with another recording in the same file, which has its own times. */
  continueWith({ tickMs, startMs, priming }: ClockStart): void {
    this.#tickMs = tickMs;
    this.#priming = priming;
    this.#beginMs = this.#positionMs;
    this.#originMs = startMs;
    this.#firstOriginMs = null;
    this.#stampedEndMs = this.#positionMs;
  }

  /** The time of the file up to which frames and silence were placed. */
  get positionMs(): number {
    return this.#positionMs;
  }

  /** The part of it that is silence of gaps: times at which the recorder recorded nothing. */
  get gapMs(): number {
    return this.#gapMs;
  }

  /** The last time of the file by its timestamps, absurd jumps included. */
  get lastMs(): number {
    return Math.max(this.#lastMs, this.#positionMs);
  }

  /**
   * Takes the time of the first packet, before its frames. `isSound`: false for one that belongs to
   * no sound, before the first of the encoder.
   */
  begin(packetTicks: bigint, isSound = true): void {
    this.#firstPacketMs = this.#toMs(packetTicks);
    this.#leadingFrames = isSound ? 0 : 1;
  }

  /**
   * Places the next frame and returns the samples of silence that belong before it; null when the
   * frame lies before the start of the file and has to be dropped. The ticks may be AV_NOPTS_VALUE.
   */
  place(frameTicks: bigint, samples: number, sampleRateHz: number): number | null {
    const frameMs = (samples * 1_000) / sampleRateHz;
    this.#longestFrameMs = Math.max(this.#longestFrameMs, frameMs);
    const isStated = this.#states !== 'nothing' || this.#isAtBegin;
    const stampMs = isStated ? this.#toMs(frameTicks) : null;
    if (stampMs !== null && this.#firstOriginMs === null) this.#start(stampMs, frameMs, sampleRateHz);
    const timeMs = stampMs === null ? null : this.#timeOf(stampMs, frameMs);
    if (timeMs !== null && this.#isAtBegin && timeMs + frameMs / 2 < this.#beginMs) return null;
    const silence = this.#advance(timeMs === null ? this.#skippedMs : this.#silenceBefore(timeMs), sampleRateHz);
    this.#skippedMs = 0;
    this.#pausedMs = 0;
    this.#positionMs += frameMs;
    this.#stampedEndMs = timeMs === null ? this.#positionMs : timeMs + frameMs;
    if (stampMs !== null) this.#lastMs = Math.max(this.#lastMs, stampMs + frameMs - (this.#firstOriginMs ?? 0));
    return silence;
  }

  /**
   * Counts a packet that was not decoded; its silence comes with the next frame. At the end of the
   * file only the pauses are silent: the last bytes may be a tag, or a part of a frame.
   */
  skipPacket(durationTicks: bigint, isPause: boolean): void {
    const statedMs = Number(durationTicks) * this.#tickMs;
    // A packet before a gap states the gap as part of its duration.
    const atMostMs = this.#longestFrameMs > 0 ? this.#longestFrameMs : MAX_OVERLAP_MS;
    this.#skippedMs += statedMs > 0 ? Math.min(statedMs, atMostMs) : this.#longestFrameMs;
    if (isPause) this.#pausedMs = this.#skippedMs;
  }

  /** Places the end and returns the samples of silence before it. */
  end(sampleRateHz: number): number {
    return sampleRateHz > 0 ? this.#advance(this.#pausedMs, sampleRateHz) : 0;
  }

  #toMs(ticks: bigint): number | null {
    const value = Number(ticks);
    return value === NO_TIME ? null : value * this.#tickMs;
  }

  /** Sets the zero of the clock when the first frame is known. */
  #start(stampMs: number, frameMs: number, sampleRateHz: number): void {
    let originMs = this.#originMs ?? stampMs;
    const isAtStart = Math.abs((this.#firstPacketMs ?? stampMs) - originMs) <= this.#tickMs;
    const priming = this.#priming;
    const primingMs = 'frames' in priming ? priming.frames * frameMs : (priming.samples * 1_000) / sampleRateHz;
    if (isAtStart) originMs += primingMs + this.#leadingFrames * frameMs;
    const lateMs = stampMs - originMs;
    // The whole file has an offset, such as a stream that was joined in its middle.
    if (lateMs > MAX_GAP_MS || lateMs < -MAX_OVERLAP_MS) originMs = stampMs;
    this.#originMs = originMs - this.#beginMs;
    this.#firstOriginMs = this.#originMs;
  }

  /** Whether the present recording has no sound yet. */
  get #isAtBegin(): boolean {
    return this.#positionMs === this.#beginMs;
  }

  /** Returns the time on the clock, which a jump sets anew. */
  #timeOf(stampMs: number, frameMs: number): number {
    this.#originMs ??= stampMs - this.#positionMs;
    const timeMs = stampMs - this.#originMs;
    const jumpMs = timeMs - this.#stampedEndMs;
    if (this.#isAtBegin || this.#isLikely(jumpMs, frameMs)) return timeMs;
    const continuedMs = this.#positionMs + this.#skippedMs;
    this.#originMs = stampMs - continuedMs;
    return continuedMs;
  }

  /** Whether a frame can be so much later than the one before it ended. */
  #isLikely(jumpMs: number, frameMs: number): boolean {
    if (jumpMs > this.#maxGapMs || jumpMs < -MAX_OVERLAP_MS) return false;
    if (this.#states !== 'numbers') return true;
    // The header rounds the length of a frame, or counts in other units, which tell no time.
    if (Math.abs(this.#tickMs - frameMs) > frameMs * MAX_ROUNDING_SHARE) return false;
    const isGap = jumpMs > MIN_GAP_MS && this.#framesInARow >= MIN_FRAMES_IN_A_ROW;
    this.#framesInARow = jumpMs > MIN_GAP_MS ? 0 : this.#framesInARow + 1;
    return isGap;
  }

  /** Returns the milliseconds of silence before a frame that begins at a time of the clock. */
  #silenceBefore(timeMs: number): number {
    const aheadMs = timeMs - this.#positionMs;
    const isGap = aheadMs > MIN_GAP_MS + this.#skippedMs || (this.#isAtBegin && aheadMs > 0);
    if (!isGap) return Math.max(0, Math.min(this.#skippedMs, aheadMs));
    this.#gapMs += Math.max(0, aheadMs - this.#skippedMs);
    return aheadMs;
  }

  /** Advances by whole samples, and returns their number. */
  #advance(silenceMs: number, sampleRateHz: number): number {
    const samples = Math.round((silenceMs * sampleRateHz) / 1_000);
    this.#positionMs += (samples * 1_000) / sampleRateHz;
    return samples;
  }
}
