import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** A database of its own for one test file; `close` removes it. */
export type OpenedDatabase = { databaseUrl: string | null; close(): Promise<void> };

export type TestedDatabase = { name: 'sqlite' | 'postgres'; open(): Promise<OpenedDatabase> };

/**
 * Both databases, for `describe.each(databasesToTest())('… on $name', (database) => …)`. SQLite needs nothing but a data folder,
 * which is the test's own. Where PostgreSQL is not installed only SQLite is returned and the reason printed;
 * when CI is set that is an error, so that it cannot go unnoticed.
 */
export function databasesToTest(): TestedDatabase[] {
  const sqlite: TestedDatabase = { name: 'sqlite', open: async () => ({ databaseUrl: null, close: async () => {} }) };
  if (findBinaries() === null) {
    const reason = 'PostgreSQL is not installed (no initdb in PATH or /usr/lib/postgresql/*/bin)';
    if (process.env['CI']) throw new Error(`${reason}, and CI is set: its tests must not be left out`);
    process.stderr.write(`tests on PostgreSQL are left out: ${reason}\n`);
    return [sqlite];
  }
  return [sqlite, { name: 'postgres', open: openPostgres }];
}

let server: Promise<PostgresServer> | null = null;

/** One server for the process, which ends with it; a database of its own for every caller. */
async function openPostgres(): Promise<OpenedDatabase> {
  server ??= startPostgres();
  const { url } = await server;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(url, `create database ${name}`);
  const databaseUrl = new URL(url);
  databaseUrl.pathname = name;
  return { databaseUrl: databaseUrl.href, close: () => query(url, `drop database ${name} with (force)`) };
}

export type PostgresServer = { url: string; stop(): Promise<void> };

/**
 * Starts a PostgreSQL server of its own, reached by a socket in a temporary folder, with fsync as in production.
 * It ends, and its folder goes, with `stop` or with this process, however that ends.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const binaries = findBinaries();
  if (binaries === null) throw new Error('PostgreSQL is not installed');
  const user = userForServer();
  const folder = mkdtempSync(join(tmpdir(), 'jyutsing-pg-'));
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const server = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', binaries, folder], {
    stdio: ['pipe', 'ignore', 'pipe'],
    cwd: folder,
    // Apart from the terminal: Ctrl-C would end the shell before it has cleaned up.
    detached: true,
    // Of all variables only these: PGHOST and the like would lead initdb and the server elsewhere.
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', HOME: folder },
    ...user,
  });
  let output = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4_000)));
  const ended = once(server, 'exit');
  // A test process that forgets to stop must still be able to end.
  server.unref();
  (server.stdin as unknown as { unref?(): void }).unref?.();
  const stop = async () => {
    server.ref();
    server.stdin?.end();
    if (server.exitCode === null) await ended;
    // As root the folder may hold what the server's user was not allowed to remove.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`;
  try {
    await untilReady(server, url, () => output);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Lives exactly as long as its standard input, which only the test process holds: when that ends, by SIGKILL too, `cat` returns.
 * SIGQUIT is PostgreSQL's immediate shutdown. `initdb --no-sync` spares only the fresh, still empty files; the server syncs as usual.
 */
const SUPERVISOR = `
bin="$1"; folder="$2"
"$bin/initdb" --no-sync --no-instructions --auth=trust --username=postgres --encoding=UTF8 --locale=C -D "$folder/data" >&2 || exit 1
"$bin/postgres" -D "$folder/data" -c listen_addresses= -c unix_socket_directories="$folder" -c max_connections=200 \\
  -c shared_buffers=32MB -c max_wal_size=64MB -c min_wal_size=32MB </dev/null >&2 &
server=$!
cat >/dev/null
kill -QUIT $server; wait $server
cd /; rm -rf "$folder"
exit 0
`;

async function untilReady(server: ChildProcess, url: string, output: () => string): Promise<void> {
  const deadlineMs = Date.now() + 60_000;
  for (;;) {
    try {
      await query(url, 'select 1');
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadlineMs) {
        throw new Error(`PostgreSQL did not start:\n${output()}`, { cause: error });
      }
      await sleep(30);
    }
  }
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The newest installed version's folder of programs. */
function findBinaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
}

/** PostgreSQL refuses to run as root; null means: as ourselves. */
function userForServer(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL cannot run as root, and there is neither a user "postgres" nor "nobody"');
}
