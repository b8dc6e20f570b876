import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAccount, type TestAccount } from '#testbed/service/accounts.ts';
import { writeSound, type Sound } from '#testbed/sound/audio.ts';
import { durationOf, joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { databasesToTest, type OpenedDatabase } from '#testbed/servers/postgres.ts';
import {
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
  type Service,
} from '#testbed/service/service.ts';
import { generousPlan } from '../../bench/plan.ts';

// The same recording, sent several times at once to services that share a database and a DATA_DIR.

const UPLOADS = 6;
/** The lease of a killed process ends first. */
const PATIENCE = { timeoutMs: 120_000 };

let sentences: Sound[];
beforeAll(async () => {
  const texts = ['今日天氣好好', '我哋去公園行下', '聽日可能會落雨', '記得帶遮出門口', '呢間餐廳啲點心好好食'];
  sentences = await Promise.all(texts.map((text) => speak(toJyutping(text))));
});

/** The deltas of a stream of OpenAI's events. */
const deltas = (text: string) => text.match(/"delta":"[^"]*"/g);

/** Six minutes: a kill or a deletion, which other processes see half a second later, interrupts. */
const LONG = 32;
const SHORT = 12;

let recordings = 0;
/** A recording that was not sent before: the sentences, so many times. */
async function newRecording(times: number): Promise<{ audio: Uint8Array<ArrayBuffer>; seconds: number }> {
  recordings += 1;
  const sound = joinSounds(Array.from({ length: times }, () => sentences).flat(), 500 + 10 * recordings);
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'speech.flac');
  await writeSound(path, sound, 'flac');
  return { audio: new Uint8Array(await readFile(path)), seconds: Math.ceil(durationOf(sound) / 1_000) };
}

async function usedSeconds({ baseUrl }: Service, { key }: TestAccount): Promise<number> {
  const { body } = await request(`${baseUrl}/api/usage`, { headers: { 'x-api-key': key } });
  return (body['quotas'] as { stt_seconds: { used: number } }).stt_seconds.used;
}

