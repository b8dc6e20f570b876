import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteMove, unmarkMoved } from './moved-database.ts';
import { openStore } from './open-store.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-moved-'));
  await (await openStore({ databaseUrl: null, dataDir })).close();
});
afterAll(() => rm(dataDir, { recursive: true }));

const open = () => openStore({ databaseUrl: null, dataDir });
const refusal = expect.objectContaining({ message: expect.stringContaining('was moved to PostgreSQL') });

test('a database that was moved is not opened, until the note is taken back', async () => {
  await noteMove(dataDir, 'done');
  await expect(open()).rejects.toEqual(refusal);
  await unmarkMoved(dataDir);
  await (await open()).close();
});

test('a note that cannot be read refuses too, and says why', async () => {
  const note = join(dataDir, 'jyutsing.db.moved');
  await mkdir(note);
  await expect(open()).rejects.toThrow(/^A move to PostgreSQL was begun or done: set DATABASE_URL.*\(EISDIR\)/);
  await rmdir(note);
});

test('a database behind a symbolic link is opened, and noted beside itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-linked-'));
  await rename(join(dataDir, 'jyutsing.db'), join(folder, 'elsewhere.db'));
  await symlink(join(folder, 'elsewhere.db'), join(dataDir, 'jyutsing.db'));
  await (await open()).close();
  await noteMove(dataDir, 'done');
  await expect(open()).rejects.toEqual(refusal);
  await unmarkMoved(dataDir);
  await rename(join(folder, 'elsewhere.db'), join(dataDir, 'jyutsing.db'));
  await rm(folder, { recursive: true });
});

test('a process that waits for the lock of a move does not open the database after it', async () => {
  const move = new Sqlite(join(dataDir, 'jyutsing.db'));
  move.exec('begin immediate');
  const opening = open().catch((refused: unknown) => refused);
  await noteMove(dataDir, 'done');
  move.exec('rollback');
  expect(await opening).toEqual(refusal);
  move.close();
  await unmarkMoved(dataDir);
});

test('a move that saves its last step is told from one that was interrupted, and from one that is done', async () => {
  await noteMove(dataDir, 'begun');
  await expect(open()).rejects.toThrow(
    `is being moved to PostgreSQL by the process ${process.pid}, which is saving its last step; wait for its end, then set DATABASE_URL.`,
  );
  const note = join(dataDir, 'jyutsing.db.moved');
  const running = await readFile(note, 'utf8');
  const ended = String(spawnSync('true').pid);
  await writeFile(note, running.replace(`process ${process.pid} `, `process ${ended} `));
  await expect(open()).rejects.toThrow(
    /^A move to PostgreSQL was interrupted .* Look with .* whether the new database has the accounts: if it has, set/,
  );
  await writeFile(note, running.replace(' of ', ' of another.example '));
  await expect(open()).rejects.toThrow(
    /^A move .* on another machine or in another container, or was interrupted .*Wait until .* Look with /,
  );
  // Earlier versions wrote this note.
  await writeFile(note, `${running.split('\n')[0]}\n`);
  await expect(open()).rejects.toThrow(/^A move to PostgreSQL was interrupted .* Look with /);
  await noteMove(dataDir, 'done');
  await expect(open()).rejects.toThrow(/was moved to PostgreSQL: set DATABASE_URL, or delete /);
  await unmarkMoved(dataDir);
});
