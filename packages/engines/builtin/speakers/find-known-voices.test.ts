import { describe, expect, it } from 'vitest';
import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import type { VoiceWindow } from '@jyutsing/audio/speaker-clustering/frames';
import { findKnownVoices, toVoicePrint } from './find-known-voices.ts';

const STATISTICS = { between: [3, 3, 3] };
const ANNA = [1, 0, 0];
const BEN = [0, 1, 0];
const CHOI = [0, 0, 1];

/** Makes windows of 1.5 s (75 frames of 20 ms) with one voice, from a frame on. */
const windowsOf = (voice: readonly number[], fromFrame: number, count: number): VoiceWindow[] =>
  Array.from({ length: count }, (_, index) => {
    const from = fromFrame + 75 * index;
    return { fromFrame: from, toFrame: from + 75, voice: Float32Array.from(voice) };
  });
const turn = (speaker: number, startMs: number, endMs: number): SpeakerTurn => ({ speaker, startMs, endMs });
const printOf = (voice: readonly number[], count = 4) => toVoicePrint(windowsOf(voice, 0, count))!;

/** The speaker turns of a conversation: speaker 0 has the first 15 s, speaker 1 the next 15 s. */
const TURNS = [turn(0, 0, 15_000), turn(1, 15_000, 30_000)];
const conversation = (first: readonly number[], second: readonly number[]) => [
  ...windowsOf(first, 0, 10),
  ...windowsOf(second, 750, 10),
];
const find = (
  knownVoices: readonly number[][],
  windows: readonly VoiceWindow[],
  turns: readonly SpeakerTurn[] = TURNS,
) =>
  findKnownVoices(
    knownVoices.map((voice) => printOf(voice)),
    turns,
    windows,
    STATISTICS,
  );

describe('known voices', () => {
  it.each([
    ['in the order of the speakers', [ANNA, BEN], [0, 1]],
    ['in another order', [BEN, ANNA], [1, 0]],
    ['of one speaker', [BEN], [1]],
    ['of somebody who is not heard', [CHOI], [null]],
    ['of somebody who is not heard, beside others', [CHOI, ANNA, BEN], [null, 0, 1]],
    ['of nobody', [], []],
  ])('%s are found', (_name, knownVoices, expected) => {
    expect(find(knownVoices, conversation(ANNA, BEN))).toEqual(expected);
  });

  it('sent twice are one speaker only: the likelier', () => {
    const almost = [0.9, 0.44, 0];
    expect(find([almost, ANNA], conversation(ANNA, CHOI))).toEqual([null, 0]);
    expect(find([ANNA, almost], conversation(ANNA, CHOI))).toEqual([0, null]);
  });

  it('described by models of another size are not found', () => {
    const old = printOf(ANNA).slice(0, -1);
    expect(findKnownVoices([old, printOf(BEN)], TURNS, conversation(ANNA, BEN), STATISTICS)).toEqual([null, 1]);
  });

  it('are not found where there is no speech', () => {
    expect(find([ANNA, BEN], [], [])).toEqual([null, null]);
    expect(find([ANNA], [], TURNS)).toEqual([null]);
  });

  it('are told from what a speaker says alone', () => {
    // Both speak from 10 to 15 s, so the windows there belong to neither.
    const turns = [turn(0, 0, 15_000), turn(1, 10_000, 15_000)];
    const windows = [...windowsOf(ANNA, 0, 6), ...windowsOf(BEN, 525, 3)];
    expect(find([BEN], windows, turns)).toEqual([null]);
    expect(find([ANNA], windows, turns)).toEqual([0]);
  });
});

describe('the print of a voice', () => {
  it('is none without sound', () => {
    expect(toVoicePrint([])).toBeNull();
  });

  it('has the weight of its windows and their weighted sum, in four decimals', () => {
    // Each window of 1.5 s counts as 0.6 observations, one of 0.5 s as a third of that.
    expect(toVoicePrint(windowsOf([1, 0, 1 / 3], 0, 2))).toEqual([1.2, 1.2, 0, 0.4]);
    const short = { fromFrame: 0, toFrame: 25, voice: Float32Array.from([0, 1]) };
    expect(toVoicePrint([short])).toEqual([0.2, 0, 0.2]);
  });

  it('recognizes its own windows', () => {
    for (const voice of [ANNA, BEN, CHOI, [0.6, 0.8, 0]]) {
      expect(find([voice], conversation(voice, [0, 0, -1]))).toEqual([0]);
    }
  });
});
