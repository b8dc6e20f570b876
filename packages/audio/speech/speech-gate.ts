import { mean } from '@jyutsing/numeric/statistics';
import { VAD_FRAME_MS, type VadFrame } from './vad.ts';

/** A frame with the final speech decision. */
export type GatedFrame = VadFrame & {
  isSpeech: boolean;
  /** Probability of a voice by the voice model, 0..1; absent: the detector has none. */
  voice?: number;
};

/** Stabilizes the decisions for single frames. */
type SpeechGate = {
  /** Takes a frame and returns those decided now. */
  push(frame: VadFrame): GatedFrame[];
  flush(): GatedFrame[];
};

/** Look-ahead also measures the background: a recording may begin in the middle of a word. */
const LOOKAHEAD_MS = 600;
/** Window of the background minimum; speech dips more often than that. */
const BACKGROUND_WINDOW_MS = 4_000;
/** Least level of speech above the background; steady noise varies by less. */
const MIN_ABOVE_BACKGROUND_DB = 6;
/** Level below which every frame counts as silence. */
const MIN_LEVEL_DB = -62;
/**
 * A louder "background" may be a word that fills the whole recording, so from here on the detector
 * decides alone.
 */
const MAX_BACKGROUND_DB = -32;
/** Number of frames in the vote. */
const VOTERS = 5;
/** Sound that arrives live begins with this background: its own start must be judged at once. */
const LIVE_BACKGROUND_DB = -50;

const WINDOW_FRAMES = BACKGROUND_WINDOW_MS / VAD_FRAME_MS;

/** Decides with LOOKAHEAD_MS of look-ahead, by majority: for a recording. */
export function createSpeechGate(): SpeechGate {
  return createGate(LOOKAHEAD_MS / VAD_FRAME_MS, () => 0.5, createSlidingMinimum(WINDOW_FRAMES));
}

/**
 * Decides with a look-ahead of two frames only, for sound that arrives live. `threshold` gives the
 * share of frames with voice, 0..1, above which one counts as speech.
 */
export function createLiveSpeechGate(threshold: () => number): SpeechGate {
  const background = createSlidingMinimum(WINDOW_FRAMES);
  background.push(LIVE_BACKGROUND_DB);
  return createGate(0, threshold, background);
}

/**
 * Gates the detector's decisions by an adaptive level, then takes a vote, so that single frames do
 * not flip.
 */
function createGate(
  lookaheadFrames: number,
  threshold: () => number,
  background: ReturnType<typeof createSlidingMinimum>,
): SpeechGate {
  const ahead: VadFrame[] = [];
  /** Candidates by level and detector that are not voted on yet. */
  const candidates: GatedFrame[] = [];
  /** The last votes before the first candidate. */
  const earlierVotes: boolean[] = [];
  const half = VOTERS >> 1;

  const decide = (): void => {
    const frame = ahead.shift();
    if (frame === undefined) return;
    const backgroundDb = Math.min(background.value(), MAX_BACKGROUND_DB);
    const isLoud = frame.levelDb > Math.max(MIN_LEVEL_DB, backgroundDb + MIN_ABOVE_BACKGROUND_DB);
    candidates.push({ ...frame, isSpeech: frame.isVoice && isLoud });
  };
  const vote = (isEnd: boolean): GatedFrame[] => {
    const decided: GatedFrame[] = [];
    // At least one vote is needed, and never more than there are.
    const neededVotes = Math.min(threshold() * VOTERS, VOTERS - 1);
    while (candidates.length > (isEnd ? 0 : half)) {
      const votes = [...earlierVotes, ...candidates.slice(0, half + 1).map((candidate) => candidate.isSpeech)];
      const frame = candidates.shift();
      if (frame === undefined) break;
      earlierVotes.push(frame.isSpeech);
      if (earlierVotes.length > half) earlierVotes.shift();
      decided.push({ ...frame, isSpeech: votes.filter(Boolean).length > neededVotes });
    }
    return decided;
  };

  return {
    push(frame) {
      ahead.push(frame);
      background.push(frame.levelDb);
      if (ahead.length > lookaheadFrames) decide();
      return vote(false);
    },
    flush() {
      while (ahead.length > 0) decide();
      return vote(true);
    },
  };
}

/**
 * Computes the minimum over the last `length` values of their mean over five, so that one odd frame
 * is not taken for the background.
 */
function createSlidingMinimum(length: number) {
  const recent: number[] = [];
  /** Candidates for the minimum, rising, each with the count at which it leaves the window. */
  const queue: { value: number; until: number }[] = [];
  let count = 0;
  return {
    push(value: number) {
      recent.push(value);
      if (recent.length > VOTERS) recent.shift();
      const average = mean(recent);
      while ((queue.at(-1)?.value ?? -Infinity) >= average) queue.pop();
      count += 1;
      queue.push({ value: average, until: count + length });
      while ((queue[0]?.until ?? Infinity) <= count) queue.shift();
    },
    value: () => queue[0]?.value ?? 0,
  };
}
