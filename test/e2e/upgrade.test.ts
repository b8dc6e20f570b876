import { createHash, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { databasesToTest, type TestedDatabase } from '#testbed/servers/postgres.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { request, temporaryFolder, waitForResult, type Answer } from '#testbed/service/service.ts';
import { MIGRATIONS } from '../../server/store/migrations/migrate.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { openSqlite } from '../../server/store/sqlite.ts';

const KEY = 'jyut_a_key_of_the_first_version_0123';
const HEADERS = { 'x-api-key': KEY };
const ACCOUNT = '11111111-1111-4111-8111-111111111111';
const DONE = '22222222-2222-4222-8222-222222222222';
const FAILED = '33333333-3333-4333-8333-333333333333';
const WAITING = '44444444-4444-4444-8444-444444444444';

/** The first version wrote results with neither the name of a recognizer nor a correction. */
const OPTIONS = {
  language: 'cantonese',
  withTimestamp: false,
  withDiarization: false,
  context: null,
  skipFusion: false,
  corpusIds: null,
};
const word = (text: string, reading: string, startMs: number) => ({
  text,
  reading,
  startMs,
  endMs: startMs + 300,
  confidence: 0.9,
});
const RESULT = {
  language: 'cantonese',
  segments: [
    {
      text: '你好',
      startMs: 0,
      endMs: 600,
      words: [word('你', 'nei5', 0), word('好', 'hou2', 300)],
      speaker: null,
      confidence: 0.9,
    },
  ],
  durationMs: 1_000,
  transcriptionSeconds: 0.5,
  fusionSeconds: 0,
  isCached: false,
};

/** The database of the first version with an account, a key, use of a quota and three records. */
async function writeFirstVersion(db: Kysely<unknown>, blobKey: string, sizeBytes: number): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateTo('0002-jobs');
  if (error !== undefined) throw error;
  const nowMs = Date.now();
  const month = new Date(nowMs).toISOString().slice(0, 7);
  const hash = createHash('sha256').update(KEY).digest('hex');
  await sql`insert into accounts (id, name, plan, blocked, created_at_ms) values (${ACCOUNT}, 'First', 'pro', 0, ${nowMs})`.execute(
    db,
  );
  await sql`insert into first_account (id, account_id) values (1, ${ACCOUNT})`.execute(db);
  await sql`insert into api_keys (id, account_id, name, prefix, sha256, scopes, revoked, created_at_ms)
    values (${randomUUID()}, ${ACCOUNT}, 'key', 'jyut_a_k', ${hash}, '["stt","admin"]', 0, ${nowMs})`.execute(db);
  await sql`insert into quota_usage (account_id, unit, period, used) values (${ACCOUNT}, 'stt_seconds', ${month}, 80)`.execute(
    db,
  );
  const addRecord = (id: string, status: string, fields: { result?: object; error?: object; blobKey?: string }) => {
    const isFinal = status !== 'pending';
    return sql`insert into transcriptions (id, account_id, status, blob_key, content_sha256, size_bytes, options,
        duration_ms, output_language, backend, processed_ms, result, error, processing_seconds, credits_used,
        created_at_ms, started_at_ms, progress_at_ms, finished_at_ms)
      values (${id}, ${ACCOUNT}, ${status}, ${fields.blobKey ?? null}, ${'0'.repeat(64)}, ${sizeBytes}, ${JSON.stringify(OPTIONS)},
        1000, 'cantonese', 'builtin', 0, ${fields.result === undefined ? null : JSON.stringify(fields.result)},
        ${fields.error === undefined ? null : JSON.stringify(fields.error)}, ${isFinal ? 0.5 : null}, ${isFinal ? 1 : null},
        ${nowMs}, ${isFinal ? nowMs : null}, ${nowMs}, ${isFinal ? nowMs : null})`.execute(db);
  };
  await addRecord(DONE, 'completed', { result: RESULT });
  await addRecord(FAILED, 'failed', { error: { code: 'corrupt_audio', message: 'The audio file is damaged.' } });
  await addRecord(WAITING, 'pending', { blobKey });
  await sql`insert into quota_reservations (request_id, id, account_id, unit, period, amount, created_at_ms)
    values (${WAITING}, ${randomUUID()}, ${ACCOUNT}, 'stt_seconds', ${month}, 3, ${nowMs})`.execute(db);
  await sql`insert into jobs (id, name, payload, turn, state, attempt, run_at_ms)
    values (${randomUUID()}, 'transcribe', ${JSON.stringify({ transcriptionId: WAITING })}, 1, 'waiting', 0, ${nowMs})`.execute(
    db,
  );
}

