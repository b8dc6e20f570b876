import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TestAccount } from '#testbed/service/accounts.ts';
import { isSilent, outcomeOf, startSummarizing, type Summarizing } from '#test/summarizing.ts';
import { SENTENCES } from '#test/video-sentences.ts';
import type { SummaryServer } from '#test/summary-server.ts';
import { VIDEOS } from '#testbed/video-platform/catalogue.ts';
import type { Video } from '#testbed/video-platform/videos.ts';

let running: Summarizing;
let account: TestAccount;
const CATALOGUE = Object.entries<Video>(VIDEOS).filter(([, video]) => !isSilent(video));

beforeAll(async () => {
  running = await startSummarizing({
    // Long enough for a slow test machine.
    YOUTUBE_TIMEOUT_SECONDS: '100',
    // The length exceeds all captions; every strategy reads endless responses up to this size.
    YOUTUBE_MAX_ANSWER_MIB: '6',
  });
  account = await running.account();
});
afterEach(() => running.model.reset());
afterAll(() => running[Symbol.asyncDispose]());

/** The expected outcome of a video. */
const expectedOf = ({ expects }: Video) => [
  200,
  expects === 'success' ? 'success' : SENTENCES[expects as keyof typeof SENTENCES],
];

describe('the platform', () => {
  it('every failure of a video has its documented message, and only successes are charged', async () => {
    const customer = await running.account();
    const got = new Map<string, unknown>();
    const left = [...CATALOGUE];
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let next = left.pop(); next !== undefined; next = left.pop()) {
          const [name, { id }] = next;
          // Korean, because the fake model has a prepared summary for transcripts in other
          // languages.
          const answer = await running.summarize(customer, { url: id, summaryLanguage: 'korean' });
          got.set(name, outcomeOf(answer));
        }
      }),
    );
    expect(Object.fromEntries(got)).toEqual(
      Object.fromEntries(CATALOGUE.map(([name, video]) => [name, expectedOf(video)])),
    );
    const successes = CATALOGUE.filter(([, { expects }]) => expects === 'success').length;
    expect(successes).toBeGreaterThan(15);
    await running.finallyUsed(customer, successes);
    expect(running.platform.other.calls).toEqual([]);
    // The log contains the failure of every strategy.
    const reason = /"code":"caption_tracks_failed","reason":"[^"]*ANDROID: [^"]*captcha/;
    await vi.waitFor(() => expect(running.service.output()).toMatch(reason));
  });
});

/** The topic of the right summaries of the fake model. */
const TEA_HOUSES = [
  '大家好，今日我哋講下香港嘅茶餐廳，點解咁多人鍾意去，點解佢哋咁受歡迎。',
  '喺六十年代，好多人冇錢食西餐，所以先有啲平價嘅嘢食。',
  '而家舖租貴咗好多，老闆話唔知仲頂唔頂得順，好多茶餐廳都執咗笠。',
].join('\n');

type Mode = Extract<Parameters<SummaryServer['behave']>[0], string>;

const SUMMARIZING_MODES: readonly Mode[] = [
  'summarizes',
  'content-parts',
  'fenced',
  'thinks-aloud',
  'prose',
  'talks-around',
  'markdown',
  'cut-off',
  'obeys-outside',
  // Wrong in the draft, corrected in the rewrite.
  'wrong-language',
  'wrong-script',
  'wrong-wording',
];
const FAILING_MODES: readonly Mode[] = [
  'thinks-without-end',
  'empty',
  'no-message',
  'other-json',
  'no-completion',
  'refuses',
  'refuses-silently',
  'content-filter',
  'obeys-always',
  'leaks-prompt',
  'huge',
  'bad-gateway',
  'fails',
  'unauthorized',
  'busy',
  'redirects',
  'breaks-off',
];

const send = (fields: object = {}) =>
  running.summarize(account, { url: 'tea_houses1', transcript: TEA_HOUSES, ...fields });

describe('the language model', () => {
  it.each(SUMMARIZING_MODES)('%s: the summary is plain text in Cantonese', async (mode) => {
    running.model.behave(mode);
    const { body } = await send();
    expect(body).toMatchObject({ success: true, transcript: TEA_HOUSES });
    expect(body['summary']).not.toMatch(/[*#`[\](){}<>]|https?:/u);
    expect(body['summary']).toMatch(/[嘅喺咗佢哋啲冇]/u);
  });

  it.each(FAILING_MODES)('%s: the request fails with summary_failed and costs nothing', async (mode) => {
    const before = await running.used(account);
    running.model.behave(mode);
    const answer = await send();
    expect(outcomeOf(answer)).toEqual([200, SENTENCES.summary_failed]);
    expect((answer.body['error'] as { message: string }).message).toMatch(/^Failed to summarize: .{10,}\.$/);
    expect(await running.used(account)).toBe(before);
  });

  it('a summary that stays in another language after the rewrite is refused', async () => {
    running.model.behave('wrong-language');
    running.model.stubborn(true);
    for (const summaryLanguage of ['cantonese', 'mandarin', 'english', 'japanese', 'korean']) {
      const { body } = await send({ summaryLanguage });
      expect([summaryLanguage, body['message']]).toEqual([summaryLanguage, SENTENCES.summary_failed]);
    }
  });

  it('a summary that stays in the other script after the rewrite is converted', async () => {
    running.model.behave('wrong-script');
    running.model.stubborn(true);
    const [traditional, simplified] = [/[們來說為會時個過還講]/u, /[们来说为会时个过还讲]/u];
    const cantonese = (await send()).body['summary'];
    expect(cantonese).toMatch(traditional);
    expect(cantonese).not.toMatch(simplified);
    const mandarin = (await send({ summaryLanguage: 'mandarin' })).body['summary'];
    expect(mandarin).toMatch(simplified);
    expect(mandarin).not.toMatch(traditional);
  });
});
