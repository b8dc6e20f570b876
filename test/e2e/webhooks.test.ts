import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wavBytes, writeSound } from '#testbed/sound/audio.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import { startServiceHere } from '#test/service-here.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  sharedService,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
  type Service,
} from '#testbed/service/service.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startWebhookReceiver, verifyWebhook, type ReceivedWebhook } from '#testbed/servers/webhook-receiver.ts';

const KEY = { headers: { 'x-api-key': OWNER_KEY } };

let wav: Uint8Array;
beforeAll(async () => {
  wav = wavBytes(await speak(toJyutping('聽日朝早九點開會。')));
});

const submit = (
  service: Pick<Service, 'baseUrl'>,
  callbackUrl: string,
  audio = wav,
  fields: Record<string, string> = {},
) => request(`${service.baseUrl}/api/stt`, submission(audio, { callback_url: callbackUrl, ...fields }));

async function secretOf(service: Service): Promise<string> {
  return String((await request(`${service.baseUrl}/api/webhook-secret`, KEY)).body['secret']);
}

type Event = { type: string; timestamp: string; data: Record<string, unknown> };
const verified = (webhook: ReceivedWebhook, secret: string) => verifyWebhook(webhook, secret) as Event;
const idOf = (webhook: ReceivedWebhook) => String((JSON.parse(webhook.body) as Event).data['request_id']);

describe('a webhook', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: Service;
  let proxy: Awaited<ReturnType<typeof startWebhookReceiver>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    proxy = await startWebhookReceiver();
    service = await startService(join(folder.path, 'data'), {
      WEBHOOKS_ALLOW_PRIVATE: 'true',
      WORKERS: '1',
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxy.baseUrl,
      http_proxy: proxy.baseUrl,
    });
  });
  afterAll(async () => {
    await service.stop();
    await proxy[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('delivers a completed result as polling returns it, signed, and bypasses proxies', async () => {
    await using receiver = await startWebhookReceiver();
    const id = requestIdOf(await submit(service, `${receiver.baseUrl}/hook?for=me`, wav, { with_timestamp: 'true' }));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 120_000);
    const { type, timestamp, data } = verified(receiver.received[0]!, await secretOf(service));
    expect(type).toBe('transcription.completed');
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000);
    expect(data).toEqual(await waitForResult(service.baseUrl, id));
    expect(receiver.received[0]).toMatchObject({ url: '/hook?for=me', headers: { 'webhook-id': `msg_${id}` } });
    expect(proxy.received).toEqual([]);
  });

  it('delivers a failed result', async () => {
    await using receiver = await startWebhookReceiver();
    const path = join(folder.path, 'damaged.flac');
    await writeSound(path, await speak(toJyutping('今日天氣好好，我哋去行山。')), 'flac');
    const whole = await readFile(path);
    const damaged = whole.map((byte, at) => (at < whole.length / 4 ? byte : (byte * 31 + at * 17) & 0xff));
    const id = requestIdOf(await submit(service, receiver.baseUrl, damaged));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 120_000);
    const { type, data } = verified(receiver.received[0]!, await secretOf(service));
    expect([type, data]).toEqual(['transcription.failed', await waitForResult(service.baseUrl, id)]);
  });

  it('delivers a cached result', async () => {
    await using receiver = await startWebhookReceiver();
    const first = requestIdOf(await submit(service, receiver.baseUrl));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 120_000);
    const second = requestIdOf(await submit(service, receiver.baseUrl));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 120_000);
    expect(receiver.received.map(idOf)).toEqual([first, second]);
    expect(verified(receiver.received[1]!, await secretOf(service)).data).toEqual(
      await waitForResult(service.baseUrl, second),
    );
  });

  it('is not sent for blocking calls, which are answered as usual', async () => {
    await using receiver = await startWebhookReceiver();
    const answer = await submit(service, receiver.baseUrl, wav, { wait_for_completion: 'true' });
    expect(answer).toMatchObject({ status: 200, body: { text: expect.stringMatching(/./) } });
    await waitForResult(service.baseUrl, requestIdOf(await request(`${service.baseUrl}/api/stt`, submission(wav))));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 120_000);
  });

  it(
    'is delivered while other receivers never answer, and does not delay recordings',
    { timeout: 120_000 },
    async () => {
      await using silent = await startWebhookReceiver(['hang']);
      await using receiver = await startWebhookReceiver();
      await request(`${service.baseUrl}/api/stt`, submission(wav, { wait_for_completion: 'true' }));
      // Cached results are delivered without engine work.
      for (let index = 0; index < 8; index += 1) await submit(service, silent.baseUrl);
      await vi.waitFor(() => expect(silent.received.length).toBeGreaterThanOrEqual(8), 120_000);
      const startedMs = performance.now();
      const id = requestIdOf(await submit(service, receiver.baseUrl, wav, { context: '最後' }));
      await vi.waitFor(() => expect(receiver.received.map(idOf)).toEqual([id]), 60_000);
      // Each is given up after 15 s; in the two recognition slots the eight would take a minute.
      expect(performance.now() - startedMs).toBeLessThan(45_000);
    },
  );

  it('is signed with the new secret after a rotation', async () => {
    await using receiver = await startWebhookReceiver();
    const old = await secretOf(service);
    const rotated = await request(`${service.baseUrl}/api/webhook-secret/rotate`, { method: 'POST', ...KEY });
    await submit(service, receiver.baseUrl);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 120_000);
    expect(() => verified(receiver.received[0]!, old)).toThrow('No matching signature');
    expect(verified(receiver.received[0]!, String(rotated.body['secret'])).type).toBe('transcription.completed');
  });
});

