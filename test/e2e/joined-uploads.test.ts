import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAccount, type TestAccount } from '#testbed/service/accounts.ts';
import { writeSound } from '#testbed/sound/audio.ts';
import { durationOf, joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startServiceHere } from '#test/service-here.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import { databasesToTest, type OpenedDatabase } from '#testbed/servers/postgres.ts';
import {
  request,
  requestIdOf,
  sharedService,
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
/** On a busy machine the first recording of a process may take many seconds to begin. */
const PATIENCE_TO_BEGIN = { timeout: 120_000, interval: 100 };

/** The deltas of a stream of OpenAI's events. */
const deltas = (text: string) => text.match(/"delta":"[^"]*"/g);

let recordings = 0;
/** A recording that was not sent before: so many sentences. */
async function newRecording(count: number): Promise<{ audio: Uint8Array<ArrayBuffer>; seconds: number }> {
  recordings += 1;
  const texts = ['今日天氣好好', '我哋去公園行下', '聽日可能會落雨', '記得帶遮出門口', '呢間餐廳啲點心好好食'];
  const sentences = await Promise.all(texts.map((text) => speak(toJyutping(text))));
  const sound = joinSounds(
    Array.from({ length: count }, (_, index) => sentences[index % sentences.length]!),
    500 + 10 * recordings,
  );
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'speech.flac');
  await writeSound(path, sound, 'flac');
  return { audio: new Uint8Array(await readFile(path)), seconds: Math.ceil(durationOf(sound) / 1_000) };
}

async function usedSeconds({ baseUrl }: Pick<Service, 'baseUrl'>, { key }: TestAccount): Promise<number> {
  const { body } = await request(`${baseUrl}/api/usage`, { headers: { 'x-api-key': key } });
  return (body['quotas'] as { stt_seconds: { used: number } }).stt_seconds.used;
}

/** Sends the same recording to the services in turn, so often at once; returns the ids. */
async function submitTogether(
  services: readonly Service[],
  { key }: TestAccount,
  audio: Uint8Array<ArrayBuffer>,
  count: number,
) {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const { baseUrl } = services[index % services.length]!;
      return request(`${baseUrl}/api/stt`, submission(audio, { api_key: key, skip_fusion: 'true' }));
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  return answers.map(requestIdOf);
}

