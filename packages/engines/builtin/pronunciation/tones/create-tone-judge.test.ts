import { describe, expect, test } from 'vitest';
import type { SpeakerRegister } from '@jyutsing/contracts/pronunciation';
import type { AcousticAnalysis, ToneQuestion } from '#engines/builtin/pronunciation/types.ts';
import { createToneJudge } from './create-tone-judge.ts';

const RATE_HZ = 16_000;
const FRAME_MS = 30;
const LABELS = { frameMs: FRAME_MS, onsets: [], rimes: ['aa'], phones: [] };
const judges = {
  cantonese: createToneJudge('cantonese', 'models'),
  mandarin: createToneJudge('mandarin', 'models'),
};
const TONES = { cantonese: 6, mandarin: 5 };
type Language = keyof typeof judges;

/**
 * Synthesizes harmonics of a pitch that passes through points (semitones above a register) in each
 * syllable, with silence between.
 */
function hum(
  registerHz: number,
  syllables: readonly (readonly number[] | null)[],
  syllableMs = 300,
  gapMs = 40,
): Float32Array {
  const gap = (gapMs * RATE_HZ) / 1_000;
  const length = (syllableMs * RATE_HZ) / 1_000;
  const samples = new Float32Array(syllables.length * (length + gap) + gap);
  syllables.forEach((points, index) => {
    let phase = 0;
    if (points === null) return;
    for (let i = 0; i < length; i++) {
      const at = (i / length) * (points.length - 1);
      const before = Math.floor(at);
      const semitonesBefore = points[before]!;
      const semitones = semitonesBefore + ((points[before + 1] ?? semitonesBefore) - semitonesBefore) * (at - before);
      const hz = registerHz * 2 ** (semitones / 12);
      phase += (2 * Math.PI * hz) / RATE_HZ;
      const edge = Math.min(1, i / 320, (length - i) / 320);
      let value = 0;
      for (let harmonic = 1; harmonic * hz < 3_500; harmonic++) value += Math.cos(harmonic * phase) / harmonic;
      samples[gap + index * (length + gap) + i] = 0.1 * edge * value;
    }
  });
  return samples;
}

function ask(
  language: Language,
  registerHz: number,
  melody: readonly (readonly number[] | null)[],
  expected: readonly number[],
  modelLogp?: readonly number[],
) {
  return judgeMelody(language, registerHz, melody, expected, { modelLogp }).answers;
}

function judgeMelody(
  language: Language,
  registerHz: number,
  melody: readonly (readonly number[] | null)[],
  expected: readonly number[],
  {
    modelLogp,
    known: knownRegister = null,
  }: { modelLogp?: readonly number[] | undefined; known?: SpeakerRegister | null } = {},
) {
  const samples = hum(registerHz, melody);
  const tones = TONES[language];
  const questions = melody.map((_, index): ToneQuestion => {
    const startFrame = Math.round((40 + index * 340) / FRAME_MS);
    return {
      expected: [expected[index]!],
      rime: 'aa',
      startFrame,
      endFrame: startFrame + 9,
      modelLogp: modelLogp ?? Array.from({ length: tones }, () => -Math.log(tones)),
    };
  });
  return judges[language](questions, analysisOf(samples, tones), knownRegister);
}

function analysisOf(samples: Float32Array, tones: number): AcousticAnalysis {
  const frameCount = Math.ceil(samples.length / ((RATE_HZ * FRAME_MS) / 1_000));
  const posteriors = {
    frameCount,
    symbolLogp: new Float32Array(frameCount * 2),
    toneLogp: new Float32Array(frameCount * tones),
  };
  return { samples, labels: { ...LABELS, tones }, posteriors, pitch: new Float32Array(frameCount * 2) };
}

const likeliest = ({ logp }: { logp: readonly number[] }): number => logp.indexOf(Math.max(...logp)) + 1;

const CANTONESE = {
  1: [5, 5, 5],
  2: [-4.5, -4.5, 0, 4.5, 5],
  3: [0.7, 0.6, 0.5],
  4: [-3, -5, -7],
  5: [-3.8, -3.5, -1, 0.6, 0.8],
  6: [-1.8, -2.1, -2.3],
} as const;

const MANDARIN = {
  1: [3.5, 3.4, 3.5],
  2: [-2.5, -2.5, -1.5, 0.5, 3],
  3: [-2, -4.5, -5.5, -5.5, -4],
  4: [5, 4.5, 2, -1, -3.5],
} as const;

