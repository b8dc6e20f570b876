import type { Diarizer, SpeakerFollower, SpeakerTurn, VoicePrint } from '@jyutsing/contracts/diarizer';
import { MAX_LIVE_SPEAKERS } from '@jyutsing/contracts/live-recognition';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { createRecentSamples } from '@jyutsing/audio/recent-samples';
import { oneChunk } from './one-chunk.ts';
import { chunksOf } from './follow-piece.ts';

/** The last sound of a session that is compared: more takes longer than people speak a sentence. */
const WINDOW_MS = 60_000;
/** A voice may be described by what was said before the window. */
const KEPT_MS = 2 * WINDOW_MS;
/** From here on speakers may leave the window, so their voices are remembered. */
const REMEMBER_FROM_MS = 40_000;
/** Speech of a speaker that describes the voice. */
const SAMPLE_MS = { least: 3_000, most: 15_000 } as const;
/** Less common speech of two labels is a boundary that moved. */
const LEAST_OVERLAP_MS = 200;

/** Tells the speakers of one session apart while it goes on. */
export type LiveSpeakers = {
  /** Takes all sound of the session, in its order. */
  hear(samples: Float32Array): void;
  /** Finds the turns of all sound so far anew; numbers of speakers stay as they were. */
  find(signal: AbortSignal): Promise<void>;
  /** The turns that were found, in times of the session; ordered by start. */
  turns(): readonly SpeakerTurn[];
};

/**
 * Diarizes the last minute of a session again and again, from `startMs` of the session on, and
 * keeps the numbers of its speakers: those of a window are the earlier ones with whom they share
 * most speech, or whose voice they have.
 */
export function createLiveSpeakers(open: () => Promise<Diarizer>, startMs: number): LiveSpeakers {
  const sound = createRecentSound(startMs);
  let found: readonly SpeakerTurn[] = [];
  let count = 0;
  let followed: { diarizer: Diarizer; follow: SpeakerFollower } | null = null;
  const voices = new Map<number, VoicePrint>();

  const remember = async (diarizer: Diarizer, signal: AbortSignal) => {
    if (diarizer.describeVoice === undefined || sound.endMs() < REMEMBER_FROM_MS) return;
    for (let speaker = 0; speaker < count; speaker += 1) {
      if (voices.has(speaker)) continue;
      const sample = sound.of(found.filter((turn) => turn.speaker === speaker));
      if (sample === null) continue;
      const print = await diarizer.describeVoice(oneChunk(sample), signal);
      if (print !== null) voices.set(speaker, print);
      // One at a time, because each costs as much as a part of the window.
      return;
    }
  };
  return {
    hear: sound.append,
    turns: () => found,
    async find(signal) {
      const diarizer = await open();
      const { startMs, samples } = sound.latest();
      const described = [...voices.keys()];
      const hints = {
        speakers: { min: 1, max: MAX_LIVE_SPEAKERS },
        ...(described.length === 0 ? {} : { knownVoices: [...voices.values()] }),
      };
      // One that was not used for a while was closed, and opened anew.
      if (followed?.diarizer !== diarizer) {
        followed = { diarizer, follow: diarizer.follow?.() ?? followAnew(diarizer) };
      }
      const latest = await followed.follow({ startMs, samples }, signal, hints);
      const turns = latest.turns.map((turn) => {
        return { ...turn, startMs: turn.startMs + startMs, endMs: turn.endMs + startMs };
      });
      const voiceOf = new Map(described.map((speaker, index) => [speaker, latest.known?.[index] ?? null]));
      const numbers = matchSpeakers(turns, found, { voiceOf, count });
      found = [
        ...partsBefore(found, startMs),
        ...turns.map((turn) => ({ ...turn, speaker: numbers.get(turn.speaker) ?? 0 })),
      ];
      count = Math.max(count, ...found.map(({ speaker }) => speaker + 1));
      await remember(diarizer, signal);
    },
  };
}

/** Diarizes each stretch anew. */
function followAnew(diarizer: Diarizer): SpeakerFollower {
  return async ({ samples }, signal, hints) => {
    let latest: Awaited<ReturnType<SpeakerFollower>> = { turns: [] };
    for await (const event of diarizer.diarize(chunksOf(samples), signal, hints))
      if (event.type === 'turns') latest = event;
    return latest;
  };
}

