import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Synthesizer } from '@jyutsing/contracts/synthesizer';
import { openAcousticModel, type AcousticModel } from '#engines/builtin/acoustic-model.ts';
import { modelFiles } from '#engines/builtin/model-files.ts';
import type { ToneAnswer, ToneQuestion } from '#engines/builtin/pronunciation/types.ts';
import { openEngine, piece, request, say, speakerProfile, words } from '#test/espeak-utterances.ts';
import { resample } from '#testbed/sound/espeak-speech.ts';
import { createToneJudge } from './create-tone-judge.ts';

const SENTENCES = {
  cantonese: ['gam1 jat6 tin1 hei3 hou2 hou2', 'ngo5 dei6 heoi3 gung1 jyun2 haang4', 'nei5 sik6 zo2 faan6 mei6 aa3'],
  mandarin: ['jin1 tian1 tian1 qi4 hen3 hao3', 'ta1 zuo2 tian1 qu4 bei3 jing1', 'zhe4 tiao2 lu4 wan3 shang4 hen3'],
} as const;
type Language = keyof typeof SENTENCES;

const judge = { cantonese: createToneJudge('cantonese', 'models'), mandarin: createToneJudge('mandarin', 'models') };
const models = new Map<Language, AcousticModel>();

let engine: Synthesizer;

beforeAll(async () => {
  engine = await openEngine();
  for (const language of ['cantonese', 'mandarin'] as const) {
    const { acoustic, description } = modelFiles('models', language);
    models.set(language, await openAcousticModel({ acoustic, description }));
  }
});
afterAll(async () => {
  for (const model of models.values()) await model.close();
});

/** Judges a sentence synthesized with a shipped voice, with the synthesizer's times. */
async function judgeSpoken(language: Language, text: string, pitchMedianHz: number) {
  const model = models.get(language)!;
  const voice = { id: 'test', profile: { ...speakerProfile, pitchMedianHz }, reference: null };
  const spoken = await say(engine, request([piece(words(language, ...text.split(' ')))], { language, voice }));
  const samples = resample(spoken.samples, 24_000, 16_000);
  const { posteriors, pitch: framePitch } = await model.computeWithPitch(samples);
  const { tones, frameMs } = model.labels;
  const questions = spoken.words.map(({ word: { startMs, endMs } }, index): ToneQuestion => {
    const reading = text.split(' ')[index]!;
    const startFrame = Math.floor(startMs / frameMs);
    const endFrame = Math.max(startFrame + 2, Math.min(posteriors.frameCount, Math.ceil(endMs / frameMs)));
    const modelLogp = Array.from({ length: tones }, (_, tone) => {
      let sum = 0;
      for (let frame = startFrame; frame < endFrame; frame++) sum += posteriors.toneLogp[frame * tones + tone] ?? 0;
      return sum / (endFrame - startFrame);
    });
    const rime = reading.replace(/\d$/, '');
    return { expected: [Number(reading.at(-1))], rime, startFrame, endFrame, modelLogp };
  });
  return {
    questions,
    answers: judge[language](questions, { samples, labels: model.labels, posteriors, pitch: framePitch }).answers,
  };
}

const accepted = ({ logp }: ToneAnswer, tone: number): boolean => logp[tone - 1]! > Math.log(0.2);

test.each([
  ['cantonese', 115],
  ['cantonese', 220],
  ['mandarin', 115],
  ['mandarin', 220],
] as const)('%s tones of our own voice at %i Hz are accepted, and others are not', async (language, pitch) => {
  let right = 0;
  let wrong = 0;
  let count = 0;
  for (const text of SENTENCES[language]) {
    const { questions, answers } = await judgeSpoken(language, text, pitch);
    questions.forEach(({ expected: [tone] }, at) => {
      count += 1;
      right += Number(accepted(answers[at]!, tone!));
      wrong += Number(accepted(answers[at]!, (tone! % 4) + 1));
    });
  }
  expect(count).toBe(18);
  expect(right).toBeGreaterThanOrEqual(15);
  expect(wrong).toBeLessThanOrEqual(4);
});
