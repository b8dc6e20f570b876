import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import { runCommandHere } from '#test/command-here.ts';
import { startServiceHere } from '#test/service-here.ts';
import { databasesToTest, type OpenedDatabase } from '#testbed/servers/postgres.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
  type Service,
} from '#testbed/service/service.ts';
import { COPIED_TABLES } from '../../server/store/copy-tables.ts';

const CLI = join(import.meta.dirname, '../../cli/main.ts');
const HEADERS = { 'x-api-key': OWNER_KEY };
const WAITING = 6;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let target: OpenedDatabase;
let recognizer: Awaited<ReturnType<typeof startRecognizer>>;
let env: Record<string, string>;
let done: string;
let waiting: string[];
let expected: unknown;
let audio: Uint8Array;
let whileRunning: { code: number | null; errors: string };

const post = (service: Pick<Service, 'baseUrl'>, path: string, body: unknown) => {
  const headers = { ...HEADERS, 'content-type': 'application/json' };
  return request(`${service.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
};

/** Returns all that a client sees: a record, its sound, word lists, accounts, use. */
async function answers({ baseUrl }: Pick<Service, 'baseUrl'>): Promise<unknown> {
  const read = async (path: string) => (await request(`${baseUrl}${path}`, { headers: HEADERS })).body;
  const sound = await fetch(`${baseUrl}/api/speech-to-text/${done}/audio`, { headers: HEADERS });
  return {
    record: await read(`/api/speech-to-text/get-result?id=${done}`),
    transcript: await read(`/api/speech-to-text/${done}.json`),
    soundBytes: (await sound.arrayBuffer()).byteLength,
    corpora: await read('/api/corpora'),
    accounts: await read('/api/admin/accounts'),
    usage: await read('/api/usage'),
  };
}

const migration = () => ['migrate', '--to', target.databaseUrl ?? '', '--json'];

/** In a process of its own, which can be killed. */
function startMigration() {
  return spawn(process.execPath, [CLI, ...migration()], { env: { ...baseEnvironment(), DATA_DIR: dataDir } });
}

const migrate = (...options: string[]) => runCommandHere([...migration(), ...options], { DATA_DIR: dataDir });

/** A service on SQLite with work that is done, and work that it accepted and did not begin. */
beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  target = await databasesToTest()
    .find(({ name }) => name === 'postgres')!
    .open();
  audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
  recognizer = await startRecognizer('呢間餐廳啲點心好好食。');
  env = { ...recognizer.settings, WORKERS: '1' };
  const before = await startServiceHere(dataDir, env);
  done = requestIdOf(await request(`${before.baseUrl}/api/stt`, submission(audio, { keep_audio: 'true' })));
  await waitForResult(before.baseUrl, done);
  await post(before, '/api/corpora', { name: '食物', language: 'cantonese', entries: [{ text: '點心' }] });
  await post(before, '/api/admin/accounts', { name: '市場部', plan: 'starter' });
  const refused = startMigration();
  const [errors] = await Promise.all([text(refused.stderr), once(refused, 'exit')]);
  whileRunning = { code: refused.exitCode, errors };
  await before.stop();

  const accepting = await startService(dataDir, { ...env, ROLES: 'api' });
  const submit = async (_: unknown, index: number) =>
    requestIdOf(
      await request(
        `${accepting.baseUrl}/api/stt`,
        submission(audio, { context: `topic ${index}`, skip_fusion: 'true' }),
      ),
    );
  const submitting = Array.from({ length: WAITING }, submit);
  waiting = await Promise.all(submitting);
  expected = await answers(accepting);
  // Work of a process that died is given back or goes on in the new database too.
  await accepting.kill();
});
afterAll(async () => {
  await recognizer.close();
  await target.close();
  await folder[Symbol.asyncDispose]();
});

it('refuses to move the database of a service that runs', () => {
  expect(whileRunning.code).toBe(1);
  expect(whileRunning.errors).toMatch(/^Stop the service first: the process \d+ still uses the database\.\n$/);
});

it('refuses to move the database of a service that runs where its process cannot be seen', async () => {
  const database = new Sqlite(join(dataDir, 'jyutsing.db'));
  database
    .prepare(`insert into workers (id, host, pid, beat_at_ms) values ('container', 'elsewhere', 4000000, ?)`)
    .run(Date.now());
  const refused = await migrate();
  database.exec(`delete from workers where id = 'container'`);
  database.close();
  expect(refused.code).toBe(1);
  expect(refused.errors).toMatch(/^Stop the service first: the process 4000000 .* in another container; .*\.\n$/);
});

it('names every table, so that none is forgotten', () => {
  const database = new Sqlite(join(dataDir, 'jyutsing.db'), { readonly: true });
  const tables = database.prepare(`select name from sqlite_master where type = 'table'`).all() as { name: string }[];
  database.close();
  // The index of the search is made again from the transcripts.
  const index = ['transcript_texts', 'unindexed_transcripts'];
  const remade = [
    ...index,
    'database_identity',
    'stored_text_totals',
    'jobs',
    'job_claims',
    'job_turns',
    'present_turns',
  ];
  const ownTables = tables
    .map(({ name }) => name)
    .filter((name) => !/^(?:kysely_|sqlite_|transcript_index)/.test(name));
  expect(ownTables.toSorted()).toEqual([...COPIED_TABLES, ...remade].toSorted());
});

it('moves everything that a service has, after a trial and an interruption, and what waited goes on', async () => {
  const trial = await migrate('--dry-run');
  expect(trial).toMatchObject({ code: 0 });
  expect(JSON.parse(trial.output)).toMatchObject({
    jobs: WAITING,
    dry_run: true,
    rows: { transcriptions: WAITING + 1 },
  });

  const interrupted = startMigration();
  const exited = once(interrupted, 'exit');
  // The command has begun to copy; its transaction is never committed.
  await once(interrupted.stderr, 'data');
  interrupted.kill('SIGKILL');
  await exited;

  const moved = await migrate();
  expect(moved).toMatchObject({ code: 0 });
  expect(JSON.parse(moved.output)).toEqual({ ...JSON.parse(trial.output), dry_run: false });
  expect(moved.errors).not.toContain('postgres:');

  const late = await runCommandHere(['accounts', 'list'], { DATA_DIR: dataDir });
  expect(late.errors).toMatch(/^The database in DATA_DIR was moved to PostgreSQL: set DATABASE_URL, or /);

  const there = { ...env, DATABASE_URL: target.databaseUrl ?? '' };
  const reading = await startServiceHere(dataDir, { ...there, ROLES: 'api' });
  expect(await answers(reading)).toEqual(expected);
  await reading.stop();
  const after = await startServiceHere(dataDir, there);
  const records = await Promise.all(waiting.map((id) => waitForResult(after.baseUrl, id)));
  expect(records.map(({ status }) => status)).toEqual(waiting.map(() => 'completed'));
  await after.stop();
});

it('refuses a database that was moved or has accounts, and one that does not exist', async () => {
  expect(await migrate()).toMatchObject({
    code: 1,
    errors: expect.stringContaining('The database in DATA_DIR was moved to PostgreSQL'),
  });
  await rm(join(dataDir, 'jyutsing.db.moved'));
  expect(await migrate()).toMatchObject({
    code: 1,
    errors: 'The target has or had accounts already; move into an empty database.\n',
  });
  const nowhere = new URL(target.databaseUrl ?? '');
  nowhere.pathname = '/nowhere';
  expect(await migrate('--to', nowhere.href)).toMatchObject({
    code: 1,
    errors: '--to: the server answered "database "nowhere" does not exist".\n',
  });
});
