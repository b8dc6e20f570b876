import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TestAccount } from '#testbed/service/accounts.ts';
import { isSilent, outcomeOf, startSummarizing, type Summarizing } from '#test/summarizing.ts';
import { SENTENCES } from '#test/video-sentences.ts';
import { VIDEOS } from '#testbed/video-platform/catalogue.ts';
import { WITHOUT_CAPTIONS } from '#testbed/video-platform/catalogue-sound.ts';
import type { Video } from '#testbed/video-platform/videos.ts';

/** Videos without captions whose audio cannot be downloaded or contains no speech. */
const WITHOUT_SPEECH = Object.entries<Video>(WITHOUT_CAPTIONS).filter(
  ([name, video]) => name !== 'noCaptions' && !isSilent(video),
);

let running: Summarizing;
let account: TestAccount;
beforeAll(async () => {
  running = await startSummarizing({
    LLM_BASE_URL: '',
    LLM_MODEL: '',
    YOUTUBE_RECOGNIZE_AUDIO: 'true',
    YOUTUBE_RECOGNIZE_MAX_SECONDS: '60',
    // Long enough for a slow test machine.
    YOUTUBE_TIMEOUT_SECONDS: '100',
  });
  account = await running.account();
});
afterEach(() => running.platform.clearRequests());
afterAll(() => running[Symbol.asyncDispose]());

const summarize = (fields: object) => running.summarize(account, fields);
const LANGUAGES = ['cantonese', 'mandarin', 'english', 'japanese', 'korean'];

describe('without a language model', () => {
  it.each([
    ['cantonese', VIDEOS.cantoneseTalk, ['cantonese', 'mandarin']],
    ['automatic Cantonese', VIDEOS.cantoneseAutomatic, ['cantonese', 'mandarin']],
    ['written Chinese', VIDEOS.chineseReport, ['cantonese', 'mandarin']],
    ['mandarin', VIDEOS.mandarinLecture, ['cantonese', 'mandarin']],
    ['english', VIDEOS.englishTalk, ['english']],
    ['automatic English', VIDEOS.englishAutomatic, ['english']],
    ['japanese', VIDEOS.japaneseTalk, ['japanese']],
    ['korean', VIDEOS.koreanTalk, ['korean']],
  ] as const)('a video in %s is summarized in its own language and refused in others', async (_, video, served) => {
    const before = await running.used(account);
    for (const summaryLanguage of LANGUAGES) {
      const answer = await summarize({ url: video.id, summaryLanguage });
      const isServed = served.some((language) => language === summaryLanguage);
      const expected = [summaryLanguage, 200, isServed ? 'success' : SENTENCES.summary_failed];
      expect([summaryLanguage, ...outcomeOf(answer)]).toEqual(expected);
      if (!isServed) continue;
      const { transcript, summary } = answer.body as { transcript: string; summary: string };
      expect(summary.length).toBeGreaterThan(20);
      expect(summary.length).toBeLessThan(transcript.length / 2);
    }
    await running.finallyUsed(account, before + served.length);
  });

  it('Chinese summaries have the requested script, whatever the script of the captions', async () => {
    for (const { id } of [VIDEOS.cantoneseTalk, VIDEOS.mandarinLecture]) {
      const traditional = (await summarize({ url: id, summaryLanguage: 'cantonese' })).body['summary'];
      const simplified = (await summarize({ url: id, summaryLanguage: 'mandarin' })).body['summary'];
      expect(traditional).not.toMatch(/[这们来说为会时个过还]/u);
      expect(simplified).not.toMatch(/[這們來說為會時個過還]/u);
    }
  });

  it('a refusal keeps the sentence of the interface and says why in error.message', async () => {
    const { body } = await summarize({ url: VIDEOS.englishTalk.id, summaryLanguage: 'korean' });
    expect(body).toMatchObject({ success: false, message: 'Failed to summarize', error: { code: 'summary_failed' } });
    expect((body['error'] as { message: string }).message).toMatch(
      /^Failed to summarize: LLM_BASE_URL and LLM_MODEL are not set: .* cannot write Korean from .* English\.$/,
    );
  });

  it('the log of a refusal names the settings to change and the request ID', async () => {
    const { headers, body } = await summarize({ url: VIDEOS.englishTalk.id, summaryLanguage: 'korean' });
    const lineOf = () =>
      running.service
        .output()
        .split('\n')
        .find((line) => line.includes(String(body['request_id'])));
    const line = await vi.waitUntil(lineOf);
    expect(headers.get('x-request-id')).toBe(body['request_id']);
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      code: 'summary_failed',
      reason: expect.stringMatching(/LLM_BASE_URL.*Korean.*English/),
    });
  });

  it('a transcript of 30,000 words is summarized with its own sentences', async () => {
    const { body } = await summarize({ url: VIDEOS.threeHours.id, summaryLanguage: 'english' });
    expect(body).toMatchObject({ success: true, subtitleLanguage: 'English' });
    const [first = ''] = String(body['summary']).split(/(?<=[.!?])\s/u);
    expect(String(body['transcript']).replaceAll(/\s+/gu, ' ')).toContain(first.replaceAll(/\s+/gu, ' '));
    expect(String(body['summary']).length).toBeLessThan(4_001);
  });
});

describe('a video without captions', () => {
  it('is transcribed by speech recognition, which the response states', async () => {
    const { body } = await summarize({ url: VIDEOS.noCaptions.id });
    expect(body).toMatchObject({
      success: true,
      title: VIDEOS.noCaptions.title,
      subtitleLanguage: 'Cantonese (speech recognition)',
      transcript: expect.stringMatching(/天氣.*海邊/su),
      lineStarts: expect.toSatisfy(
        (starts: number[]) => starts.length === String(body['transcript']).split('\n').length,
      ),
      summary: expect.stringMatching(/\p{Script=Han}{4}/u),
    });
    const sounds = running.platform.requestsAt('sound').length;
    // The transcript is cached: the audio is not downloaded again.
    expect((await summarize({ url: VIDEOS.noCaptions.id, summaryLanguage: 'mandarin' })).body).toMatchObject({
      success: true,
      transcript: body['transcript'],
    });
    expect(running.platform.requestsAt('sound')).toHaveLength(sounds);
  });

  it('without downloadable audio or without speech is refused free of charge', async () => {
    const poor = await running.account();
    const answers = await Promise.all(WITHOUT_SPEECH.map(([, { id }]) => running.summarize(poor, { url: id })));
    expect(answers.map((answer, i) => [WITHOUT_SPEECH[i]![0], ...outcomeOf(answer)])).toEqual(
      WITHOUT_SPEECH.map(([name, { expects, expectsWithRecognition = expects }]) => [
        name,
        200,
        SENTENCES[expectsWithRecognition as keyof typeof SENTENCES],
      ]),
    );
    await running.finallyUsed(poor, 0);
    expect(running.platform.other.calls).toEqual([]);
  });
});