/** Sends the same recording to the services in turn, all at once; returns the ids. */
async function submitTogether(services: readonly Service[], { key }: TestAccount, audio: Uint8Array<ArrayBuffer>) {
  const answers = await Promise.all(
    Array.from({ length: UPLOADS }, (_, index) => {
      const { baseUrl } = services[index % services.length]!;
      return request(`${baseUrl}/api/stt`, submission(audio, { api_key: key, skip_fusion: 'true' }));
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  return answers.map(requestIdOf);
}

/** Resolves when the recognition of a record, or of the one that it joined, has begun. */
async function untilAtWork({ baseUrl }: Service, id: string, { key }: TestAccount): Promise<void> {
  const leaving = new AbortController();
  const options = { headers: { 'x-api-key': key }, signal: leaving.signal };
  const response = await fetch(`${baseUrl}/api/speech-to-text/${id}/events`, options);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let events = '';
  while (!events.includes('"stage":"recognition"')) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the work ended before it was seen: ${events}`);
    events += value;
  }
  leaving.abort();
}

/** Returns the outcomes of several records of one recording. */
async function outcomeOf(service: Service, account: TestAccount, ids: readonly string[]) {
  const records = [];
  for (const id of ids) records.push(await waitForResult(service.baseUrl, id, { key: account.key, ...PATIENCE }));
  return {
    statuses: records.map(({ status }) => status),
    texts: new Set(records.map(({ transcription }) => transcription)).size,
    credits: records.map((record) => Number(record['credits_used'])).toSorted((a, b) => b - a),
    used: await usedSeconds(service, account),
  };
}

/** One of `count` records was charged, and all have the same text. */
const chargedOnce = (count: number, { seconds, before }: { seconds: number; before: number }) => ({
  statuses: Array.from({ length: count }, () => 'completed'),
  texts: 1,
  credits: [seconds, ...Array.from({ length: count - 1 }, () => 0)],
  used: before + seconds,
});

describe.each(databasesToTest())('the same recording, sent at once to two processes on $name,', (database) => {
  let opened: OpenedDatabase;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let start: () => Promise<Service>;
  let services: [Service, Service];
  let account: TestAccount;

  beforeAll(async () => {
    opened = await database.open();
    folder = await temporaryFolder();
    const env = {
      ...(opened.databaseUrl === null ? {} : { DATABASE_URL: opened.databaseUrl }),
      PLANS_FILE: await generousPlan(folder.path),
      WORKERS: '1',
      LOG_LEVEL: 'fatal',
    };
    start = () => startService(join(folder.path, 'data'), env);
    services = [await start(), await start()];
    account = await createAccount(services[0].baseUrl, 'pro', ['stt']);
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
    await opened.close();
    await folder[Symbol.asyncDispose]();
  });

  it('is transcribed once and charged once', { timeout: 120_000 }, async () => {
    const before = await usedSeconds(services[0], account);
    const { audio, seconds } = await newRecording(SHORT);
    const ids = await submitTogether(services, account, audio);
    expect(new Set(ids).size).toBe(UPLOADS);
    expect(await outcomeOf(services[1], account, ids)).toEqual(chargedOnce(UPLOADS, { seconds, before }));
  });

  // The work is done by one of the two: one of these kills ends it.
  it.each([
    ['the first process is killed', [0]],
    ['the second process is killed', [1]],
    ['both processes are killed', [0, 1]],
  ])('is transcribed for all and charged once when %s', { timeout: 240_000 }, async (_, killed) => {
    const before = await usedSeconds(services[0], account);
    const { audio, seconds } = await newRecording(LONG);
    const ids = await submitTogether(services, account, audio);
    await untilAtWork(services[0], ids[0]!, account);
    await Promise.all(killed.map((index) => services[index]!.kill()));
    for (const index of killed) services[index] = await start();
    expect(await outcomeOf(services[0], account, ids)).toEqual(chargedOnce(UPLOADS, { seconds, before }));
  });

  it('is transcribed for the others when the record at work is deleted in the other process', async () => {
    const before = await usedSeconds(services[0], account);
    const { audio, seconds } = await newRecording(LONG);
    const ids = await submitTogether(services, account, audio);
    await untilAtWork(services[0], ids[0]!, account);
    // One of them does the work; at least one of these deletions hands it to another record.
    const deleted = ids.slice(0, UPLOADS / 2);
    for (const [index, id] of deleted.entries()) {
      const headers = { 'x-api-key': account.key };
      const url = `${services[(index + 1) % 2]!.baseUrl}/api/speech-to-text/${id}`;
      expect((await request(url, { method: 'DELETE', headers })).status).toBe(200);
    }
    const left = ids.slice(deleted.length);
    expect(await outcomeOf(services[1], account, left)).toEqual(chargedOnce(left.length, { seconds, before }));
  }, 240_000);
});

it('each of two identical streams gets text before the end of the work, which is charged once', async () => {
  await using folder = await temporaryFolder();
  const plans = await generousPlan(folder.path);
  const service = await startService(join(folder.path, 'data'), { PLANS_FILE: plans, WORKERS: '1' });
  onTestFinished(() => void service.stop());
  const account = await createAccount(service.baseUrl, 'pro', ['stt']);
  const { audio, seconds } = await newRecording(LONG);
  /** The order in which events arrive, over all streams. */
  const arrived: string[] = [];
  const stream = async (name: string) => {
    const form = new FormData();
    form.append('language', 'yue');
    form.append('stream', 'true');
    form.append('file', new Blob([audio]), 'recording.flac');
    const headers = { authorization: `Bearer ${account.key}` };
    const response = await fetch(`${service.baseUrl}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      for (const [, type] of part.matchAll(/transcript\.text\.(delta|done)/g)) arrived.push(`${name} ${type}`);
    }
    return text;
  };
  const [first, second] = await Promise.all([stream('first'), stream('second')]);
  expect(deltas(first)?.length).toBeGreaterThan(5);
  expect(deltas(second)).toEqual(deltas(first));
  const end = arrived.findIndex((event) => event.endsWith('done'));
  for (const name of ['first', 'second']) {
    expect(arrived.slice(0, end).filter((event) => event === `${name} delta`).length).toBeGreaterThan(5);
  }
  expect(await usedSeconds(service, account)).toBe(seconds);
}, 120_000);
