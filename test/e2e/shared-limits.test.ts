import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRINT_TELEMETRY_LOADS } from '#test/print-telemetry-loads.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  type Service,
} from '#testbed/service/service.ts';
import { wavBytes } from '#testbed/sound/audio.ts';

const postgres = databasesToTest().filter(({ name }) => name === 'postgres');
const PER_MINUTE = 30;
const STREAMS = 3;
const AT_A_TIME = { speech: 1, scores: 1, waits: 1, eventStreams: STREAMS };
const FEW = { quotas: { stt_seconds: 9, tts_characters: 9, video_summaries: 9 }, streamingTts: false };
const PLANS = {
  few: { ...FEW, requestsPerMinute: PER_MINUTE, pollsPerMinute: 1_000 },
  streams: { ...FEW, requestsPerMinute: 1_000, pollsPerMinute: 1_000, concurrent: AT_A_TIME },
  // The owner gets the plan with the most requests.
  many: { ...FEW, requestsPerMinute: 10_000, pollsPerMinute: 10_000 },
};

function use({ baseUrl }: Service, secret: string) {
  return request(`${baseUrl}/api/usage`, { headers: { 'x-api-key': secret } });
}

async function streamsOf(service: Service, secret: string): Promise<object> {
  const { event_streams: streams } = (await use(service, secret)).body['concurrent'] as { event_streams: object };
  return streams;
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
    const env = {
      DATABASE_URL: opened.databaseUrl ?? '',
      PLANS_FILE: plansFile,
      WORKERS: '1',
      ROLES: 'api',
      NODE_OPTIONS: PRINT_TELEMETRY_LOADS,
    };
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
  const newKey = async (plan = 'few') => {
    const { account } = (await administer('accounts', 'POST', { name: 'shared', plan })).body as {
      account: { id: string };
    };
    const { body } = await administer(`accounts/${account.id}/keys`, 'POST', {});
    return { secret: String(body['api_key']), id: (body['key'] as { id: string }).id, accountId: account.id };
  };
  /** A key and a function that follows a recording which no process transcribes. */
  const newFollower = async () => {
    const { secret } = await newKey('streams');
    const silence = wavBytes({ sampleRateHz: 16_000, channels: [new Float32Array(16_000)] });
    const id = requestIdOf(await request(`${services[0].baseUrl}/api/stt`, submission(silence, { api_key: secret })));
    const follow = async ({ baseUrl }: Service) => {
      const leaving = new AbortController();
      const headers = { 'x-api-key': secret };
      const { status } = await fetch(`${baseUrl}/api/speech-to-text/${id}/events`, { headers, signal: leaving.signal });
      return { status, leave: () => leaving.abort() };
    };
    return { secret, follow };
  };

  it('grant the requests of a minute together', async () => {
    const { secret } = await newKey();
    const pending = Array.from({ length: PER_MINUTE * 2 }, (_, index) =>
      use(services[index % 2 === 0 ? 0 : 1], secret),
    );
    const answers = await Promise.all(pending);
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

  it('both apply the plan of an account as soon as one has changed it', async () => {
    const { secret, accountId } = await newKey();
    const limits = async () => {
      const answers = await Promise.all(services.map((service) => use(service, secret)));
      return answers.map(({ headers }) => headers.get('x-ratelimit-limit'));
    };
    expect(await limits()).toEqual([String(PER_MINUTE), String(PER_MINUTE)]);
    expect((await administer(`accounts/${accountId}`, 'PATCH', { plan: 'many' })).status).toBe(200);
    expect(await limits()).toEqual(['10000', '10000']);
    expect((await administer(`accounts/${accountId}`, 'PATCH', { blocked: true })).status).toBe(200);
    for (const service of services) {
      expect((await use(service, secret)).body['error']).toMatchObject({ code: 'account_blocked' });
    }
  });

  it('grant together as many streams at a time as the plan allows', async () => {
    const { secret, follow } = await newFollower();
    const streams = Array.from({ length: STREAMS * 4 }, (_, index) => follow(services[index % 2 === 0 ? 0 : 1]));
    const answers = await Promise.all(streams);
    const granted = answers.filter(({ status }) => status === 200);
    expect(granted).toHaveLength(STREAMS);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(STREAMS * 3);
    for (const service of services) {
      expect(await streamsOf(service, secret)).toEqual({ in_use: STREAMS, limit: STREAMS });
    }
    for (const { leave } of granted) leave();
    for (const service of services) await expect.poll(() => streamsOf(service, secret)).toMatchObject({ in_use: 0 });
    const again = await Promise.all(Array.from({ length: STREAMS }, () => follow(services[1])));
    expect(again.map(({ status }) => status)).toEqual(Array.from({ length: STREAMS }, () => 200));
    for (const { leave } of again) leave();
  });

  it('load nothing of OpenTelemetry while tracing is off', () => {
    // The library for metrics loads the interface, which does nothing.
    for (const service of services) expect(service.output()).not.toMatch(/loads @opentelemetry\/(?!api\b)/);
  });

  it('the streams of a killed process no longer count', async () => {
    const { secret, follow } = await newFollower();
    for (let count = 0; count < STREAMS; count += 1) expect((await follow(services[1])).status).toBe(200);
    expect((await follow(services[0])).status).toBe(429);
    await services[1].kill();
    await expect.poll(() => streamsOf(services[0], secret), { timeout: 60_000 }).toMatchObject({ in_use: 0 });
    expect((await follow(services[0])).status).toBe(200);
  });
});