describe('a webhook in the default configuration', () => {
  it('to a private address is refused at once with a reason', async () => {
    const service = await sharedService();
    await using receiver = await startWebhookReceiver();
    const { port } = receiver;
    const urls = [
      receiver.baseUrl,
      ...['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost', '169.254.169.254', '10.0.0.1'].map(
        (host) => `https://${host}:${port}/`,
      ),
    ];
    for (const url of urls) {
      const { status, body } = await submit(service, url);
      expect([url, status]).toEqual([url, 422]);
      expect(body).toMatchObject({
        error: { code: 'invalid_parameter', message: expect.stringContaining('callback_url') },
      });
    }
    expect(receiver.received).toEqual([]);
  });
});

// Kills under load are in crash-recovery.test.ts.
describe.each(databasesToTest())('a server kill between completion and delivery on $name', (database) => {
  let opened: Awaited<ReturnType<typeof database.open>>;
  let recognizer: Awaited<ReturnType<typeof startRecognizer>>;
  beforeAll(async () => {
    [opened, recognizer] = await Promise.all([database.open(), startRecognizer()]);
  });
  afterAll(() => Promise.all([opened.close(), recognizer.close()]));

  it('the event is delivered again after the restart', { timeout: 120_000 }, async () => {
    await using folder = await temporaryFolder();
    await using receiver = await startWebhookReceiver(['hang', 200]);
    const env = {
      ...(opened.databaseUrl === null ? {} : { DATABASE_URL: opened.databaseUrl }),
      ...recognizer.settings,
      WEBHOOKS_ALLOW_PRIVATE: 'true',
      WORKERS: '1',
      LOG_LEVEL: 'error',
    };
    const killed = await startService(folder.path, env);
    const secret = await secretOf(killed);
    const id = requestIdOf(await submit(killed, receiver.baseUrl));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 120_000);
    await killed.kill();
    const service = await startServiceHere(folder.path, env);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 120_000);
    const [before, after] = receiver.received.map((webhook) => [
      webhook.headers['webhook-id'],
      verified(webhook, secret),
    ]);
    expect(after).toEqual(before);
    expect(after?.[0]).toBe(`msg_${id}`);
    expect(await service.stop()).toBe(true);
  });
});
