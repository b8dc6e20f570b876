import { existsSync } from 'node:fs';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak } from '#testbed/sound/espeak-speech.ts';
import { runFile } from '#test/run-command.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';

const HEADERS = { 'x-api-key': OWNER_KEY };
const NOT_OURS = 'another database has the blobs';

async function keepRecording({ baseUrl }: ServiceHere, jyutping: string): Promise<string> {
  const audio = wavBytes(await speak(jyutping));
  const id = requestIdOf(await request(`${baseUrl}/api/stt`, submission(audio, { keep_audio: 'true' })));
  await waitForResult(baseUrl, id);
  return id;
}

const soundStatus = async ({ baseUrl }: ServiceHere, id: string) =>
  (await fetch(`${baseUrl}/api/speech-to-text/${id}/audio`, { headers: HEADERS })).status;

/** As if they had been stored two days ago, when blobs without a record are deleted. */
async function age(dataDir: string): Promise<void> {
  const long = new Date(Date.now() - 2 * 24 * 3_600_000);
  const files = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  for (const file of files) if (file.isFile()) await utimes(join(file.parentPath, file.name), long, long);
}

it('only the database that has the blobs deletes those without a record, before and after a move', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const postgres = databasesToTest().find(({ name }) => name === 'postgres')!;
  const [early, target] = await Promise.all([postgres.open(), postgres.open()]);
  const start = (databaseUrl: string | null) =>
    startServiceHere(dataDir, databaseUrl === null ? {} : { DATABASE_URL: databaseUrl });
  const isRefused = async (service: ServiceHere) => await expect.poll(() => service.output()).toContain(NOT_OURS);

  const first = await start(null);
  const before = await keepRecording(first, 'nei5 hou2');
  await first.stop();
  await age(dataDir);

  // Another database is tried on the same folder, in which version 0.1.0 wrote no such blob.
  await rm(join(dataDir, 'blobs/database'));
  for (let starts = 0; starts < 2; starts += 1) {
    const trial = await start(early.databaseUrl);
    await isRefused(trial);
    await trial.stop();
  }

  const env = { DATA_DIR: dataDir };
  expect(await runFile('cli/main.ts', ['migrate', '--to', target.databaseUrl ?? ''], env)).toMatchObject({ code: 0 });
  const moved = await start(target.databaseUrl);
  expect(await soundStatus(moved, before)).toBe(200);
  const after = await keepRecording(moved, 'zou2 san4');
  await moved.stop();
  await age(dataDir);

  // Back to the state before the move, which does not know the second recording.
  await rm(join(dataDir, 'jyutsing.db.moved'));
  const back = await start(null);
  await isRefused(back);
  await back.stop();

  const again = await start(target.databaseUrl);
  expect([await soundStatus(again, before), await soundStatus(again, after)]).toEqual([200, 200]);
  expect(again.output()).not.toContain(NOT_OURS);
  await again.stop();

  // Back for good, as docs/operations.md says, and then the other database is started by mistake.
  await rm(join(dataDir, 'blobs/database'));
  const chosen = await start(null);
  await expect.poll(() => existsSync(join(dataDir, 'blobs/database'))).toBe(true);
  const since = await keepRecording(chosen, 'maan5 on1');
  await chosen.stop();
  await age(dataDir);
  const mistaken = await start(target.databaseUrl);
  await isRefused(mistaken);
  await mistaken.stop();
  const last = await start(null);
  expect([await soundStatus(last, before), await soundStatus(last, since)]).toEqual([200, 200]);
  await last.stop();
  await Promise.all([early.close(), target.close()]);
});
