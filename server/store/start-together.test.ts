import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, describe } from 'vitest';
import type { Account } from '@jyutsing/contracts/accounts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openStore } from './open-store.ts';

const PROCESSES = 3;

describe.each(databasesToTest())('processes that start together on an empty $name', (database) => {
  it('migrate it once and create one owner with one key', async () => {
    const { databaseUrl, close } = await database.open();
    const dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-start-'));
    const starters = Array.from({ length: PROCESSES }, (_, index) => startProcess(databaseUrl, dataDir, `p${index}`));
    for (const starter of starters) await starter.ready;
    for (const starter of starters) starter.go();
    const owners = await Promise.all(starters.map((starter) => starter.owner));
    const made = owners.filter((owner) => owner !== null);
    expect(made).toHaveLength(1);

    const store = await openStore({ databaseUrl, dataDir });
    expect(await store.accounts.list()).toEqual(made);
    expect(await store.keys.list(made[0]?.id ?? '')).toMatchObject([{ name: 'first', prefix: made[0]?.name }]);
    const key = { name: 'late', scopes: [], prefix: 'late', sha256: 'late' };
    expect(await store.accounts.createFirst({ name: 'late', plan: 'pro', key })).toBeNull();
    await store.close();
    await close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('no first account is created when another account exists', async () => {
    const { databaseUrl, close } = await database.open();
    const dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-start-'));
    const store = await openStore({ databaseUrl, dataDir });
    await store.accounts.create({ name: 'by hand', plan: 'free' });
    const key = { name: 'first', scopes: [], prefix: 'x', sha256: 'x' };
    expect(await store.accounts.createFirst({ name: 'owner', plan: 'pro', key })).toBeNull();
    expect(await store.accounts.list()).toHaveLength(1);
    await store.close();
    await close();
    await rm(dataDir, { recursive: true, force: true });
  });
});

function startProcess(databaseUrl: string | null, dataDir: string, name: string) {
  const script = join(import.meta.dirname, 'start-together.ts');
  const child = spawn(process.execPath, [script, databaseUrl ?? '', dataDir, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ready = once(child.stdout, 'readable').then(() => {});
  const owner = ready.then(async () => {
    const lines = (await text(child.stdout)).trim().split('\n');
    return JSON.parse(lines.at(-1) ?? '') as Account | null;
  });
  return { ready, go: () => void child.stdin.end('go'), owner };
}
