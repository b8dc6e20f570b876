import { expect, it } from 'vitest';
import { measureVad } from './measure-vad.ts';

/** Takes every frame from the second second on for speech; its level swings, as speech does. */
async function createDetector() {
  let frame = 0;
  return {
    push() {
      frame += 1;
      const isSpeech = frame > 50;
      return [{ isVoice: isSpeech, isSpeech, levelDb: frame % 2 === 0 ? -20 : -40, periodicity: 1 }];
    },
    flush: () => [],
    close: () => {},
  };
}

it('counts missed speech and other sound that was taken, the padding of eight frames included', async () => {
  const recording = { samples: new Float32Array(48_000), speech: [{ startMs: 500, endMs: 2_000 }] };
  const { cpuSeconds, ...error } = await measureVad([recording, recording], createDetector);
  expect(error).toEqual({ speechMs: 3_000, missedMs: 680, otherMs: 3_000, takenMs: 2_000 });
  expect(cpuSeconds).toBeGreaterThanOrEqual(0);
});