type Upgraded = { service: ServiceHere; read(path: string): Promise<Answer>; close(): Promise<void> };

/** Starts this version on a database of the first one, with a recording that waits. */
async function startUpgraded(database: TestedDatabase, folder: string): Promise<Upgraded> {
  const dataDir = join(folder, 'data');
  const audio = wavBytes(await speak(toJyutping('聽日見。')));
  const blobKey = `uploads/${randomUUID()}`;
  await mkdir(join(dataDir, 'blobs/uploads'), { recursive: true, mode: 0o700 });
  await writeFile(join(dataDir, 'blobs', blobKey), audio, { mode: 0o600 });
  const opened = await database.open();
  const connection = await (opened.databaseUrl === null ? openSqlite(dataDir) : openPostgres(opened.databaseUrl));
  await writeFirstVersion(connection.writer as Kysely<unknown>, blobKey, audio.length);
  await connection.close();
  const env = { DATABASE_URL: opened.databaseUrl ?? '', WORKERS: '1', BOOTSTRAP_API_KEY: '' };
  const service = await startServiceHere(dataDir, env);
  return {
    service,
    read: (path) => request(`${service.baseUrl}${path}`, { headers: HEADERS }),
    async close() {
      await service.stop();
      await opened.close();
    },
  };
}

const usedOf = (body: Record<string, unknown>) =>
  (body['quotas'] as { stt_seconds: { used: number } }).stt_seconds.used;

describe.each(databasesToTest())('the data of the first version on $name', (database) => {
  it('is answered by this version: keys, records in every format, and use', async () => {
    await using folder = await temporaryFolder();
    const { service, read, close } = await startUpgraded(database, folder.path);
    const result = (id: string) => read(`/api/speech-to-text/get-result?id=${id}`);
    const text = async (format: string) =>
      (await fetch(`${service.baseUrl}/api/speech-to-text/${DONE}.${format}`, { headers: HEADERS })).text();
    expect((await result(DONE)).body).toMatchObject({
      success: true,
      transcription: { status: 'completed', transcription: '你好', duration_s: 1, credits_used: 1 },
    });
    expect((await result(FAILED)).body).toMatchObject({
      transcription: { status: 'failed', error: 'The audio file is damaged.', error_code: 'corrupt_audio' },
    });
    expect(await text('txt')).toBe('你好\n');
    expect(await text('srt')).toMatch(/^1\n00:00:00,000 --> 00:00:00,600\n你好\n/);
    expect(JSON.parse(await text('json'))).toMatchObject({ segments: [{ text: '你好', start: 0, end: 0.6 }] });
    const { body: usage } = await read('/api/usage');
    expect(usage).toMatchObject({ plan: 'pro' });
    // 77 seconds were used, and the waiting record held three more.
    expect(usedOf(usage)).toBeGreaterThan(77);
    expect(usedOf(usage)).toBeLessThanOrEqual(80);
    await close();
  });
});

// The jobs of the first version in PostgreSQL are in tables of pg-boss, which upgrades them itself.
it('what waited in the first version on SQLite is transcribed and charged', async () => {
  await using folder = await temporaryFolder();
  const sqlite = databasesToTest().find(({ name }) => name === 'sqlite')!;
  const { service, read, close } = await startUpgraded(sqlite, folder.path);
  const record = await waitForResult(service.baseUrl, WAITING, { key: KEY });
  expect(record).toMatchObject({ status: 'completed', transcription: expect.stringContaining('聽日') });
  expect(usedOf((await read('/api/usage')).body)).toBe(77 + Number(record['credits_used']));
  await close();
});
