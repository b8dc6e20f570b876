import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Jyutsing } from '@jyutsing/client';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { crashPostgres, signalPostgres } from '#testbed/servers/postgres-processes.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { mountSmallDisk } from '#testbed/servers/small-disk.ts';
import { openDatabaseProxy, type DatabaseProxy } from '#testbed/servers/tcp-proxy.ts';

const POLL = { timeout: 60_000, interval: 50 };
const SMALL_DISK_MIB = 24;
const postgres = databasesToTest().filter(({ name }) => name === 'postgres');

let audio: Uint8Array;
let recognizer: Awaited<ReturnType<typeof startRecognizer>>;
beforeAll(async () => {
  recognizer = await startRecognizer();
  audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
});
afterAll(() => recognizer.close());

const start = (dataDir: string, env: Record<string, string> = {}) =>
  startServiceHere(dataDir, { ...recognizer.settings, LOG_LEVEL: 'fatal', ...env });

/** The status and the sentence of /health. */
async function health({ baseUrl }: Pick<ServiceHere, 'baseUrl'>): Promise<string> {
  const { status, headers, body } = await request(`${baseUrl}/health`);
  if (status === 200) return '200';
  return `${status}${headers.has('retry-after') ? '' : ' without Retry-After'} ${String(body['message'])}`;
}

/** The status of a request that writes; 0 for 503 without Retry-After. */
async function write({ baseUrl }: Pick<ServiceHere, 'baseUrl'>): Promise<number> {
  const { status, headers } = await request(`${baseUrl}/api/corpora`, {
    method: 'POST',
    headers: { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'a corpus', language: 'cantonese', entries: [{ text: '點心' }] }),
  });
  return status === 503 && !headers.has('retry-after') ? 0 : status;
}

async function read({ baseUrl }: Pick<ServiceHere, 'baseUrl'>): Promise<number> {
  return (await request(`${baseUrl}/api/usage`, { headers: { 'x-api-key': OWNER_KEY } })).status;
}

/**
 * Submits recordings, again when refused as a client would: after lost connections more of them may
 * turn out to be dead, each with one refusal.
 */
async function submit({ baseUrl }: Pick<ServiceHere, 'baseUrl'>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const fields = { skip_fusion: 'true', context: crypto.randomUUID() };
    const attempt = async () => {
      const answer = await request(`${baseUrl}/api/stt`, submission(audio, fields));
      if (answer.status === 200) ids.push(requestIdOf(answer));
      return answer.status;
    };
    await expect.poll(attempt, POLL).toBe(200);
  }
  return ids;
}

async function expectAllCompleted(service: ServiceHere, ids: readonly string[]): Promise<void> {
  for (const id of ids) expect((await waitForResult(service.baseUrl, id))['status']).toBe('completed');
}

