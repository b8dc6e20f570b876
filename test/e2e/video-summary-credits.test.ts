import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TestAccount } from '#test/accounts.ts';
import type { Answer } from '#test/service.ts';
import { FEW_CREDITS, outcomeOf, startSummarizing, type Summarizing } from '#test/summarizing.ts';
import { SENTENCES } from '#test/video-sentences.ts';
import { VIDEOS } from '#test/video-platform/catalogue.ts';

const REQUESTS = 500;
const AT_A_TIME = 50;
const TALKS = [VIDEOS.englishTalk, VIDEOS.chineseReport, VIDEOS.koreanTalk];

let running: Summarizing;
beforeAll(async () => {
  // No time limit may end what a test waits for.
  running = await startSummarizing({ LOG_LEVEL: 'fatal', YOUTUBE_TIMEOUT_SECONDS: '600', LLM_TIMEOUT_SECONDS: '600' });
  // What the model does, its transcript says.
  running.model.behave(({ user }) => (user.includes('REFUSE') ? 'refuses' : 'summarizes'));
  // Known from here on, so that of the mixed requests only those with transcripts of their own ask the model.
  const account = await running.account();
  await Promise.all(TALKS.map(({ id }) => running.summarize(account, { url: id, summaryLanguage: 'japanese' })));
});
afterAll(() => running[Symbol.asyncDispose]());

/** A transcript of its own for each: nothing is known already, so each needs the model. */
const transcriptOf = (what: string) =>
  `${what} It rained all day long in ${crypto.randomUUID()}. The river rose. Nobody was hurt.`;
/** The captions of this one never come: who asks for it can only leave. */
const NEVER = VIDEOS.captionsNever.id;

type Ask = { fields: object; ends: readonly [number, string] | 'left'; key?: string };

/** Of ten requests three succeed, two of them by the model. */
function mixed(index: number): Ask {
  const english = { summaryLanguage: 'english' };
  const kinds: readonly Ask[] = [
    { fields: { url: NEVER, transcript: transcriptOf(''), ...english }, ends: [200, 'success'] },
    { fields: { url: TALKS[index % 3]!.id, summaryLanguage: 'japanese' }, ends: [200, 'success'] },
    { fields: { url: VIDEOS.silent.id }, ends: [200, SENTENCES.no_subtitles] },
    { fields: { url: VIDEOS.private.id }, ends: [200, SENTENCES.caption_tracks_failed] },
    { fields: { url: NEVER }, ends: 'left' },
    { fields: { url: NEVER, transcript: transcriptOf('REFUSE.'), ...english }, ends: [200, SENTENCES.summary_failed] },
    { fields: { url: VIDEOS.onlyMusic.id }, ends: [200, SENTENCES.empty_transcript] },
    { fields: { url: NEVER, transcript: transcriptOf(''), ...english }, ends: [200, 'success'] },
    { fields: { url: 'https://vimeo.com/76979871' }, ends: [200, SENTENCES.invalid_video_link] },
    index % 20 < 10
      ? { fields: { url: '' }, ends: [400, 'The field "url" is empty.'] }
      : { fields: { url: NEVER }, key: 'jyut_nonsense', ends: [401, 'This API key is not known or was revoked.'] },
  ];
  return kinds[index % kinds.length]!;
}

/** What a client sees in the end; null where the connection broke. */
async function outcome(account: TestAccount, { fields, ends, key = account.key }: Ask): Promise<unknown> {
  const leaving = ends === 'left' ? { signal: AbortSignal.timeout(50) } : {};
  return running.summarize({ key }, fields, leaving).then(outcomeOf, () => (ends === 'left' ? 'left' : null));
}

/** A number that the database knows. */
function counted(query: string, ...parameters: string[]): unknown {
  const database = new Database(join(running.dataDir, 'jyutsing.db'), { readonly: true });
  try {
    return database
      .prepare(query)
      .pluck()
      .get(...parameters);
  } finally {
    database.close();
  }
}

/** Credits that are neither settled nor given back. */
const heldCredits = () => counted('select count(*) from quota_reservations where given_back = 0');

