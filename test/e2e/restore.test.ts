import { execFileSync } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import { startServiceHere } from '#test/service-here.ts';
import { s3Environment, startS3 } from '#testbed/servers/s3-server.ts';
import { databasesToTest, findBinaries } from '#testbed/servers/postgres.ts';
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

const SENTENCE = '呢間餐廳啲點心好好食。';
const HEADERS = { 'x-api-key': OWNER_KEY };
const CORPUS = { name: 'Food', language: 'cantonese', entries: [{ text: '點心' }] };

/** The database of a running service into an empty one, as docs/operations.md does it. */
const RESTORE = {
  sqlite: (from: { folder: string }, to: { folder: string }) => {
    const database = new Sqlite(join(from.folder, 'jyutsing.db'), { readonly: true });
    database.prepare('vacuum into ?').run(join(to.folder, 'jyutsing.db'));
    database.close();
  },
  postgres: (from: { folder: string; url: string | null }, to: { url: string | null }) => {
    const dump = join(from.folder, 'jyutsing.dump');
    const programs = findBinaries() ?? '';
    execFileSync(join(programs, 'pg_dump'), ['--format=custom', `--file=${dump}`, from.url ?? '']);
    execFileSync(join(programs, 'pg_restore'), ['--no-owner', `--dbname=${to.url ?? ''}`, dump]);
  },
};

async function answers({ baseUrl }: Pick<Service, 'baseUrl'>, id: string) {
  const record = await request(`${baseUrl}/api/speech-to-text/get-result?id=${id}`, { headers: HEADERS });
  const audio = await fetch(`${baseUrl}/api/speech-to-text/${id}/audio`, { headers: HEADERS });
  const corpora = await request(`${baseUrl}/api/corpora`, { headers: HEADERS });
  const usage = await request(`${baseUrl}/api/usage`, { headers: HEADERS });
  const recording = Buffer.from(await audio.arrayBuffer()).toString('base64');
  const bodies = [record, corpora, usage].map(({ status, body }) => ({ status, body }));
  return { bodies, status: audio.status, recording };
}

type Blobs = 'a folder' | 'S3';

/** The blobs of an installation as a folder of this machine: those of S3 are files too. */
async function openBlobs(blobs: Blobs, folder: string): Promise<{ path: string; env: Record<string, string> }> {
  if (blobs === 'a folder') return { path: join(folder, 'blobs'), env: {} };
  const bucket = join(folder, 'bucket');
  const s3 = await startS3(bucket);
  onTestFinished(s3.stop);
  return { path: bucket, env: s3Environment(`http://127.0.0.1:${s3.port}`) };
}

const databases = databasesToTest();
/** The blobs of one database in a bucket are enough: the database does not know where they are. */
const CASES = [
  ...databases.map((database) => ({ database, blobs: 'a folder' as Blobs })),
  { database: databases.at(-1)!, blobs: 'S3' as Blobs },
];

describe.each(CASES)('a backup of a running service on $database.name with blobs in $blobs', ({ database, blobs }) => {
  const open = async (parent: string, name: string) => {
    const path = join(parent, name);
    await mkdir(path, { mode: 0o700 });
    const opened = await database.open();
    const kept = await openBlobs(blobs, path);
    const env = { DATABASE_URL: opened.databaseUrl ?? '', ...kept.env };
    return { folder: path, url: opened.databaseUrl, env, blobs: kept.path, opened };
  };

  it('is restored on an empty machine with the same answers, and what waited is transcribed', async () => {
    await using folder = await temporaryFolder();
    const audio = wavBytes(await speak(toJyutping(SENTENCE)));
    const [old, fresh] = await Promise.all([open(folder.path, 'old'), open(folder.path, 'new')]);
    const recognizer = await startRecognizer(SENTENCE);
    onTestFinished(recognizer.close);
    const settings = { ...recognizer.settings, WORKERS: '1' };
    const before = await startService(old.folder, { ...old.env, ...settings });
    const id = requestIdOf(await request(`${before.baseUrl}/api/stt`, submission(audio, { keep_audio: 'true' })));
    expect(await waitForResult(before.baseUrl, id)).toMatchObject({ status: 'completed' });
    const corpus = {
      method: 'POST',
      headers: { ...HEADERS, 'content-type': 'application/json' },
      body: JSON.stringify(CORPUS),
    };
    expect((await request(`${before.baseUrl}/api/corpora`, corpus)).status).toBe(200);

    // It is accepted, and not transcribed before the backup.
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    recognizer.behave(() => ({ kind: 'held', until, next: { kind: 'transcription', text: SENTENCE } }));
    const fields = { keep_audio: 'true', context: 'another' };
    const waiting = requestIdOf(await request(`${before.baseUrl}/api/stt`, submission(audio, fields)));
    await vi.waitFor(() => expect(recognizer.busy()).toBe(1), { timeout: 60_000 });
    const expected = await answers(before, id);
    expect([expected.status, ...expected.bodies.map(({ status }) => status)]).toEqual([200, 200, 200, 200]);
    RESTORE[database.name](old, fresh);
    await cp(old.blobs, fresh.blobs, { recursive: true });
    await before.kill();

    const after = await startServiceHere(fresh.folder, { ...fresh.env, ...settings });
    expect(await answers(after, id)).toEqual(expected);
    release();
    expect((await waitForResult(after.baseUrl, waiting))['status']).toBe('completed');
    await after.stop();
    await Promise.all([old.opened.close(), fresh.opened.close()]);
  });
});
