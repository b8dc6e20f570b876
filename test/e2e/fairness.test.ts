import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { charactersUsed, createAccount, type TestAccount } from '#testbed/service/accounts.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { OWNER_KEY, request, temporaryFolder } from '#testbed/service/service.ts';

/** Requests of one account that arrive before the request of another. */
const MANY = 20;
const TEXT = '今日天氣好好呀大家好';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ServiceHere;
let busy: TestAccount;
let other: TestAccount;
beforeAll(async () => {
  folder = await temporaryFolder();
  const plansFile = join(folder.path, 'plans.json');
  const quotas = { stt_seconds: null, tts_characters: null, video_summaries: null };
  const plan = { quotas, requestsPerMinute: 10_000, pollsPerMinute: 10_000, streamingTts: true };
  await writeFile(plansFile, JSON.stringify({ large: plan }));
  service = await startServiceHere(join(folder.path, 'data'), { PLANS_FILE: plansFile });
  [busy, other] = (await Promise.all(
    [0, 1].map(() => createAccount(service.baseUrl, 'large', ['tts', 'pronunciation'])),
  )) as [TestAccount, TestAccount];
});
afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

const speak = async (path: string, { key }: TestAccount, text: string) => {
  const response = await fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ text, input: text, voice_id: 'jasmine' }),
  });
  expect(response.status).toBe(200);
  return response;
};

/** Sends many requests and calls `then` when all are accepted; returns how many ended before. */
async function endedMeanwhile(
  many: (index: number) => Promise<unknown>,
  areAccepted: () => Promise<boolean>,
  then: () => Promise<unknown>,
): Promise<number> {
  let ended = 0;
  const all = Array.from({ length: MANY }, async (_, index) => {
    await many(index);
    ended += 1;
  });
  await expect.poll(areAccepted, { interval: 10, timeout: 60_000 }).toBe(true);
  await then();
  const meanwhile = ended;
  await Promise.all(all);
  return meanwhile;
}

it('speech of one account does not wait for the speech of another', async () => {
  // Each takes several turns, so that the first sounds of all come before the first end.
  const text = `${TEXT}。${TEXT}`;
  const used = await charactersUsed(service.baseUrl, busy);
  let begun = 0;
  const begin = async () => {
    const response = await speak('/api/tts-stream', busy, text);
    begun += 1;
    await response.arrayBuffer();
  };
  const areAccepted = async () => (await charactersUsed(service.baseUrl, busy)) - used === MANY * 4 * text.length;
  let begunBefore = MANY;
  await endedMeanwhile(begin, areAccepted, async () => {
    await (await speak('/api/tts-stream', other, '早晨')).arrayBuffer();
    begunBefore = begun;
  });
  expect(begunBefore).toBeLessThan(MANY);
});

it('a file of speech does not wait for the files of another account', async () => {
  // Each takes so long that few have ended when the last one is accepted.
  const text = Array(4).fill(TEXT).join('。');
  const used = await charactersUsed(service.baseUrl, busy);
  const make = async () => (await speak('/api/tts', busy, text)).arrayBuffer();
  const areAccepted = async () => (await charactersUsed(service.baseUrl, busy)) - used === MANY * text.length;
  const ended = await endedMeanwhile(make, areAccepted, async () => speak('/api/tts', other, '早晨'));
  expect(ended).toBeLessThan(MANY / 2);
});

it('a score does not wait for the scores of another account', async () => {
  const wav = new Uint8Array(await (await speak('/api/tts', other, TEXT)).arrayBuffer());
  const score = async ({ key }: TestAccount) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ api_key: key, text: TEXT })) body.append(name, value);
    body.append('audio', new Blob([wav]), 'recording.wav');
    const answer = await request(`${service.baseUrl}/api/score-pronunciation`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  };
  const areWaiting = async () => (await metric('jyutsing_waiting_tasks{task="score"}')) >= MANY / 2;
  const ended = await endedMeanwhile(
    () => score(busy),
    areWaiting,
    () => score(other),
  );
  expect(ended).toBeLessThan(MANY);
});

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.baseUrl}/metrics`, { headers: { 'x-api-key': OWNER_KEY } })).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.split(' ')[1] ?? 0);
}