describe('tones of a sentence', () => {
  test.each([95, 125, 180, 240, 320])('Cantonese tones are recognized in a voice of %i Hz', (registerHz) => {
    const spoken = [1, 3, 6, 4, 2, 5] as const;
    const answers = ask(
      'cantonese',
      registerHz,
      spoken.map((tone) => CANTONESE[tone]),
      spoken,
    );
    expect(answers.map(likeliest)).toEqual(spoken);
  });

  test.each([95, 125, 180, 240, 320])('Mandarin tones are recognized in a voice of %i Hz', (registerHz) => {
    const spoken = [1, 4, 2, 3] as const;
    const answers = ask(
      'mandarin',
      registerHz,
      spoken.map((tone) => MANDARIN[tone]),
      spoken,
    );
    expect(answers.map(likeliest)).toEqual(spoken);
  });

  test('a level tone at the wrong height is not right because it is expected', () => {
    const melody = [CANTONESE[2], CANTONESE[4], CANTONESE[5], CANTONESE[6], CANTONESE[2]];
    const [, , , level] = ask('cantonese', 150, melody, [2, 4, 5, 1, 2]);
    expect(likeliest(level!)).toBe(6);
    expect(level!.logp[0]).toBeLessThan(Math.log(0.05));
  });

  test('a voice an octave higher is judged the same', () => {
    const spoken = [3, 1, 4, 6] as const;
    const melody = spoken.map((tone) => CANTONESE[tone]);
    const low = ask('cantonese', 120, melody, spoken);
    const high = ask('cantonese', 240, melody, spoken);
    low.forEach(({ logp, contourSemitones }, at) => {
      expect(likeliest(high[at]!)).toBe(likeliest({ logp }));
      contourSemitones.forEach((value, point) =>
        expect(Math.abs(value - high[at]!.contourSemitones[point]!)).toBeLessThan(1),
      );
    });
  });

  test('contours are semitones around the register', () => {
    const spoken = [1, 3, 6, 4] as const;
    const [high, , , low] = ask(
      'cantonese',
      200,
      spoken.map((tone) => CANTONESE[tone]),
      spoken,
    );
    expect(high!.contourSemitones[3]).toBeGreaterThan(3);
    expect(high!.contourSemitones[3]).toBeLessThan(7);
    expect(low!.contourSemitones.at(-1)).toBeLessThan(low!.contourSemitones[0]! - 2);
  });
});

describe('a neutral tone', () => {
  const RISING = [-1.9, -1.4, -0.9, -0.2, 0.7];
  const FALLING = [-1.5, -2.5, -3, -3.5, -3.7];
  /** Log-probabilities of an acoustic model that recognizes neutral tones rarely. */
  const ACOUSTIC = [-1.3, -1.3, -1.3, -1.3, -3.3];
  const neutralAfter = (tone: 1 | 3 | 4, contour: readonly number[], modelLogp: readonly number[] = ACOUSTIC) => {
    const melody = [...([1, 4, 2, tone] as const).map((precedingTone) => MANDARIN[precedingTone]), contour];
    return ask('mandarin', 200, melody, [1, 4, 2, tone, 5], modelLogp).at(-1)!;
  };

  test('rises after a third tone, and falls after others', () => {
    expect(likeliest(neutralAfter(3, RISING))).toBe(5);
    expect(neutralAfter(1, FALLING).logp[4]).toBeGreaterThan(Math.log(0.3));
    expect(neutralAfter(4, RISING).logp[4]).toBeLessThan(neutralAfter(3, RISING).logp[4]! - 0.5);
    expect(neutralAfter(3, FALLING).logp[4]).toBeLessThan(neutralAfter(1, FALLING).logp[4]!);
  });

  test('is another tone where that was said instead', () => {
    expect(neutralAfter(3, MANDARIN[4]).logp[4]).toBeLessThan(Math.log(0.1));
    expect(neutralAfter(3, MANDARIN[1]).logp[4]).toBeLessThan(Math.log(0.2));
    expect(neutralAfter(1, MANDARIN[2]).logp[4]).toBeLessThan(Math.log(0.2));
  });

  test('needs less of the acoustic model where it is expected', () => {
    const acoustic = [-6, -6, -4, -0.1, -3.5];
    expect(likeliest(neutralAfter(1, FALLING, acoustic))).toBe(5);
  });
});

describe('a lone syllable', () => {
  test('contours are recognized independent of the expected tone', () => {
    for (const expected of [1, 2, 3, 4, 5, 6]) {
      expect(likeliest(ask('cantonese', 210, [CANTONESE[2]], [expected])[0]!)).toBe(2);
      expect(likeliest(ask('cantonese', 210, [CANTONESE[4]], [expected])[0]!)).toBe(4);
    }
  });

  test('the expected tone does not change the recognized one', () => {
    const [first] = ask('cantonese', 210, [CANTONESE[3]], [1]);
    const [second] = ask('cantonese', 210, [CANTONESE[3]], [6]);
    first!.logp.forEach((value, at) => expect(value).toBeCloseTo(second!.logp[at]!, 6));
  });

  test('the height of a level tone is uncertain, not ignored', () => {
    const [high] = ask('cantonese', 360, [[0, 0]], [3]);
    const [low] = ask('cantonese', 105, [[0, 0]], [3]);
    expect(high!.logp[0]).toBeGreaterThan(high!.logp[5]!);
    expect(low!.logp[5]).toBeGreaterThan(low!.logp[0]!);
  });
});