describe.each(postgres)('a service whose $name', (database) => {
  let opened: Awaited<ReturnType<typeof database.open>>;
  let proxy: DatabaseProxy;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  /** Serves all tests whose fault is in the connection: it goes on after each. */
  let service: ServiceHere;
  beforeAll(async () => {
    opened = await database.open();
    proxy = await openDatabaseProxy(opened.databaseUrl ?? '');
    folder = await temporaryFolder();
    service = await start(folder.path, { DATABASE_URL: proxy.databaseUrl });
  });
  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
    await proxy.close();
    await opened.close();
  });

  const faults: [name: string, begin: () => unknown, end: () => unknown][] = [
    ['is unreachable without a sign', () => proxy.freeze(), () => proxy.resume()],
    ['refuses connections', () => proxy.refuse(), () => proxy.accept()],
    [
      'is suspended',
      () => signalPostgres(opened.databaseUrl ?? '', 'SIGSTOP'),
      () => signalPostgres(opened.databaseUrl ?? '', 'SIGCONT'),
    ],
  ];

  it.each(faults)('%s answers 503, says so, and goes on afterwards', { timeout: 120_000 }, async (_, begin, end) => {
    const accepted = await submit(service, 3);
    await begin();
    await expect.poll(() => health(service), POLL).toBe('503 The database does not answer; try again shortly.');
    expect([await read(service), await write(service)]).toEqual([503, 503]);
    await end();
    await expect.poll(() => health(service), POLL).toBe('200');
    await expect.poll(() => write(service), POLL).toBe(200);
    await expectAllCompleted(service, [...accepted, ...(await submit(service, 1))]);
  });

  it('loses every connection, crashes or forgets them, loses no accepted request', { timeout: 120_000 }, async () => {
    const accepted = [];
    for (const fault of [proxy.reset, proxy.forget, () => crashPostgres(opened.databaseUrl ?? '')]) {
      accepted.push(...(await submit(service, 2)));
      fault();
      await expect.poll(() => write(service), POLL).toBe(200);
      await expect.poll(() => health(service), POLL).toBe('200');
    }
    await expectAllCompleted(service, accepted);
  });

  it.each([
    ['a recording', 1],
    ['a batch', 2],
  ])('loses the answer of a commit keeps %s for the repeated request', { timeout: 120_000 }, async (_, files) => {
    const form = new FormData();
    form.append('context', `kept ${files}`);
    for (let file = 1; file <= files; file += 1)
      form.append('data', new Blob([new Uint8Array(audio), new Uint8Array(file)]), `${file}.wav`);
    const headers = { 'x-api-key': OWNER_KEY, 'idempotency-key': `kept ${files}` };
    const send = () => request(`${service.baseUrl}/api/stt`, { method: 'POST', headers, body: form });
    proxy.loseAnswer('insert into "transcriptions"', 'commit');
    expect(await send()).toMatchObject({ status: 500, body: { error: { code: 'outcome_unknown' } } });
    let answer = await send();
    for (; answer.status === 503; answer = await send());
    const { data } = answer.body as { data?: { transcriptions?: { request_id: string }[] } };
    const ids = data?.transcriptions?.map((record) => record.request_id) ?? [requestIdOf(answer)];
    expect(ids).toHaveLength(files);
    await expectAllCompleted(service, ids);
  });

  it('loses the answer of a change is not asked twice for it by the client', { timeout: 120_000 }, async () => {
    const client = new Jyutsing({ baseUrl: service.baseUrl, apiKey: OWNER_KEY });
    const unknown = { code: 'outcome_unknown', status: 500 };
    const name = `one ${crypto.randomUUID()}`;
    const count = (found: readonly { name: string }[]) => found.filter((candidate) => candidate.name === name).length;

    proxy.loseAnswer('insert into "corpora"', 'commit');
    const corpus = { name, language: 'cantonese', entries: [{ text: '點心' }] } as const;
    await expect(client.corpora.create(corpus)).rejects.toMatchObject(unknown);
    expect(count(await client.corpora.list())).toBe(1);

    proxy.loseAnswer('insert into "accounts"', 'insert into "accounts"');
    await expect(client.accounts.create({ name, plan: 'free' })).rejects.toMatchObject(unknown);
    expect(count(await client.accounts.list())).toBe(1);

    const job = await client.transcriptions.submit(new Blob([new Uint8Array(audio)]), { fusion: false });
    await job.wait();
    proxy.loseAnswer('"edit_version" = "edit_version" + ', 'commit');
    await expect(job.save({ title: 'mine' })).rejects.toMatchObject(unknown);
  });

  it('loses the answer of a deletion deletes the recording all the same', { timeout: 120_000 }, async () => {
    const kept = join(folder.path, 'blobs', 'recordings');
    const id = requestIdOf(await request(`${service.baseUrl}/api/stt`, submission(audio, { keep_audio: 'true' })));
    await waitForResult(service.baseUrl, id);
    expect(await readdir(kept)).toHaveLength(1);
    proxy.loseAnswer('delete from "transcriptions"', 'commit');
    const headers = { 'x-api-key': OWNER_KEY };
    const { status } = await request(`${service.baseUrl}/api/speech-to-text/${id}`, { method: 'DELETE', headers });
    expect(status).toBe(500);
    await expect.poll(() => readdir(kept), POLL).toEqual([]);
  });

  it('was gone several times, and just forgot every connection, stops in order', async () => {
    proxy.forget();
    expect(await service.stop()).toBe(true);
  });
});

