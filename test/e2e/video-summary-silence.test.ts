import { afterAll, beforeAll, expect, it } from 'vitest';
import { isSilent, outcomeOf, startSummarizing, type Summarizing } from '#test/summarizing.ts';
import { SENTENCES } from '#test/video-sentences.ts';
import { VIDEOS } from '#testbed/video-platform/catalogue.ts';
import type { Video } from '#testbed/video-platform/videos.ts';

let running: Summarizing;
beforeAll(async () => {
  running = await startSummarizing({
    YOUTUBE_RECOGNIZE_AUDIO: 'true',
    YOUTUBE_TIMEOUT_SECONDS: '0.5',
    LLM_TIMEOUT_SECONDS: '0.5',
  });
});
afterAll(() => running[Symbol.asyncDispose]());

it('every strategy times out on a platform that never completes its responses, at no cost', async () => {
  const silent = Object.entries<Video>(VIDEOS).filter(([, video]) => isSilent(video));
  expect(silent.length).toBeGreaterThan(5);
  const account = await running.account();
  const answers = await Promise.all(silent.map(([, { id }]) => running.summarize(account, { url: id })));
  // On a slow machine an earlier step may time out, which gives the other error.
  const timeoutMessages = [SENTENCES.caption_tracks_failed, SENTENCES.transcript_download_failed];
  const wrong = silent.filter((_, index) => {
    const [status, message] = outcomeOf(answers[index]!);
    return status !== 200 || !timeoutMessages.some((timeoutMessage) => timeoutMessage === message);
  });
  expect(wrong.map(([name]) => name)).toEqual([]);
  await running.finallyUsed(account, 0);
  // The connections were closed by the service.
  expect(running.platform.abandoned()).toBeGreaterThan(0);
});

it('a language model that never responds times out at no cost', async () => {
  running.model.behave('never');
  const account = await running.account();
  const fields = { url: VIDEOS.captionsNever.id, transcript: 'It rained all day long.', summaryLanguage: 'english' };
  expect(outcomeOf(await running.summarize(account, fields))).toEqual([200, SENTENCES.summary_failed]);
  await running.finallyUsed(account, 0);
});