describe('the register of earlier recordings', () => {
  const sentence = [1, 3, 6, 4, 2] as const;
  const registerOf = (registerHz: number) =>
    judgeMelody(
      'cantonese',
      registerHz,
      sentence.map((tone) => CANTONESE[tone]),
      sentence,
    ).register;

  test('is measured in semitones, and is surer the more was spoken', () => {
    const first = judgeMelody('cantonese', 200, [CANTONESE[3]], [3]).register!;
    const five = registerOf(200)!;
    expect(Math.abs(five.semitones - 12 * Math.log2(200))).toBeLessThan(1.5);
    expect(five.deviation).toBeLessThan(first.deviation);
    const third = judgeMelody('cantonese', 200, [CANTONESE[3]], [3], { known: five }).register!;
    expect(third.deviation).toBeLessThan(first.deviation / 2);
  });

  test.each([1, 3, 6] as const)('tells that a lone level tone is %i', (tone) => {
    const knownRegister = registerOf(200);
    for (const expected of [1, 3, 6]) {
      const { answers } = judgeMelody('cantonese', 200, [CANTONESE[tone]], [expected], { known: knownRegister });
      expect(likeliest(answers[0]!)).toBe(tone);
    }
  });

  test('of another person does not mislead about a sentence', () => {
    const knownRegister = registerOf(110);
    const melody = sentence.map((tone) => CANTONESE[tone]);
    const { answers, register } = judgeMelody('cantonese', 240, melody, sentence, { known: knownRegister });
    expect(answers.map(likeliest)).toEqual(sentence);
    expect(Math.abs(register!.semitones - 12 * Math.log2(240))).toBeLessThan(1.5);
  });

  test('is unknown without a voiced syllable', () => {
    expect(judgeMelody('cantonese', 150, [null], [1]).register).toBeNull();
  });
});

describe('unmeasurable input', () => {
  test('no questions have no answers', () => {
    expect(judges.cantonese([], analysisOf(new Float32Array(1_600), 6))).toEqual({ answers: [], register: null });
  });

  test('without voicing the acoustic model decides, and there is no contour', () => {
    const acoustic = [-6, -0.1, -4, -5, -3, -6];
    const [voiceless] = ask('cantonese', 150, [null], [1], acoustic);
    expect(voiceless!.contourSemitones).toEqual([]);
    expect(likeliest(voiceless!)).toBe(2);
    expect(voiceless!.logp.reduce((sum, value) => sum + Math.exp(value), 0)).toBeCloseTo(1);
  });

  test.each<[string, Float32Array]>([
    ['silence', new Float32Array(16_000)],
    ['one sample', new Float32Array(1).fill(0.5)],
    ['no sound', new Float32Array(0)],
    ['a click', Float32Array.from({ length: 8_000 }, (_, i) => (i === 4_000 ? 1 : 0))],
    ['a full square wave', Float32Array.from({ length: 8_000 }, (_, i) => (i % 160 < 80 ? 1 : -1))],
    ['noise', Float32Array.from({ length: 8_000 }, (_, i) => Math.sin(i * i * 12.9898) * 0.3)],
  ])('%s gives probabilities, never NaN', (_, samples) => {
    for (const language of ['cantonese', 'mandarin'] as const) {
      const tones = TONES[language];
      const analysis = analysisOf(samples, tones);
      const questions: ToneQuestion[] = [
        {
          expected: [1],
          rime: 'ak',
          startFrame: 0,
          endFrame: 1,
          modelLogp: Array.from({ length: tones }, () => -Infinity),
        },
        { expected: [], rime: 'a', startFrame: 1, endFrame: 1, modelLogp: [] },
        {
          expected: [9, 2],
          rime: 'a',
          startFrame: 400,
          endFrame: 500,
          modelLogp: Array.from({ length: tones }, () => -1),
        },
      ];
      for (const { logp, contourSemitones } of judges[language](questions, analysis).answers) {
        expect(logp).toHaveLength(tones);
        expect([...logp, ...contourSemitones].every(Number.isFinite)).toBe(true);
        expect(logp.reduce((sum, value) => sum + Math.exp(value), 0)).toBeCloseTo(1);
      }
    }
  });

  test('missing models are reported', () => {
    expect(() => createToneJudge('cantonese', 'nowhere')).toThrow(
      expect.objectContaining({ code: 'engine_unavailable' }),
    );
  });
});
