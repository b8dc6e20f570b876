import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { charactersUsed, createAccount } from '#testbed/service/accounts.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { startServiceHere } from '#test/service-here.ts';
import { startService, temporaryFolder } from '#testbed/service/service.ts';

/** Ten characters: 40 of the quota as a stream, 10 as a file. */
const SHORT = '今日天氣好好呀大家好';
const LONG = SHORT.repeat(150);
const RESTORED_WITHIN_MS = 30_000;

describe.each(databasesToTest())('a kill while speech is made on $name', (database) => {
  let opened: Awaited<ReturnType<typeof database.open>>;
  beforeAll(async () => {
    opened = await database.open();
  });
  afterAll(() => opened.close());

  it('charges what was complete once, and gives back what was not', { timeout: 120_000 }, async () => {
    await using folder = await temporaryFolder();
    const settings: Record<string, string> = opened.databaseUrl === null ? {} : { DATABASE_URL: opened.databaseUrl };
    const env = { WORKERS: '1', LOG_LEVEL: 'fatal', ...settings };
    const killed = await startService(folder.path, env);
    const account = await createAccount(killed.baseUrl, 'pro');
    let { baseUrl } = killed;
    const speak = (path: string, text: string) => post(baseUrl, path, account.key, text);
    for (const path of ['/api/tts-stream', '/api/tts']) await (await speak(path, SHORT)).arrayBuffer();
    const used = () => charactersUsed(baseUrl, account);
    await expect.poll(used).toBe(50);

    // The stream has begun, and the file waits for it in the only worker.
    const stream = await speak('/api/tts-stream', LONG);
    const reader = stream.body!.getReader();
    await reader.read();
    const file = speak('/api/tts', LONG).catch(() => 'interrupted');
    await expect.poll(used).toBe(50 + 5 * LONG.length);
    await killed.kill();
    const rest = (async () => {
      while (!(await reader.read()).done);
    })();
    expect(await Promise.all([rest.catch(() => 'interrupted'), file])).toEqual(['interrupted', 'interrupted']);

    const service = await startServiceHere(folder.path, env);
    ({ baseUrl } = service);
    await expect.poll(used, { timeout: RESTORED_WITHIN_MS, interval: 100 }).toBe(50);
    await (await speak('/api/tts', SHORT)).arrayBuffer();
    await expect.poll(used).toBe(60);
    await service.stop();
  });
});

function post(baseUrl: string, path: string, key: string, text: string): Promise<Response> {
  return fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ text, ...(path === '/api/tts' ? {} : { voice_id: 'jasmine' }) }),
  });
}
