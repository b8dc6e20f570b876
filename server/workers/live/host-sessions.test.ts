import { expect, it, onTestFinished, vi } from 'vitest';
import { FairScheduler } from '@jyutsing/concurrency/fair-scheduler';
import type { Recognizer } from '@jyutsing/contracts/recognizer';
import { resample, speak } from '#testbed/sound/espeak-speech.ts';
import { COUNTING_RECOGNIZER } from '#test/http/live-here.ts';
import { recognizeLiveWith } from '#test/live-here.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';

const never = new AbortController().signal;

it('accounts take turns, however many sessions one of them has', async () => {
  const mayGoOn = Promise.withResolvers<void>();
  const recognizer: Recognizer = {
    ...COUNTING_RECOGNIZER,
    async *recognize(audio, options, signal) {
      await mayGoOn.promise;
      yield* COUNTING_RECOGNIZER.recognize(audio, options, signal);
    },
  };
  // Turns, not recognitions: an update whose piece is complete by then recognizes nothing.
  const names: string[] = [];
  const turns: string[] = [];
  const { acquire } = FairScheduler.prototype;
  const acquired = vi.spyOn(FairScheduler.prototype, 'acquire');
  acquired.mockImplementation(async function (this: FairScheduler, slot, signal) {
    names.push(slot.accountId);
    const release = await acquire.call(this, slot, signal);
    turns.push(slot.accountId);
    return release;
  });
  onTestFinished(() => acquired.mockRestore());
  const live = recognizeLiveWith(recognizer);
  const { channels, sampleRateHz } = await speak('hoeng1 gong2 jan4');
  const sentence = resample(channels[0]!, sampleRateHz, 16_000);
  const speakInto = async (accountId: string) => {
    const models = recognizerModels(recognizerRef('any'));
    const session = live.open({ accountId, models, context: null, turnDetection: null }, never);
    const events = Array.fromAsync(session.events);
    await session.write(sentence);
    session.end();
    return { events };
  };
  const sessions = [];
  for (const accountId of ['a', 'a', 'a', 'a', 'b']) sessions.push(await speakInto(accountId));
  // All wait for the first, that of the other account too.
  await expect.poll(() => names).toContain('b');
  expect(turns).toEqual(['a']);
  mayGoOn.resolve();
  for (const { events } of sessions) expect((await events).at(-1)).toMatchObject({ type: 'segment-end' });
  expect(turns.slice(0, 2)).toEqual(['a', 'b']);
  expect(turns.filter((accountId) => accountId === 'a').length).toBeGreaterThanOrEqual(4);
});
