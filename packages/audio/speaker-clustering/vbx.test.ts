import { expect, it } from 'vitest';
import { assignVoices } from './vbx.ts';

const DIARIZATION_OPTIONS = { evidence: 0.6, parsimony: 2.5, staying: 0.6, iterations: 25 };
const SIZE = 16;
const statistics = { between: Array.from({ length: SIZE }, () => 3) };

/** Makes windows of speakers in turns of ten, each around its own voice with variance 1. */
function windowsOf(speakers: readonly number[]): Float32Array[] {
  const random = seeded(3);
  const normal = () => Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6);
  const voices = Array.from({ length: 1 + Math.max(...speakers) }, () =>
    Float32Array.from({ length: SIZE }, () => normal() * Math.sqrt(3)),
  );
  return speakers.flatMap((speaker) =>
    Array.from({ length: 10 }, () => voices[speaker]!.map((value) => value + normal())),
  );
}

function assigned(voices: readonly Float32Array[], first: readonly number[]): number[] {
  const { shares, speakers } = assignVoices(
    voices,
    voices.map(() => 1),
    first,
    statistics,
    DIARIZATION_OPTIONS,
  );
  return voices.map((_, window) => {
    const row = [...shares.subarray(window * speakers, (window + 1) * speakers)];
    expect(row.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
    return row.indexOf(Math.max(...row));
  });
}

it('groups that are one speaker become one, and different speakers stay apart', () => {
  const speakers = [0, 1, 0, 2, 1, 0, 2];
  const voices = windowsOf(speakers);
  // The first assignment has twice as many groups as speakers: odd and even windows of each.
  const first = speakers.flatMap((speaker) => Array.from({ length: 10 }, (_, index) => speaker * 2 + (index % 2)));
  const assignment = assigned(voices, first);
  expect(new Set(assignment).size).toBe(3);
  for (const [turn, speaker] of speakers.entries()) {
    expect(new Set(assignment.slice(turn * 10, turn * 10 + 10)).size).toBe(1);
    expect(assignment[turn * 10]).toBe(assignment[speakers.indexOf(speaker) * 10]);
  }
});

it('one speaker in many groups is one speaker', () => {
  const voices = windowsOf([0, 0, 0, 0]);
  expect(
    new Set(
      assigned(
        voices,
        voices.map((_, index) => index % 5),
      ),
    ).size,
  ).toBe(1);
});

it('a single window has its speaker', () => {
  expect(assigned(windowsOf([0]).slice(0, 1), [0])).toEqual([0]);
});

it('thousands of windows cause no underflow', () => {
  const speakers = Array.from({ length: 300 }, (_, index) => index % 3);
  const assignment = assigned(
    windowsOf(speakers),
    speakers.flatMap((speaker) => Array.from({ length: 10 }, () => speaker)),
  );
  expect(assignment.filter((speaker, index) => speaker !== assignment[(Math.floor(index / 10) % 3) * 10])).toHaveLength(
    0,
  );
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 16_777_216;
  };
}
