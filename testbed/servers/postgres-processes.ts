import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { descendants } from '#testbed/service/process-tree.ts';

/** All processes of a database server: suspending only the first would change nothing. */
function postgresProcesses(databaseUrl: string): number[] {
  const folder = new URL(databaseUrl).searchParams.get('host') ?? '';
  const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  return [pid, ...descendants(pid)];
}

export function signalPostgres(databaseUrl: string, signal: NodeJS.Signals): void {
  for (const pid of postgresProcesses(databaseUrl)) send(pid, signal);
}

/** Kills the processes that serve connections; the server recovers by itself, as after a crash. */
export function crashPostgres(databaseUrl: string): void {
  const [, ...children] = postgresProcesses(databaseUrl);
  for (const pid of children) send(pid, 'SIGKILL');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended since it was listed.
  }
}
