import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runFile } from '#test/run-command.ts';
import { mountSmallDisk } from '#testbed/servers/small-disk.ts';
import { noteMove } from './moved-database.ts';
import { openStore } from './open-store.ts';

const disk = await mountSmallDisk(1);
afterAll(() => disk?.[Symbol.asyncDispose]());
const dataDir = disk?.path ?? '';
const open = () => openStore({ databaseUrl: null, dataDir });

test.skipIf(disk === null)(
  'a database on a full disk is not opened, and a command says why and how to go on',
  async () => {
    const made = await open();
    await made.accounts.create({ name: 'one', plan: 'free' });
    await made.close();
    await disk!.fill();
    const moved = await runFile('cli/main.ts', ['migrate', '--to', 'postgres://localhost:1/x'], { DATA_DIR: dataDir });
    expect(moved).toEqual({
      code: 1,
      output: '',
      errors: `The disk of ${join(dataDir, 'jyutsing.db')} is full, so the database cannot be opened. Nothing in it was changed or lost: free some space on that disk and try again.\n`,
    });
    await expect(noteMove(dataDir, 'begun')).rejects.toMatchObject({ code: 'ENOSPC' });
    await disk!.free();
    const again = await open();
    expect(await again.accounts.list()).toHaveLength(1);
    await again.close();
    expect((await readdir(dataDir)).filter((name) => name.includes('.moved.'))).toEqual([]);
  },
);
