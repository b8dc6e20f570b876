import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { DEFAULT_RETRY_POLICIES } from '#server/queue/retry-policy.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { s3Environment, startS3 } from '#testbed/servers/s3-server.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  submission,
  temporaryFolder,
  waitForResult,
  type Answer,
} from '#testbed/service/service.ts';
import { openTcpProxy, type TcpProxy } from '#testbed/servers/tcp-proxy.ts';

const UNAVAILABLE = {
  status: 503,
  body: {
    message: 'The storage of files does not answer; try again shortly.',
    error: { code: 'service_unavailable', type: 'server_error' },
  },
};

const OUTAGE = 'storage_unavailable_since';

describe('a service whose S3 storage', { timeout: 120_000 }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let audio: Uint8Array;
  let working: Awaited<ReturnType<typeof openService>>;
  let proxy: TcpProxy;
  let service: ServiceHere;
  /** A service with a storage of its own, which answers nothing while the other tests run. */
  let silent: Awaited<ReturnType<typeof openService>>;
  let answerOfSilent: Promise<Answer>;

  beforeAll(async () => {
    audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
    folder = await temporaryFolder();
    silent = await openService('silent');
    silent.proxy.freeze();
    answerOfSilent = submit('frozen', silent.service);
    working = await openService('working');
    ({ proxy, service } = working);
  });
  afterAll(async () => {
    for (const server of [silent, working]) await server.close();
    await folder[Symbol.asyncDispose]();
  });

  async function openService(name: string) {
    const s3 = await startS3(join(folder.path, name, 's3'));
    const proxy = await openTcpProxy({ host: '127.0.0.1', port: s3.port });
    const env = { ...s3Environment(`http://127.0.0.1:${proxy.port}`), LOG_LEVEL: 'fatal' };
    const service = await startServiceHere(join(folder.path, name, 'data'), env);
    const close = async () => {
      await service.stop();
      await proxy.close();
      await s3.stop();
    };
    return { proxy, service, close };
  }
  const submit = (context: string, to = service): Promise<Answer> => {
    const init = submission(audio, { skip_fusion: 'true', context });
    return request(`${to.baseUrl}/api/stt`, { ...init, headers: { 'idempotency-key': context } });
  };
  const metric = async () => {
    const answer = await fetch(`${service.baseUrl}/metrics`, { headers: { 'x-api-key': OWNER_KEY } });
    return answer.text();
  };
  const health = () => request(`${service.baseUrl}/health`);
  const outcome = async (answer: Answer, of = service) =>
    answer.status === 200
      ? (await waitForResult(of.baseUrl, requestIdOf(answer)))['status']
      : JSON.stringify(answer.body);

  it('refuses connections answers 503, and accepts the same request afterwards', async () => {
    expect(await outcome(await submit('before'))).toBe('completed');
    expect((await health()).body).not.toHaveProperty(OUTAGE);
    await proxy.refuse();
    const refused = await submit('during');
    expect(refused).toMatchObject(UNAVAILABLE);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const { status, body } = await health();
    expect(status).toBe(200);
    expect(Date.now() - Date.parse(String(body[OUTAGE]))).toBeLessThan(60_000);
    expect(await metric()).toContain('jyutsing_storage_unavailable 1\n');
    await proxy.accept();
    // Without any request that needs the storage.
    await expect.poll(async () => (await health()).body, { timeout: 60_000 }).not.toHaveProperty(OUTAGE);
    expect(await outcome(await submit('during'))).toBe('completed');
  });

  it('has closed the connections that were kept open is asked again', async () => {
    expect(await outcome(await submit('kept open'))).toBe('completed');
    proxy.reset();
    expect(await outcome(await submit('closed'))).toBe('completed');
  });

  it('refuses connections during the work loses no accepted request', async () => {
    const accepted = await submit('accepted');
    await proxy.refuse();
    expect((await submit('not accepted')).status).toBe(503);
    await proxy.accept();
    expect(await outcome(accepted)).toBe('completed');
  });

  it('refuses connections for longer than a failing job is tried loses no accepted request', async () => {
    proxy.delay(300);
    const accepted = await submit('patient');
    await proxy.refuse();
    proxy.delay(0);
    const database = new Sqlite(join(folder.path, 'working/data/jyutsing.db'));
    try {
      // As if it had failed before as often as it may.
      const attempt = DEFAULT_RETRY_POLICIES.transcribe.maxAttempts - 1;
      const skip = database.prepare("update jobs set attempt = ?, run_at_ms = 0 where state = 'waiting'");
      await expect.poll(() => skip.run(attempt).changes, { timeout: 60_000 }).toBe(1);
      const waiting = database.prepare("select run_at_ms from jobs where state = 'waiting' and run_at_ms > 0");
      await expect.poll(() => waiting.all(), { timeout: 60_000 }).toHaveLength(1);
    } finally {
      database.close();
    }
    await proxy.accept();
    expect(await outcome(accepted)).toBe('completed');
  });

  it('never answers answers 503 instead of waiting for ever', async () => {
    expect(await answerOfSilent).toMatchObject(UNAVAILABLE);
    silent.proxy.resume();
    expect(await outcome(await submit('frozen', silent.service), silent.service)).toBe('completed');
  });
});
