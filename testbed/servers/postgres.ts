import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** A separate database for one test file; `close` removes it. */
export type OpenedDatabase = { databaseUrl: string | null; close(): Promise<void> };

export type TestedDatabase = { name: 'sqlite' | 'postgres'; open(): Promise<OpenedDatabase> };

/**
 * Both databases, for `describe.each(databasesToTest())('… on $name', (database) => …)`. Returns
 * only SQLite, with a printed reason, if PostgreSQL is not installed; with CI set that is an error.
 */
export function databasesToTest(): TestedDatabase[] {
  const sqlite: TestedDatabase = { name: 'sqlite', open: async () => ({ databaseUrl: null, close: async () => {} }) };
  if (findBinaries() === null) {
    const reason = 'PostgreSQL is not installed (no initdb in PATH or /usr/lib/postgresql/*/bin)';
    if (process.env['CI']) throw new Error(`${reason}, and CI is set: its tests must not be skipped`);
    process.stderr.write(`tests on PostgreSQL are skipped: ${reason}\n`);
    return [sqlite];
  }
  return [sqlite, { name: 'postgres', open: openPostgres }];
}

let server: Promise<PostgresServer> | null = null;

/** Databases that were closed: to empty one takes a tenth of the time of a new one. */
const emptied: string[] = [];

/** One server per process, which ends with it; each caller gets a separate, empty database. */
async function openPostgres(): Promise<OpenedDatabase> {
  server ??= startPostgres();
  const { url } = await server;
  const databaseUrl = emptied.pop() ?? (await createDatabase(url));
  return {
    databaseUrl,
    async close() {
      await query(databaseUrl, EMPTY);
      emptied.push(databaseUrl);
    },
  };
}

async function createDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}

/** Ends every other connection, and leaves what a new database has. */
const EMPTY = `do $$ declare each text; begin
  perform pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();
  execute format('alter database %I reset all', current_database());
  for each in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
    execute format('drop schema %I cascade', each);
  end loop;
  create schema public;
end $$`;

type PostgresServer = { url: string; stop(): Promise<void> };

/**
 * Starts a PostgreSQL server on a socket in a temporary folder, with fsync as in production. It
 * ends, and its folder is deleted, with `stop` or with this process, even after SIGKILL.
 */
async function startPostgres(): Promise<PostgresServer> {
  const binaries = findBinaries();
  if (binaries === null) throw new Error('PostgreSQL is not installed');
  const user = userForServer();
  const folder = mkdtempSync(join(tmpdir(), 'jyutsing-pg-'));
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const server = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', binaries, folder], {
    stdio: ['pipe', 'ignore', 'pipe'],
    cwd: folder,
    // Detached from the terminal: Ctrl-C would end the shell before it cleans up.
    detached: true,
    // The server gets only these variables: PGHOST and the like would redirect it and initdb.
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', HOME: folder },
    ...user,
  });
  let output = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4_000)));
  const ended = once(server, 'exit');
  // A test process that does not call `stop` must still be able to end.
  server.unref();
  (server.stdin as unknown as { unref?(): void }).unref?.();
  const stop = async () => {
    server.ref();
    server.stdin?.end();
    if (server.exitCode === null) await ended;
    // As root the folder may contain files that the user of the server could not remove.
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
 * Runs as long as its standard input is open, which only the test process holds: when that ends,
 * even by SIGKILL, `cat` returns. SIGQUIT is the immediate shutdown of PostgreSQL. `initdb
 * --no-sync` skips only the new, empty files; the server syncs as usual.
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

/** The folder with the programs of the newest installed version. */
export function findBinaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
}

/**
 * Returns the user for the server, because PostgreSQL refuses to run as root; null stands for the
 * current user.
 */
function userForServer(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL cannot run as root, and there is neither a user "postgres" nor "nobody"');
}
