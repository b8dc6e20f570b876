import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { descendants } from '#testbed/service/process-tree.ts';
import { openStore } from '#server/store/open-store.ts';
import { submitUntilDead, waitUntilIdle } from '#testbed/service/load.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { startWebhookReceiver, verifyWebhook } from '#testbed/servers/webhook-receiver.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import { startServiceHere } from '#test/service-here.ts';
import { killProcess } from '#test/processes.ts';
import { OWNER_KEY, request, startService, temporaryFolder, waitForResult } from '#testbed/service/service.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

/** Kills per database; `npm run stress -- kill` searches for rare failures. */
const KILLS = Number(process.env['KILLS'] ?? 1);
const CLIENTS = 3;

describe.each(databasesToTest())('server kills under load on $name', (database) => {
  let opened: Awaited<ReturnType<typeof database.open>>;
  let recognizer: Awaited<ReturnType<typeof startRecognizer>>;
  beforeAll(async () => {
    [opened, recognizer] = await Promise.all([database.open(), startRecognizer()]);
  });
  afterAll(async () => {
    await recognizer.close();
    await opened.close();
  });

  it(`${KILLS} kill(s) lose no accepted request, no delivery and no quota unit`, { timeout: 400_000 }, async () => {
    await using folder = await temporaryFolder();
    await using receiver = await startWebhookReceiver();
    const env = {
      ...(opened.databaseUrl === null ? {} : { DATABASE_URL: opened.databaseUrl }),
      ...recognizer.settings,
      WEBHOOKS_ALLOW_PRIVATE: 'true',
      WORKERS: '2',
      LOG_LEVEL: 'error',
    };
    const fields = { callback_url: receiver.baseUrl };
    const audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));

    const accepted: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const service = await startService(folder.path, env);
      const load = Array.from({ length: CLIENTS }, () => submitUntilDead(service, audio, accepted, { fields }));
      // Wait for accepted requests, so that the kill can lose something on a slow machine too.
      const before = accepted.length;
      for (let left = 500; accepted.length < before + 2 && left > 0; left -= 1) await sleep(20);
      await sleep(Math.random() * 700);
      await service.kill();
      await Promise.all(load);
    }
    const service = await startServiceHere(folder.path, env);
    expect(accepted.length).toBeGreaterThan(KILLS);
    const records = [];
    for (const id of accepted) records.push(await waitForResult(service.baseUrl, id, { timeoutMs: 240_000 }));
    expect(records.filter((record) => record['status'] !== 'completed')).toEqual([]);
    const undelivered = () => {
      const delivered = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      return accepted.filter((id) => !delivered.has(`msg_${id}`));
    };
    await vi.waitFor(() => expect(undelivered()).toEqual([]), 150_000);
    await waitUntilIdle(service);
    const usage = await request(`${service.baseUrl}/api/usage`, { headers: { 'x-api-key': OWNER_KEY } });
    expect(usage.status).toBe(200);
    const { body } = await request(`${service.baseUrl}/api/webhook-secret`, { headers: { 'x-api-key': OWNER_KEY } });
    for (const webhook of receiver.received) {
      expect(verifyWebhook(webhook, String(body['secret']))).toMatchObject({ type: 'transcription.completed' });
    }
    expect(await service.stop()).toBe(true);

    // A kill between commit and answer leaves a request that no client knows; it must be complete
    // too.
    const store = await openStore({ databaseUrl: opened.databaseUrl, dataDir: folder.path });
    const [owner] = await store.accounts.list();
    const all = await store.transcriptions.list(owner!.id, { limit: 100_000 });
    const used = await store.quotas.used(owner!.id);
    await store.close();
    expect(all.filter((record) => record.status !== 'completed')).toEqual([]);
    expect(new Set(all.map((record) => record.id))).toEqual(new Set([...all.map((record) => record.id), ...accepted]));
    expect(used.stt_seconds).toBe(
      all.reduce((sum, record) => sum + (record.status === 'completed' ? record.creditsUsed : 0), 0),
    );
  });
});

describe('worker process kills under load', () => {
  it('every accepted request completes', { timeout: 120_000 }, async () => {
    await using folder = await temporaryFolder();
    const service = await startService(folder.path, { WORKERS: '2', LOG_LEVEL: 'fatal' });
    const audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
    const accepted: string[] = [];
    const stop = new AbortController();
    const load = Array.from({ length: CLIENTS }, () =>
      submitUntilDead(service, audio, accepted, { stop: stop.signal }),
    );
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = accepted.length;
      await expect.poll(() => accepted.length).toBeGreaterThan(before + 1);
      await sleep(Math.random() * 300);
      const workers = descendants(service.process.pid!);
      killProcess(workers[Math.floor(Math.random() * workers.length)]);
    }
    stop.abort();
    await Promise.all(load);
    expect(accepted.length).toBeGreaterThan(KILLS);
    const records = [];
    for (const id of accepted) records.push(await waitForResult(service.baseUrl, id));
    expect(records.filter(({ status }) => status !== 'completed')).toEqual([]);
    expect(await service.stop()).toBe(0);
  });
});