/** Returns the outcomes of several records of one recording. */
async function outcomeOf(service: Pick<Service, 'baseUrl'>, account: TestAccount, ids: readonly string[]) {
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

/**
 * The kills, and how often the work is begun after them. One database suffices for a kill: how the
 * leases of both end is tested in server/queue.
 */
const KILLS = {
  postgres: [
    ['the process that does not work on it is', (atWork: 0 | 1) => [1 - atWork], 1],
    ['the process that works on it is', (atWork: 0 | 1) => [atWork], 2],
  ],
  sqlite: [['both processes are', () => [0, 1], 2]],
} satisfies Record<string, [killed: string, choose: (atWork: 0 | 1) => number[], attempts: number][]>;

/** Both processes ask this server to recognize, each with a key of its own. */
const KEYS = ['first', 'second'] as const;
/** The text of each attempt differs, so that a second attempt is seen in the records. */
const TEXTS = ['今日天氣好好', '我哋去公園', '聽日會落雨', '記得帶遮'];

describe.each(databasesToTest())('the same recording, sent at once to two processes on $name,', (database) => {
  let opened: OpenedDatabase;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let recognizer: Awaited<ReturnType<typeof startRecognizer>>;
  let env: Record<string, string>;
  /** Those that run. */
  const services = new Map<number, Service>();
  let account: TestAccount;

  beforeAll(async () => {
    [opened, folder, recognizer] = await Promise.all([database.open(), temporaryFolder(), startRecognizer()]);
    env = {
      ...(opened.databaseUrl === null ? {} : { DATABASE_URL: opened.databaseUrl }),
      PLANS_FILE: await generousPlan(folder.path),
      ...recognizer.settings,
      WORKERS: '1',
      LOG_LEVEL: 'fatal',
    };
    const [first] = await bothServices();
    account = await createAccount(first.baseUrl, 'pro', ['stt']);
  });
  afterAll(async () => {
    await recognizer.close();
    for (const service of services.values()) await service.stop();
    await opened.close();
    await folder[Symbol.asyncDispose]();
  });

  const settingsOf = (index: number) => ({ ...env, STT_API_KEY: KEYS[index]! });

  async function startUnlessRunning(index: number): Promise<Service> {
    const service = services.get(index) ?? (await startService(join(folder.path, 'data'), settingsOf(index)));
    services.set(index, service);
    return service;
  }
  const bothServices = async () => [await startUnlessRunning(0), await startUnlessRunning(1)] as const;

  /**
   * Sends a new recording to both processes, so often at once, and resolves when one of them is at
   * work on it, which it cannot end before `release` is called.
   */
  async function beginTogether(count = UPLOADS) {
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    recognizer.uploads.length = 0;
    recognizer.behave((_, index) => ({
      kind: 'held',
      until,
      next: { kind: 'transcription', text: TEXTS[index % TEXTS.length]! },
    }));
    const both = await bothServices();
    const before = await usedSeconds(both[0], account);
    const { audio, seconds } = await newRecording(1);
    const ids = await submitTogether(both, account, audio, count);
    await vi.waitFor(() => expect(recognizer.uploads).toHaveLength(1), PATIENCE_TO_BEGIN);
    const atWork = KEYS.findIndex((key) => recognizer.uploads[0]?.authorization === `Bearer ${key}`) as 0 | 1;
    return { both, audio, ids, seconds, before, atWork, release };
  }

  it('is transcribed once and charged once', { timeout: 240_000 }, async () => {
    const { both, ids, seconds, before, release } = await beginTogether();
    release();
    expect(new Set(ids).size).toBe(UPLOADS);
    expect(await outcomeOf(both[1], account, ids)).toEqual(chargedOnce(UPLOADS, { seconds, before }));
    expect(recognizer.uploads).toHaveLength(1);
  });

  it('is transcribed for the others when the record at work is deleted in the other process', async () => {
    const { both, audio, ids, seconds, before, atWork, release } = await beginTogether(1);
    const joined = await submitTogether(both, account, audio, UPLOADS - 1);
    const headers = { 'x-api-key': account.key };
    const url = `${both[1 - atWork]!.baseUrl}/api/speech-to-text/${ids[0]}`;
    expect((await request(url, { method: 'DELETE', headers })).status).toBe(200);
    await vi.waitFor(() => expect(recognizer.uploads.length).toBeGreaterThan(1), PATIENCE_TO_BEGIN);
    release();
    expect(await outcomeOf(both[1], account, joined)).toEqual(chargedOnce(joined.length, { seconds, before }));
  });

  it.each(KILLS[database.name])(
    'is transcribed for all and charged once when %s killed',
    { timeout: 240_000 },
    async (_, choose, attempts) => {
      const { both, ids, seconds, before, atWork, release } = await beginTogether();
      const killed = choose(atWork);
      for (const index of killed) services.delete(index);
      await Promise.all(killed.map((index) => both[index]!.kill()));
      release();
      const [left = await restarted()] = services.values();
      expect(await outcomeOf(left, account, ids)).toEqual(chargedOnce(UPLOADS, { seconds, before }));
      expect(recognizer.uploads).toHaveLength(attempts);
    },
  );

  async function restarted(): Promise<Pick<Service, 'baseUrl'>> {
    const service = await startServiceHere(join(folder.path, 'data'), settingsOf(0));
    onTestFinished(async () => void (await service.stop()));
    return service;
  }
});

it('each of two identical streams gets text before the end of the work, which is charged once', async () => {
  const service = await sharedService();
  const account = await createAccount(service.baseUrl, 'pro', ['stt']);
  const { audio, seconds } = await newRecording(40);
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
  // How many come before the end depends on the machine, which may be slow to look for them.
  const beforeEnd = arrived.slice(
    0,
    arrived.findIndex((event) => event.endsWith('done')),
  );
  expect(beforeEnd).toEqual(expect.arrayContaining(['first delta', 'second delta']));
  expect(await usedSeconds(service, account)).toBe(seconds);
});
