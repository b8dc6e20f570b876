import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TestAccount } from '#testbed/service/accounts.ts';
import type { Answer, Service } from '#testbed/service/service.ts';
import { FEW_CREDITS, outcomeOf, startSummarizingApart, type Summarizing } from '#test/summarizing.ts';
import { SENTENCES } from '#test/video-sentences.ts';
import { VIDEOS } from '#testbed/video-platform/catalogue.ts';

const REQUESTS = 500;
const CONCURRENCY = 50;
const TALKS = [VIDEOS.englishTalk, VIDEOS.chineseReport, VIDEOS.koreanTalk];

let running: Summarizing<Service>;
beforeAll(async () => {
  // Timeouts must not end the requests that a test holds.
  const patience = { YOUTUBE_TIMEOUT_SECONDS: '600', LLM_TIMEOUT_SECONDS: '600' };
  running = await startSummarizingApart({ LOG_LEVEL: 'fatal', ...patience });
  // The transcript selects the behavior of the model.
  running.model.behave(({ user }) => (user.includes('REFUSE') ? 'refuses' : 'summarizes'));
  // Caches these summaries, so that of the mixed requests only those with a transcript reach the
  // model.
  const account = await running.account();
  await Promise.all(TALKS.map(({ id }) => running.summarize(account, { url: id, summaryLanguage: 'japanese' })));
});
afterAll(() => running[Symbol.asyncDispose]());

/** A unique transcript, so that no summary is cached and each request needs the model. */
const transcriptOf = (prefix: string) =>
  `${prefix} It rained all day long in ${crypto.randomUUID()}. The river rose. Nobody was hurt.`;
/** The captions of this video never arrive: requests for them end only by a disconnect. */
const NEVER = VIDEOS.captionsNever.id;

type MixedRequest = { fields: object; expected: readonly [number, string] | 'disconnected'; key?: string };

/** Three of ten requests succeed, two of them by the model. */
function mixed(index: number): MixedRequest {
  const english = { summaryLanguage: 'english' };
  const kinds: readonly MixedRequest[] = [
    { fields: { url: NEVER, transcript: transcriptOf(''), ...english }, expected: [200, 'success'] },
    { fields: { url: TALKS[index % 3]!.id, summaryLanguage: 'japanese' }, expected: [200, 'success'] },
    { fields: { url: VIDEOS.silent.id }, expected: [200, SENTENCES.no_subtitles] },
    { fields: { url: VIDEOS.private.id }, expected: [200, SENTENCES.caption_tracks_failed] },
    { fields: { url: NEVER }, expected: 'disconnected' },
    {
      fields: { url: NEVER, transcript: transcriptOf('REFUSE.'), ...english },
      expected: [200, SENTENCES.summary_failed],
    },
    { fields: { url: VIDEOS.onlyMusic.id }, expected: [200, SENTENCES.empty_transcript] },
    { fields: { url: NEVER, transcript: transcriptOf(''), ...english }, expected: [200, 'success'] },
    { fields: { url: 'https://vimeo.com/76979871' }, expected: [200, SENTENCES.invalid_video_link] },
    index % 20 < 10
      ? {
          fields: { url: '' },
          expected: [400, 'The field "url" is missing; send it, or the "transcript" of the video.'],
        }
      : { fields: { url: NEVER }, key: 'jyut_nonsense', expected: [401, 'This API key is unknown or was revoked.'] },
  ];
  return kinds[index % kinds.length]!;
}

/** The outcome for the client; null: the connection was closed. */
async function outcome(account: TestAccount, { fields, expected, key = account.key }: MixedRequest): Promise<unknown> {
  const isAborted = expected === 'disconnected';
  const init = isAborted ? { signal: AbortSignal.timeout(50) } : {};
  return running.summarize({ key }, fields, init).then(outcomeOf, () => (isAborted ? expected : null));
}

