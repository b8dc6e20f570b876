import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { descendants, treeRssBytes } from '#testbed/service/process-tree.ts';

/** A measurement of the service, all processes below it, and its database. */
export type Sample = {
  atSeconds: number;
  rssBytes: number;
  files: number;
  sockets: number;
  processes: number;
  /** Connections of all clients but this program on PostgreSQL; 0 on SQLite. */
  connections: number;
  walBytes: number;
  /** Milliseconds of the polls since the sample before; NaN without any. */
  pollP99Ms: number;
};

export type DatabaseSampler = {
  sample(): Promise<{ connections: number; walBytes: number }>;
  close(): Promise<void>;
};

export function openSqliteSampler(dataDir: string): DatabaseSampler {
  const walPath = join(dataDir, 'jyutsing.db-wal');
  return {
    sample: async () => ({ connections: 0, walBytes: statSync(walPath, { throwIfNoEntry: false })?.size ?? 0 }),
    close: async () => {},
  };
}

/**
 * The log counts as at least `max_wal_size`: PostgreSQL lets it become that large between two
 * checkpoints, and keeps as many segments as the busiest of them needed (its documentation, section
 * 28.5). More than that means that something holds segments back.
 */
export async function openPostgresSampler(databaseUrl: string): Promise<DatabaseSampler> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const text = `select (select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid())::int
    as connections, greatest((select sum(size) from pg_ls_waldir()), pg_size_bytes(current_setting('max_wal_size')))::float8 as wal`;
  return {
    async sample() {
      const { rows } = await client.query<{ connections: number; wal: number }>(text);
      return { connections: rows[0]!.connections, walBytes: rows[0]!.wal };
    },
    close: () => client.end(),
  };
}

export function sampleProcesses(pid: number): Pick<Sample, 'rssBytes' | 'files' | 'sockets' | 'processes'> {
  const members = [pid, ...descendants(pid)];
  const targets = members.flatMap((member) => openFiles(member));
  const sockets = targets.filter((target) => target.startsWith('socket:')).length;
  return { rssBytes: treeRssBytes(pid), files: targets.length - sockets, sockets, processes: members.length };
}

function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(join(folder, name))];
      } catch {
        return [];
      }
    });
  } catch {
    // The process ended since it was listed.
    return [];
  }
}

/** Entries of a folder at all depths; 0 when there is none. */
export function filesIn(path: string): number {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory()).length;
  } catch {
    return 0;
  }
}
