import { describe, expect, it } from 'vitest';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import type { ActivityTrack, VoiceWindow } from './frames.ts';
import { SPEAKER_FRAME_MS } from './frames.ts';
import { NO_SPEAKER, smoothSpeakers, type SmoothingOptions } from './viterbi-smoothing.ts';

const RULES: SmoothingOptions = {
  speechFrom: 0.5,
  certainty: 100,
  changeCost: 3,
  changeCostAfterPause: 1,
  pauseMs: 2 * SPEAKER_FRAME_MS,
};
const SPEAKERS = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(Math.SQRT1_2, Math.SQRT1_2)];

const track = (speech: readonly number[]) =>
  ({ length: () => speech.length, speechAt: (frame: number) => speech[frame] ?? 0 }) as ActivityTrack;

/** Makes windows of one frame each. */
const windowsOf = (angles: readonly number[]): VoiceWindow[] =>
  angles.map(
    (angle, frame) =>
      ({
        fromFrame: frame,
        toFrame: frame + 1,
        voice: Float32Array.of(Math.cos(angle), Math.sin(angle)),
      }) as VoiceWindow,
  );

/** Finds the best path by trying all. */
function bruteForce(speech: readonly number[], angles: readonly number[], speakers: readonly Float32Array[]): number {
  const frames = speech.flatMap((value, frame) => (value >= RULES.speechFrom ? [frame] : []));
  let best = -Infinity;
  for (let code = 0; code < speakers.length ** frames.length; code += 1) {
    best = Math.max(best, scoreOf(pathOf(code, frames, speakers.length), frames, angles, speakers));
  }
  return best;
}

function pathOf(code: number, frames: readonly number[], count: number): number[] {
  return frames.map((_, step) => Math.floor(code / count ** step) % count);
}

function scoreOf(
  path: readonly number[],
  frames: readonly number[],
  angles: readonly number[],
  speakers: readonly Float32Array[],
): number {
  let score = 0;
  for (const [step, frame] of frames.entries()) {
    const voice = [Math.cos(angles[frame]!), Math.sin(angles[frame]!)];
    const speaker = speakers[path[step]!]!;
    const cosine = voice[0]! * speaker[0]! + voice[1]! * speaker[1]!;
    score += ((RULES.certainty * SPEAKER_FRAME_MS) / 1_000) * cosine;
    if (step === 0 || path[step] === path[step - 1]) continue;
    const isAfterPause = (frame - frames[step - 1]!) * SPEAKER_FRAME_MS > RULES.pauseMs;
    score -= isAfterPause ? RULES.changeCostAfterPause : RULES.changeCost;
  }
  return score;
}

describe('the speaker of each frame', () => {
  it('is that of the best of all paths', () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const random = randomFrom(seed);
      const speech = Array.from({ length: 9 }, () => (random() < 0.75 ? 0.9 : 0.1));
      const angles = Array.from({ length: 9 }, () => (random() * Math.PI) / 2);
      const speakers = SPEAKERS.slice(0, 2 + (seed % 2));
      const path = smoothSpeakers(track(speech), windowsOf(angles), speakers, RULES);
      const frames = speech.flatMap((value, frame) => (value >= RULES.speechFrom ? [frame] : []));
      expect(
        scoreOf(
          frames.map((frame) => path[frame]!),
          frames,
          angles,
          speakers,
        ),
      ).toBeCloseTo(bruteForce(speech, angles, speakers), 4);
      expect([...path].filter((_, frame) => speech[frame]! < RULES.speechFrom)).toEqual(
        speech.filter((value) => value < RULES.speechFrom).map(() => NO_SPEAKER),
      );
    }
  });

  it('changes more easily after a pause', () => {
    // The voice leans to the second speaker for a moment.
    const angles = [0, 0, 0, 0, 0, 1.2];
    const withoutPause = smoothSpeakers(track([1, 1, 1, 1, 1, 1]), windowsOf(angles), SPEAKERS.slice(0, 2), {
      ...RULES,
      changeCost: 50,
      changeCostAfterPause: 0.1,
    });
    const withPause = smoothSpeakers(track([1, 1, 0, 0, 0, 1]), windowsOf(angles), SPEAKERS.slice(0, 2), {
      ...RULES,
      changeCost: 50,
      changeCostAfterPause: 0.1,
    });
    expect([withoutPause[5], withPause[5]]).toEqual([0, 1]);
  });

  it('between windows is that of the windows around it', () => {
    const [first, , last] = windowsOf([0, 0, Math.PI / 2]);
    const path = smoothSpeakers(track([1, 1, 1]), [first!, last!], SPEAKERS.slice(0, 2), {
      ...RULES,
      changeCost: 0.01,
    });
    expect([path[0], path[2]]).toEqual([0, 1]);
  });

  it('of one known voice is the first, and nobody speaks in silence', () => {
    expect([...smoothSpeakers(track([1, 0, 1]), [], SPEAKERS.slice(0, 1), RULES)]).toEqual([0, NO_SPEAKER, 0]);
    expect([...smoothSpeakers(track([0, 0]), [], SPEAKERS, RULES)]).toEqual([NO_SPEAKER, NO_SPEAKER]);
    expect([...smoothSpeakers(track([]), [], SPEAKERS, RULES)]).toEqual([]);
  });
});
