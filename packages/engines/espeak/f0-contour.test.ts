import { describe, expect, it } from 'vitest';
import { createF0Contour } from './f0-contour.ts';
import type { TimedSyllable } from './timing.ts';

/** Slow unsteadiness of the voice, in semitones. */
const FLUTTER = 0.15;

/** Makes a syllable from one time to another; its vowel begins after 60 ms. */
function syllable(startMs: number, endMs: number, isAfterVoiceless = false): TimedSyllable {
  const onset = { kind: 'stop', isVoiceless: isAfterVoiceless, fromMs: startMs, toMs: startMs + 60 };
  const vowel = { kind: 'vowel', isVoiceless: false, fromMs: startMs + 60, toMs: endMs };
  return { startMs, endMs, parts: [onset, vowel], nucleus: 1 } as unknown as TimedSyllable;
}

const level = (semitones: number, overrides: { shift?: number; scale?: number } = {}) => {
  const contour = [[0, semitones] as const, [1, semitones] as const];
  return { contour, shift: 0, scale: 1, ...overrides };
};

/** Returns the pitch every 5 ms until a time. */
function follow(
  targets: [startMs: number, endMs: number, aim: ReturnType<typeof level>, isAfterVoiceless?: boolean][],
  untilMs: number,
  speed = 1,
): number[] {
  const contour = createF0Contour(speed);
  for (const [startMs, endMs, aim, isAfterVoiceless] of targets)
    contour.add(syllable(startMs, endMs, isAfterVoiceless), aim);
  return Array.from({ length: untilMs / 5 }, (_, step) => contour.at(step * 5));
}

const halfMs = (speed: number) =>
  follow(
    [
      [0, 200, level(0)],
      [200, 600, level(6)],
    ],
    600,
    speed,
  ).findIndex((value) => value > 5.5) * 5;

describe('the pitch of a phrase', () => {
  it('begins at its first target and stays there', () => {
    for (const value of follow([[0, 300, level(4)]], 300)) expect(Math.abs(value - 4)).toBeLessThan(FLUTTER);
  });

  it('is the target times the range of the phrase, moved by its level', () => {
    for (const value of follow([[0, 300, level(4, { scale: 0.5, shift: -3 })]], 300)) {
      expect(Math.abs(value - -1)).toBeLessThan(FLUTTER);
    }
  });

  it('approaches the next target without a jump, and without going beyond it', () => {
    const values = follow(
      [
        [0, 200, level(0)],
        [200, 600, level(6)],
      ],
      600,
    );
    const steps = values.slice(1).map((value, at) => value - values[at]!);
    expect(Math.max(...steps)).toBeLessThan(1);
    expect(Math.max(...values)).toBeLessThan(6 + FLUTTER);
    expect(values.at(-1)).toBeGreaterThan(6 - FLUTTER);
    // The pitch is half way some 10 ms after the boundary: the delay of the larynx is partly made
    // up for.
    const halfMs = values.findIndex((value) => value > 3) * 5;
    expect(halfMs).toBeGreaterThan(190);
    expect(halfMs).toBeLessThan(230);
  });

  it('moves faster in fast speech', () => {
    expect(halfMs(2)).toBeLessThan(halfMs(1));
    expect(halfMs(0.5)).toBeGreaterThanOrEqual(halfMs(1));
  });

  it('follows a contour within a syllable', () => {
    const falling = { contour: [[0, 4] as const, [1, -4] as const], shift: 0, scale: 1 };
    const values = follow([[0, 600, falling]], 600);
    for (let at = 20; at < 110; at += 5) expect(values[at]!).toBeLessThan(values[at - 10]!);
    expect(values[60]).toBeGreaterThan(-1.5);
    expect(values[60]).toBeLessThan(1.5);
  });

  it('starts higher after a voiceless consonant, for a moment', () => {
    const plain = follow([[0, 400, level(0)]], 400);
    const raised = follow([[0, 400, level(0), true]], 400).map((value, at) => value - plain[at]!);
    expect(raised[11]).toBe(0);
    expect(raised[12]).toBeGreaterThan(0.5);
    expect(raised[17]).toBeLessThan(raised[12]! / 2);
    expect(raised.slice(45).every((value) => value === 0)).toBe(true);
  });

  it('begins anew after a reset', () => {
    const contour = createF0Contour(1);
    contour.add(syllable(0, 200), level(5));
    contour.at(100);
    contour.reset();
    contour.add(syllable(200, 400), level(-5));
    expect(Math.abs(contour.at(200) - -5)).toBeLessThan(FLUTTER);
  });

  it('begins a Mandarin rise when the voice begins, and a Cantonese one with its consonant', () => {
    const rise = {
      contour: [[0, -3] as const, [0.4, -3] as const, [1, 4] as const],
      shift: 0,
      scale: 1,
    };
    const pitchAtVoice = (voice: 'cmn' | 'yue') => {
      const contour = createF0Contour(1);
      contour.add({ ...syllable(0, 200, true), voice }, rise);
      // The vowel begins at 60 ms.
      for (let timeMs = 0; timeMs < 100; timeMs += 5) contour.at(timeMs);
      return contour.at(100);
    };
    expect(pitchAtVoice('cmn')).toBeLessThan(-2);
    expect(pitchAtVoice('yue')).toBeGreaterThan(pitchAtVoice('cmn') + 0.5);
  });

  it('begins a Mandarin tone with the glide between a voiceless consonant and the vowel', () => {
    const rise = { contour: [[0, -3] as const, [0.4, -3] as const, [1, 4] as const], shift: 0, scale: 1 };
    const parts = [
      { kind: 'fricative', isVoiceless: true, fromMs: 0, toMs: 80 },
      { kind: 'sonorant', isVoiceless: false, fromMs: 80, toMs: 140 },
      { kind: 'vowel', isVoiceless: false, fromMs: 140, toMs: 240 },
    ];
    const pitchOf = (pitchParts: typeof parts) => {
      const contour = createF0Contour(1);
      contour.add(
        { startMs: 0, endMs: 240, voice: 'cmn', parts: pitchParts, nucleus: 2 } as unknown as TimedSyllable,
        rise,
      );
      for (let timeMs = 0; timeMs < 150; timeMs += 5) contour.at(timeMs);
      return contour.at(150);
    };
    expect(pitchOf(parts)).toBeLessThan(-2);
    const voiced = parts.map((part) => ({ ...part, isVoiceless: false }));
    expect(pitchOf(voiced)).toBeGreaterThan(-2);
  });

  it('is in the middle without a target', () => {
    expect(Math.abs(createF0Contour(1).at(0))).toBeLessThan(FLUTTER);
  });

  it('does not depend on how often it is asked', () => {
    const targets = [
      [0, 200, level(0)],
      [200, 400, level(6)],
    ] as const;
    const once = createF0Contour(1);
    for (const [startMs, endMs, aim] of targets) once.add(syllable(startMs, endMs), aim);
    once.at(0);
    const often = follow(
      targets.map(([startMs, endMs, aim]) => [startMs, endMs, aim]),
      305,
    );
    expect(once.at(300)).toBeCloseTo(often.at(-1)!, 9);
  });
});
