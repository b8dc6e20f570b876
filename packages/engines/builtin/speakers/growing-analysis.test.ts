import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { createActivityTrack } from '@jyutsing/audio/speaker-clustering/frames';
import { resample } from '#testbed/sound/espeak-speech.ts';
import { speakDialogue } from '#test/spoken-dialogue.ts';
import { analyzeRecording } from './analyze-recording.ts';
import { createGrowingAnalysis } from './growing-analysis.ts';
import { openSpeakerModels } from './models.ts';
import { DIARIZATION_OPTIONS } from './options.ts';

const SHIPPED = resolve(import.meta.dirname, '../../../../models');
const RATE_HZ = 16_000;
const never = new AbortController().signal;
const { analysis: RULES } = DIARIZATION_OPTIONS;

it('a growing recording is analyzed as a whole one, and its sound only once', async () => {
  const models = await openSpeakerModels(SHIPPED);
  let analyzedSamples = 0;
  const counted = {
    ...models,
    activity: (samples: Float32Array) => {
      analyzedSamples += samples.length;
      return models.activity(samples);
    },
  };
  const { dialogue } = await speakDialogue();
  const once = resample(dialogue.channels[0]!, dialogue.sampleRateHz, RATE_HZ);
  const sound = joinSamples([once, once, once]);
  const analyze = createGrowingAnalysis(counted, RULES);
  const steps = Array.from({ length: 12 }, (_, index) => Math.round((sound.length * (index + 1)) / 12));
  for (const end of steps.slice(0, -1)) await analyze(sound.slice(0, end), 0, never);
  const grown = await analyze(sound, 0, never);

  const whole = { track: createActivityTrack(), windows: [] as typeof grown.windows };
  async function* chunks() {
    yield { samples: sound, sampleRateHz: RATE_HZ, startMs: 0 };
  }
  for await (const _ of analyzeRecording(chunks(), models, RULES, whole, never));
  const spans = (windows: typeof grown.windows) => windows.map(({ fromFrame, toFrame }) => [fromFrame, toFrame]);
  expect(grown.firstFrame).toBe(0);
  expect(whole.windows.length).toBeGreaterThan(5);
  expect(spans(grown.windows)).toEqual(spans(whole.windows));
  // With the context on both sides of each step; beginning anew takes 6.5 times the sound.
  expect(analyzedSamples / sound.length).toBeLessThan(3.5);

  // A stretch that begins later has what an earlier one found, from its first frame on.
  const later = await analyze(sound.slice(sound.length / 2), (sound.length / 2 / RATE_HZ) * 1_000, never);
  const moved = later.windows.map(({ fromFrame }) => fromFrame + later.firstFrame);
  expect(moved.every((frame) => frame >= later.firstFrame)).toBe(true);
  const expected = whole.windows.filter(({ fromFrame }) => fromFrame >= later.firstFrame).length;
  expect(moved).toHaveLength(expected);
  await models.close();
});