it(`${REQUESTS} mixed requests, ${AT_A_TIME} at a time, and a kill while ${AT_A_TIME} are being worked on: what clients got is what was charged`, async () => {
  const account = await running.account();
  const left = Array.from({ length: REQUESTS }, (_, index) => mixed(index));
  const wrong: unknown[] = [];
  let successes = 0;
  let broken = 0;
  const work = async () => {
    for (let ask = left.pop(); ask !== undefined; ask = left.pop()) {
      // From here on each answer of the model is held back, until every client waits for one.
      if (left.length === REQUESTS / 2) running.model.hold();
      const got = await outcome(account, ask);
      if (got === null) {
        broken += 1;
        await restarted.promise;
      } else if (JSON.stringify(got) !== JSON.stringify(ask.ends)) wrong.push([ask, got]);
      else if (JSON.stringify(got) === '[200,"success"]') successes += 1;
    }
  };
  const restarted = Promise.withResolvers<void>();
  const clients = Promise.all(Array.from({ length: AT_A_TIME }, work));
  await vi.waitFor(() => expect(running.model.busy()).toBe(AT_A_TIME), { timeout: 60_000 });
  // Nothing is on its way but what is held: to the last one, the count is what clients saw and what is being made.
  const seenBefore = successes;
  expect([wrong, seenBefore > 0]).toEqual([[], true]);
  await running.finallyUsed(account, seenBefore + AT_A_TIME);

  const killed = running.killAndStart();
  await vi.waitFor(() => expect(broken).toBe(AT_A_TIME), { timeout: 30_000 });
  await killed;
  running.model.release();
  // What the killed process held is given back without anybody's doing.
  await running.finallyUsed(account, seenBefore);
  restarted.resolve();
  await clients;

  expect(wrong).toEqual([]);
  expect([left.length, broken]).toEqual([0, AT_A_TIME]);
  expect(successes).toBeGreaterThan(seenBefore);
  await running.finallyUsed(account, successes);
  expect(heldCredits()).toBe(0);
});

it('a kill at any moment: nobody pays for what did not arrive, and only what was just arriving may be free', async () => {
  const account = await running.account();
  let successes = 0;
  const isKilled = { yet: false };
  const work = async () => {
    while (!isKilled.yet) {
      const fields = { url: NEVER, transcript: transcriptOf(''), summaryLanguage: 'english' };
      const answer = await running.summarize(account, fields).catch((): Answer | null => null);
      if (answer === null) return;
      expect(outcomeOf(answer)).toEqual([200, 'success']);
      successes += 1;
    }
  };
  const clients = Promise.all(Array.from({ length: AT_A_TIME }, work));
  await vi.waitFor(() => expect(successes).toBeGreaterThan(AT_A_TIME), { timeout: 60_000 });
  isKilled.yet = true;
  await running.service.kill();
  await clients;
  // What the killed process still held is given back to the account; what it had settled stays.
  const used = counted('select used from quota_usage where account_id = ?', account.id);
  const held = counted('select count(*) from quota_reservations where account_id = ?', account.id);
  const settled = Number(used) - Number(held);
  expect(settled).toBeLessThanOrEqual(successes);
  // At most what was in work at that moment: its answer had left, and the word for it was not yet written.
  expect(successes - settled).toBeLessThanOrEqual(AT_A_TIME);
  await running.killAndStart();
});

it('the last credits go to exactly so many of a hundred that ask at once, by both addresses', async () => {
  const account = await running.account('few');
  const asks = Array.from({ length: 100 }, (_, i) =>
    fetch(`${running.service.baseUrl}/api/${i % 2 === 0 ? 'video' : 'youtube'}-summary/summarize-from-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        api_key: account.key,
        url: NEVER,
        transcript: transcriptOf(''),
        summaryLanguage: 'english',
      }),
    }).then(async (response) => [response.status, ((await response.json()) as { message?: string }).message ?? null]),
  );
  const answers = await Promise.all(asks);
  const refused = answers.filter(([status, message]) => status === 200 && message === SENTENCES.video_quota_exceeded);
  const served = answers.filter(([status, message]) => status === 200 && message === null);
  expect([served.length, refused.length]).toEqual([FEW_CREDITS, 100 - FEW_CREDITS]);
  await running.finallyUsed(account, FEW_CREDITS);
});

it('who leaves while the summary is made pays nothing, and the model is told to stop', async () => {
  const account = await running.account('few');
  running.model.reset();
  running.model.hold();
  const leaving = new AbortController();
  const asked = running.summarize(
    account,
    { url: NEVER, transcript: transcriptOf(''), summaryLanguage: 'english' },
    { signal: leaving.signal },
  );
  await vi.waitFor(() => expect(running.model.busy()).toBe(1), { timeout: 10_000 });
  expect(await running.used(account)).toBe(1);
  leaving.abort();
  await expect(asked).rejects.toThrow(/abort/i);
  await running.finallyUsed(account, 0);
  await vi.waitFor(() => expect(running.model.busy()).toBe(0), { timeout: 10_000 });
  running.model.release();
});

it('a server that is told to stop lets the summary end, which is answered and charged', async () => {
  const account = await running.account('few');
  running.model.hold();
  const asked = running.summarize(account, { url: NEVER, transcript: transcriptOf(''), summaryLanguage: 'english' });
  await vi.waitFor(() => expect(running.model.busy()).toBe(1), { timeout: 10_000 });
  const stopped = running.service.stop();
  await vi.waitFor(async () => expect((await fetch(`${running.service.baseUrl}/health`)).status).toBe(503));
  running.model.release();
  expect(outcomeOf(await asked)).toEqual([200, 'success']);
  expect(await stopped).toBe(0);
  expect(counted('select used from quota_usage where account_id = ?', account.id)).toBe(1);
  expect(heldCredits()).toBe(0);
});