/** The turns before a time; one that goes on over it ends there. */
function partsBefore(turns: readonly SpeakerTurn[], atMs: number): SpeakerTurn[] {
  return turns.filter(({ startMs }) => startMs < atMs).map((turn) => ({ ...turn, endMs: Math.min(turn.endMs, atMs) }));
}

/** `voiceOf`: the speaker of the window who has the voice of each number; null for none. */
type Earlier = { voiceOf: ReadonlyMap<number, number | null>; count: number };

/**
 * Gives speakers of new turns their numbers of before; others get numbers that only an earlier
 * search gave, then the next ones, up to four, and at last that of the nearest one.
 */
export function matchSpeakers(
  turns: readonly SpeakerTurn[],
  before: readonly SpeakerTurn[],
  { voiceOf, count }: Earlier,
): ReadonlyMap<number, number> {
  const fresh = [...new Set(turns.map(({ speaker }) => speaker))];
  const earlier = Array.from({ length: count }, (_, index) => index);
  const pairs = fresh.flatMap((speaker) =>
    earlier.map((number) => ({ speaker, number, sharedMs: sharedSpeech(turns, speaker, before, number) })),
  );
  const numbers = new Map<number, number>();
  const isFree = (number: number) => ![...numbers.values()].includes(number);
  for (const { speaker, number, sharedMs } of pairs.toSorted((one, other) => other.sharedMs - one.sharedMs)) {
    if (sharedMs >= LEAST_OVERLAP_MS && !numbers.has(speaker) && isFree(number)) numbers.set(speaker, number);
  }
  for (const [number, speaker] of voiceOf) {
    if (speaker !== null && fresh.includes(speaker) && !numbers.has(speaker) && isFree(number)) {
      numbers.set(speaker, number);
    }
  }
  const isGone = (number: number) => !voiceOf.has(number) && before.every((turn) => turn.speaker !== number);
  const unused = [
    ...earlier.filter(isGone),
    ...Array.from({ length: Math.max(0, MAX_LIVE_SPEAKERS - count) }, (_, index) => count + index),
  ];
  for (const speaker of fresh) {
    if (numbers.has(speaker)) continue;
    const nearest = pairs.filter((pair) => pair.speaker === speaker).toSorted((a, b) => b.sharedMs - a.sharedMs);
    const number = unused.find(isFree) ?? nearest.find((pair) => isFree(pair.number))?.number ?? nearest[0]?.number;
    numbers.set(speaker, number ?? 0);
  }
  return numbers;
}

function sharedSpeech(turns: readonly SpeakerTurn[], speaker: number, before: readonly SpeakerTurn[], number: number) {
  let sharedMs = 0;
  for (const one of turns) {
    if (one.speaker !== speaker) continue;
    for (const other of before) {
      if (other.speaker !== number) continue;
      sharedMs += Math.max(0, Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs));
    }
  }
  return sharedMs;
}

const toMs = (samples: number) => (samples * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
const toSamples = (ms: number) => Math.round((ms * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000);

/** The last sound of a session, with its times. */
function createRecentSound(fromMs: number) {
  const recent = createRecentSamples();
  const origin = toSamples(fromMs);
  return {
    append(samples: Float32Array): void {
      recent.append(samples);
      recent.discardBefore(recent.endSample() - toSamples(KEPT_MS));
    },
    endMs: () => toMs(origin + recent.endSample()),
    /** The window that is compared. */
    latest(): { startMs: number; samples: Float32Array } {
      const end = recent.endSample();
      const { samples, firstSample } = recent.slice(end - toSamples(WINDOW_MS), end);
      return { startMs: toMs(origin + firstSample), samples };
    },
    /** The sound of the turns that are still there, up to a limit; null where it is too little. */
    of(turns: readonly SpeakerTurn[]): Float32Array | null {
      const parts = turns.flatMap((turn) => {
        const [from, to] = [toSamples(turn.startMs) - origin, toSamples(turn.endMs) - origin];
        const { samples } = recent.slice(from, to);
        return samples.length === to - from ? [samples] : [];
      });
      const sample = joinSamples(parts);
      return toMs(sample.length) < SAMPLE_MS.least ? null : sample.slice(0, toSamples(SAMPLE_MS.most));
    },
  };
}
