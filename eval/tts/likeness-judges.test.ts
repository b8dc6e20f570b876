import { afterAll, beforeAll, expect, test } from 'vitest';
import { resample } from '#packages/audio/vocoder/resample.ts';
import { speak } from '#testbed/sound/espeak-speech.ts';
import { JUDGED_RATE_HZ } from './human-likeness.ts';
import { firstSpeech } from './likeness-clips.ts';
import { openLikenessJudges, type LikenessJudge } from './likeness-judges.ts';

let judges: LikenessJudge[];
beforeAll(async () => {
  judges = await openLikenessJudges();
});
afterAll(async () => {
  for (const judge of judges) await judge.close();
});

test('the stored judges do not take espeak-ng for a person, however loud', async () => {
  const { channels, sampleRateHz } = await speak('gam1 jat6 tin1 hei3 hou2 hou2 , ngo5 dei6 heoi3 sik6 faan6');
  const clip = firstSpeech(resample(channels[0]!, sampleRateHz, JUDGED_RATE_HZ));
  for (const judge of judges) {
    const score = await judge.score(clip);
    expect(score).toBeLessThan(0.3);
    expect(await judge.score(clip.map((sample) => 0.1 * sample))).toBeCloseTo(score, 1);
  }
});

test('there are two kinds of judges', () => {
  expect(judges.map(({ name }) => name)).toEqual(['statistics', 'network']);
});

test('silence has a score, too', async () => {
  for (const judge of judges) expect(await judge.score(new Float32Array(JUDGED_RATE_HZ))).toBeGreaterThanOrEqual(0);
});

test('a missing network is named', async () => {
  await expect(openLikenessJudges('/nowhere')).rejects.toMatchObject({ code: 'ENOENT' });
});