/** The single value of a database query. */
function queryValue(query: string, ...parameters: string[]): unknown {
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

/** Reservations that are neither settled nor released. */
const heldCredits = () => queryValue('select count(*) from quota_reservations where given_back = 0');

it(`${REQUESTS} mixed requests, ${CONCURRENCY} at a time, with a kill while ${CONCURRENCY} are in progress: exactly the delivered summaries are charged`, async () => {
  const account = await running.account();
  const remaining = Array.from({ length: REQUESTS }, (_, index) => mixed(index));
  const wrong: unknown[] = [];
  let successes = 0;
  let broken = 0;
  const work = async () => {
    for (let request = remaining.pop(); request !== undefined; request = remaining.pop()) {
      // From here on the model holds its responses, until every client waits for one.
      if (remaining.length === REQUESTS / 2) running.model.hold();
      const actual = await outcome(account, request);
      if (actual === null) {
        broken += 1;
        await restarted.promise;
      } else if (JSON.stringify(actual) !== JSON.stringify(request.expected)) wrong.push([request, actual]);
      else if (JSON.stringify(actual) === '[200,"success"]') successes += 1;
    }
  };
  const restarted = Promise.withResolvers<void>();
  const clients = Promise.all(Array.from({ length: CONCURRENCY }, work));
  await vi.waitFor(() => expect(running.model.busy()).toBe(CONCURRENCY), { timeout: 60_000 });
  // Only held requests are in progress: the used credits are the delivered summaries and the held
  // ones.
  const deliveredBefore = successes;
  expect([wrong, deliveredBefore > 0]).toEqual([[], true]);
  await running.finallyUsed(account, deliveredBefore + CONCURRENCY);

  const killed = running.service.kill().then(running.startAgain);
  await vi.waitFor(() => expect(broken).toBe(CONCURRENCY), { timeout: 60_000 });
  await killed;
  running.model.release();
  // The reservations of the killed process are released automatically.
  await running.finallyUsed(account, deliveredBefore);
  restarted.resolve();
  await clients;

  expect(wrong).toEqual([]);
  expect([remaining.length, broken]).toEqual([0, CONCURRENCY]);
  expect(successes).toBeGreaterThan(deliveredBefore);
  await running.finallyUsed(account, successes);
  expect(heldCredits()).toBe(0);
});

it('a kill at any moment charges only delivered summaries, and all of them except those just being delivered', async () => {
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
  const clients = Promise.all(Array.from({ length: CONCURRENCY }, work));
  await vi.waitFor(() => expect(successes).toBeGreaterThan(CONCURRENCY), { timeout: 60_000 });
  isKilled.yet = true;
  await running.service.kill();
  await clients;
  // Reservations of the killed process are released, settled credits remain.
  const used = queryValue('select used from quota_usage where account_id = ?', account.id);
  const held = queryValue('select count(*) from quota_reservations where account_id = ?', account.id);
  const settled = Number(used) - Number(held);
  expect(settled).toBeLessThanOrEqual(successes);
  // At most the requests in progress at the kill: delivered, but not yet settled.
  expect(successes - settled).toBeLessThanOrEqual(CONCURRENCY);
  await running.startAgain();
});

it('of a hundred simultaneous requests to both paths, exactly as many succeed as there are credits', async () => {
  const account = await running.account('few');
  const pending = Array.from({ length: 100 }, (_, i) =>
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
  const answers = await Promise.all(pending);
  const refused = answers.filter(([status, message]) => status === 200 && message === SENTENCES.video_quota_exceeded);
  const served = answers.filter(([status, message]) => status === 200 && message === null);
  expect([served.length, refused.length]).toEqual([FEW_CREDITS, 100 - FEW_CREDITS]);
  await running.finallyUsed(account, FEW_CREDITS);
});

it('a disconnect during the summary costs nothing and aborts the request to the model', async () => {
  const account = await running.account('few');
  running.model.reset();
  running.model.hold();
  const disconnect = new AbortController();
  const pending = running.summarize(
    account,
    { url: NEVER, transcript: transcriptOf(''), summaryLanguage: 'english' },
    { signal: disconnect.signal },
  );
  await vi.waitFor(() => expect(running.model.busy()).toBe(1), { timeout: 60_000 });
  expect(await running.used(account)).toBe(1);
  disconnect.abort();
  await expect(pending).rejects.toThrow(/abort/i);
  await running.finallyUsed(account, 0);
  await vi.waitFor(() => expect(running.model.busy()).toBe(0), { timeout: 60_000 });
  running.model.release();
});

it('a stopping server completes a running summary, which is delivered and charged', async () => {
  const account = await running.account('few');
  running.model.hold();
  const pending = running.summarize(account, { url: NEVER, transcript: transcriptOf(''), summaryLanguage: 'english' });
  await vi.waitFor(() => expect(running.model.busy()).toBe(1), { timeout: 60_000 });
  const stopped = running.service.stop();
  await vi.waitFor(async () => expect((await fetch(`${running.service.baseUrl}/health`)).status).toBe(503));
  running.model.release();
  expect(outcomeOf(await pending)).toEqual([200, 'success']);
  expect(await stopped).toBe(0);
  expect(queryValue('select used from quota_usage where account_id = ?', account.id)).toBe(1);
  expect(heldCredits()).toBe(0);
});
