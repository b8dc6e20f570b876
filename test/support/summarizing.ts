import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { createAccount, type TestAccount } from '#testbed/service/accounts.ts';
import { request, startService, type Answer, type Service } from '#testbed/service/service.ts';
import { startServiceHere, type ServiceHere } from './service-here.ts';
import { startSummaryServer, type SummaryServer } from './summary-server.ts';
import { startVideoPlatform, type VideoPlatform } from '#testbed/video-platform/server.ts';
import type { Video } from '#testbed/video-platform/videos.ts';

/** Credits of the plan `few`. */
export const FEW_CREDITS = 5;

/** The service with a fake video platform and a fake language model server. */
export type Summarizing<Started = ServiceHere> = AsyncDisposable & {
  platform: VideoPlatform;
  model: SummaryServer;
  service: Started;
  /** Creates an account with one key. The plan `plenty` has unlimited credits, `few` has five. */
  account(plan?: 'plenty' | 'few'): Promise<TestAccount>;
  summarize(account: Pick<TestAccount, 'key'>, fields: object, init?: RequestInit): Promise<Answer>;
  /** Used credits as reported by the API. */
  used(account: Pick<TestAccount, 'key'>): Promise<number>;
  /** Waits for that number of used credits: a response may arrive before its credit is settled. */
  finallyUsed(account: Pick<TestAccount, 'key'>, expected: number): Promise<void>;
  /** Starts the service again with the same data, after it was killed. */
  startAgain(): Promise<void>;
  /** The data folder of the service. */
  dataDir: string;
};

const planWith = (video_summaries: number | null) => ({
  quotas: { stt_seconds: 0, tts_characters: 0, video_summaries },
  requestsPerMinute: 1_000_000,
  pollsPerMinute: 1_000_000,
  streamingTts: false,
  concurrent: { speech: null, scores: null, waits: null, eventStreams: null, live: null },
});

/** Starts the service in this process. */
export const startSummarizing = (env: Record<string, string>) => startBy(startServiceHere, env);

/** Starts the service in a process of its own, which can be killed. */
export const startSummarizingApart = (env: Record<string, string>): Promise<Summarizing<Service>> =>
  startBy(startService, env);

async function startBy<Started extends { baseUrl: string; stop(): Promise<unknown> }>(
  launch: (dataDir: string, env: Record<string, string>) => Promise<Started>,
  env: Record<string, string>,
): Promise<Summarizing<Started>> {
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-videos-'));
  const dataDir = join(folder, 'data');
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify({ plenty: planWith(null), few: planWith(FEW_CREDITS) }));
  const [platform, model] = await Promise.all([startVideoPlatform(), startSummaryServer()]);
  const start = () =>
    launch(dataDir, {
      PLANS_FILE: plansFile,
      WORKERS: '1',
      // Tests hold many concurrent requests at the model.
      LLM_CONCURRENCY: '100',
      YOUTUBE_BASE_URL: platform.baseUrl,
      LLM_BASE_URL: model.baseUrl,
      LLM_MODEL: 'fake',
      ...env,
    });
  const running = {
    service: await start(),
    platform,
    model,
    dataDir,
    account: (plan: 'plenty' | 'few' = 'plenty') => createAccount(running.service.baseUrl, plan, ['video']),
    summarize: ({ key }: Pick<TestAccount, 'key'>, fields: object, init: RequestInit = {}) =>
      request(`${running.service.baseUrl}/api/video-summary/summarize-from-url`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(fields),
        ...init,
      }),
    async used({ key }: Pick<TestAccount, 'key'>) {
      const { status, body } = await request(`${running.service.baseUrl}/api/video-summary/get-usage`, {
        headers: { 'x-api-key': key },
      });
      expect(status).toBe(200);
      return Number(body['used']);
    },
    finallyUsed: (account: Pick<TestAccount, 'key'>, expected: number) =>
      vi.waitFor(async () => expect(await running.used(account)).toBe(expected), { timeout: 60_000, interval: 50 }),
    async startAgain() {
      running.service = await start();
    },
    async [Symbol.asyncDispose]() {
      model.release();
      platform.behaveAsUsual();
      await running.service.stop();
      await Promise.all([platform.close(), model.close()]);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return running;
}

/** The status of a response, and `success` or the error message. */
export function outcomeOf({ status, body }: Answer): [number, string] {
  return [status, body['success'] === true ? 'success' : String(body['message'])];
}

/** Whether a response for the video never ends, so that requests for it run into a timeout. */
export function isSilent({ reactions = {} }: Video): boolean {
  return Object.values(reactions).some((kind) => ['never', 'stalls', 'drip'].includes(kind));
}
