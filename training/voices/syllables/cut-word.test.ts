import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openVoice } from '#packages/engines/syllable/open-voice.ts';
import { soundsOf } from '#packages/engines/syllable/sounds-of.ts';
import { wordKey } from '#packages/engines/syllable/voice-file.ts';
import { buildVoice } from './build-voice.ts';
import { chooseRecordings, type ScoredWord } from './choose-recordings.ts';
import { cutWord } from './cut-word.ts';
import { MS, RATE_HZ } from './signal.ts';

const sounds = soundsOf('mandarin');
/** Silence, a vowel, a hiss, another vowel, silence: the ends in ms. */
const ENDS_MS = [80, 330, 450, 700, 800] as const;

/**
 * A made-up recording of a1 sa4, without a closure. `creaky`: the second vowel has the irregular,
 * weak periods of a low tone.
 */
function recording({ creaky = false } = {}): Float32Array {
  let noise = 1;
  const [silence, first, hiss, second, end] = ENDS_MS.map((ms) => ms * MS) as [number, number, number, number, number];
  return Float32Array.from({ length: end }, (_, i) => {
    noise = (noise * 16_807) % 2_147_483_647;
    if (i < silence || i >= second) return 0;
    if (i >= first && i < hiss) return 0.05 * (noise / 1_073_741_824 - 1);
    const edge = Math.min(
      1,
      (i < first ? i - silence : i - hiss) / (5 * MS),
      (i < first ? first - i : second - i) / (10 * MS),
    );
    const isCreaky = creaky && i >= hiss + 60 * MS;
    if (creaky && i >= hiss) return 0.08 * edge * (isCreaky ? vowel(80, i + 90 * Math.sin(i / 400)) : vowel(180, i));
    return 0.3 * edge * vowel(i < first ? 280 : 220, i);
  });
}

function vowel(pitchHz: number, i: number): number {
  let sum = 0;
  for (let n = 1; n * pitchHz < 4_000; n += 1)
    sum += Math.cos((2 * Math.PI * n * pitchHz * i) / RATE_HZ) / (1 + ((n * pitchHz - 800) / 200) ** 2);
  return sum / 2;
}

/** The spans that a recognizer with frames of 30 ms would align. */
const SPANS = [
  { from: 90 * MS, to: 360 * MS },
  { from: 360 * MS, to: 690 * MS },
];

const near = (sample: number, ms: number, withinMs: number) =>
  expect(Math.abs(sample / MS - ms), `${sample / MS} ms`).toBeLessThan(withinMs);

test('a word is cut where its sounds change, not where it was aligned', () => {
  const { units } = cutWord(recording(), ['a1', 'sa4'], SPANS, sounds);
  // The recording begins 15 ms before the word.
  const at = (ms: number) => ms - ENDS_MS[0] + 15;
  near(units[0]!.start, at(ENDS_MS[0]), 15);
  near(units[0]!.end, at(ENDS_MS[1]), 25);
  near(units[1]!.start, at(ENDS_MS[1]), 35);
  near(units[1]!.rime, at(ENDS_MS[2]), 20);
  near(units[1]!.end, at(ENDS_MS[3]), 25);
  for (const [index, pitchHz] of [280, 220].entries()) {
    const { marks, rime, end } = units[index]!;
    const inside = marks.filter((mark) => mark > rime && mark < end);
    const measuredHz = (RATE_HZ * (inside.length - 1)) / (inside.at(-1)! - inside[0]!);
    expect(measuredHz / pitchHz).toBeCloseTo(1, 1);
  }
});

test('a creaky vowel after a hiss begins where its voice does', () => {
  const { units } = cutWord(recording({ creaky: true }), ['a1', 'sa3'], SPANS, sounds);
  expect(units).toHaveLength(2);
  const at = (ms: number) => ms - ENDS_MS[0] + 15;
  near(units[0]!.end, at(ENDS_MS[1]), 25);
  near(units[1]!.rime, at(ENDS_MS[2]), 20);
  // The periods of the vowel are marked up to its end.
  near(units[1]!.marks.at(-1)!, at(ENDS_MS[3]), 30);
});

test('a syllable without a voice is refused', () => {
  const silent = recording().fill(0, 440 * MS);
  expect(() => cutWord(silent, ['a1', 'sa4'], SPANS, sounds)).toThrow('no voice');
});

function scored(labels: readonly string[], score: number, frequency: number): ScoredWord {
  const { samples, units } = cutWord(recording(), ['a1', 'sa4'], SPANS, sounds);
  const ownUnits = units
    .slice(0, labels.length)
    .map((unit, i) => ({ ...unit, label: labels.length === 1 ? labels[0]! : wordKey(labels, i) }));
  return { samples, units: ownUnits, labels, score, syllableScores: labels.map(() => score), frequency };
}

test('a voice has whole words, and lends syllables that were not recorded by themselves', async () => {
  const chosen = chooseRecordings(
    [scored(['a1', 'sa4'], 80, 1), scored(['a1'], 90, 0), scored(['a1', 'a4'], 70, 9)],
    1,
  );
  const folder = await mkdtemp(join(tmpdir(), 'word-voice-'));
  const path = join(folder, 'tiny.voice');
  await writeFile(path, buildVoice(chosen));
  const voice = await openVoice(path, sounds);
  await rm(folder, { recursive: true });
  expect(voice.findWord(['a1', 'sa4'])!.map(({ sound }) => sound.label)).toEqual(['a1.sa4/0', 'a1.sa4/1']);
  // Both words stay, because each lends a syllable.
  expect(voice.findWord(['a1', 'a4'])).not.toBeNull();
  expect(voice.findWord(['sa4', 'a1'])).toBeNull();
  const lent = voice.find('sa4', false)!.sound;
  expect(lent.label).toBe('sa4');
  const ownSound = voice.findWord(['a1', 'sa4'])![1]!.sound;
  expect([lent.start, lent.rime, lent.end]).toEqual([ownSound.start, ownSound.rime, ownSound.end]);
  expect(lent.samples).toEqual(ownSound.samples);
  voice.close();
});
