import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesToTest } from '#test/postgres.ts';
import { OWNER_KEY, request, startService, temporaryFolder, type Service } from '#test/service.ts';

const postgres = databasesToTest().filter(({ name }) => name === 'postgres');
const PER_MINUTE = 30;
const FEW = { quotas: { stt_seconds: 9, tts_characters: 9, video_summaries: 9 }, streamingTts: false };
const PLANS = {
  few: { ...FEW, requestsPerMinute: PER_MINUTE, pollsPerMinute: 1_000 },
  // The owner gets the plan with the most requests.
  many: { ...FEW, requestsPerMinute: 10_000, pollsPerMinute: 10_000 },
};

function use({ baseUrl }: Service, secret: string) {
  return request(`${baseUrl}/api/usage`, { headers: { 'x-api-key': secret } });
}

describe.each(postgres)('two processes that answer requests on $name', (database) => {
  let opened: Awaited<ReturnType<typeof database.open>>;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let services: [Service, Service];

  beforeAll(async () => {
    folder = await temporaryFolder();
    opened = await database.open();
    const plansFile = join(folder.path, 'plans.json');
    await writeFile(plansFile, JSON.stringify(PLANS));
    const env = { DATABASE_URL: opened.databaseUrl ?? '', PLANS_FILE: plansFile, WORKERS: '1', ROLES: 'api' };
    services = await Promise.all([startService(folder.path, env), startService(folder.path, env)]);
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await opened.close();
    await folder[Symbol.asyncDispose]();
  });

  const administer = (path: string, method: string, body: object) =>
    request(`${services[0].baseUrl}/api/admin/${path}`, {
      method,
      headers: { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const newKey = async () => {
    const account = (await administer('accounts', 'POST', { name: 'shared', plan: 'few' })).body['account'];
    const { body } = await administer(`accounts/${(account as { id: string }).id}/keys`, 'POST', {});
    return { secret: String(body['api_key']), id: (body['key'] as { id: string }).id };
  };

  it('grant the requests of a minute together', async () => {
    const { secret } = await newKey();
    const asked = Array.from({ length: PER_MINUTE * 2 }, (_, index) => use(services[index % 2 === 0 ? 0 : 1], secret));
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(PER_MINUTE);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(PER_MINUTE);
    for (const { headers } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('x-ratelimit-limit')).toBe(String(PER_MINUTE));
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
    }
    const granted = answers.filter(({ status }) => status === 200);
    const remaining = granted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: PER_MINUTE }, (_, index) => index));
  });

  it('both refuse a key as soon as one has revoked it', async () => {
    const { secret, id } = await newKey();
    for (const service of services) expect((await use(service, secret)).status).toBe(200);
    expect((await administer(`keys/${id}`, 'DELETE', {})).status).toBe(200);
    for (const service of services) expect((await use(service, secret)).status).toBe(401);
  });
});