describe.each(postgres)('a service whose $name', (database) => {
  it('has space, but not the disk of DATA_DIR, answers 503 to uploads and says so', async ({ skip }) => {
    const disk = await mountSmallDisk(SMALL_DISK_MIB);
    if (disk === null) return skip('this user may not mount a disk');
    await using mounted = disk;
    const opened = await database.open();
    onTestFinished(opened.close);
    const env = { DATABASE_URL: opened.databaseUrl ?? '', DISK_RESERVE_MIB: '0' };
    const service = await start(mounted.path, env);
    const accepted = await submit(service, 2);
    await mounted.fill();
    expect(await health(service)).toMatch(/^503 The disk of DATA_DIR has less free space/);
    const refused = await request(`${service.baseUrl}/api/stt`, submission(audio, { context: 'full' }));
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
    expect(await write(service)).toBe(200);
    await mounted.free();
    await expect.poll(() => health(service), POLL).toBe('200');
    await expectAllCompleted(service, [...accepted, ...(await submit(service, 1))]);
    expect(await service.stop()).toBe(true);
  });
});

describe('a service whose SQLite database', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: ServiceHere;
  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await start(folder.path);
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  it('is locked by another program answers other requests, 503 to those that write, and goes on afterwards', async () => {
    const accepted = await submit(service, 2);
    const foreign = new Sqlite(join(folder.path, 'jyutsing.db'));
    foreign.exec('begin immediate');
    const writing = write(service);
    let readings = 0;
    const isAnswered = { value: false };
    void writing.finally(() => (isAnswered.value = true));
    // The requests follow one another: blocked by the lock, the first would be answered after the
    // writing one, and no second one before it.
    while (!isAnswered.value) {
      expect(await read(service)).toBe(200);
      readings += 1;
    }
    expect(await writing).toBe(503);
    expect(readings).toBeGreaterThan(1);
    await expect
      .poll(() => health(service), POLL)
      .toBe('503 The database is locked by another program; try again shortly.');
    foreign.exec('commit');
    foreign.close();
    await expect.poll(() => health(service), POLL).toBe('200');
    expect(await write(service)).toBe(200);
    await expectAllCompleted(service, accepted);
  });

  it('was deleted accepts nothing that would be lost, and goes on when it is back', async () => {
    const [path, movedPath] = [join(folder.path, 'jyutsing.db'), join(folder.path, 'moved.db')];
    const gone = /^503 The file of the database was deleted or replaced/;
    await rename(path, movedPath);
    expect(await health(service)).toMatch(gone);
    expect(await write(service)).toBe(503);
    // Noticed by reads a moment later, because they are frequent.
    await expect.poll(() => read(service), POLL).toBe(503);
    new Sqlite(path).close();
    expect(await health(service)).toMatch(gone);
    expect(await write(service)).toBe(503);
    await rm(path);
    await rename(movedPath, path);
    expect(await health(service)).toBe('200');
    expect(await write(service)).toBe(200);
    await expect.poll(() => read(service), POLL).toBe(200);
    expect(await service.stop()).toBe(true);
  });

  it('is on a full disk answers 503, says so, and goes on when space is freed', async ({ skip }) => {
    const disk = await mountSmallDisk(SMALL_DISK_MIB);
    if (disk === null) return skip('this user may not mount a disk');
    await using mounted = disk;
    const service = await start(mounted.path, { DISK_RESERVE_MIB: '0' });
    const accepted = await submit(service, 4);
    await mounted.fill();
    expect(await health(service)).toMatch(/^503 The disk of the database is full/);
    await expect.poll(() => write(service), POLL).toBe(503);
    expect(await read(service)).toBe(200);
    const upload = await request(`${service.baseUrl}/api/stt`, submission(new Uint8Array(2 * 1_024 ** 2)));
    expect(upload.status).toBe(503);
    await mounted.free();
    await expect.poll(() => health(service), POLL).toBe('200');
    expect(await write(service)).toBe(200);
    await expectAllCompleted(service, [...accepted, ...(await submit(service, 1))]);
    expect(await service.stop()).toBe(true);
  });
});
