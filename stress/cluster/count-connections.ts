import { Client } from 'pg';
import type { Cluster } from './cluster.ts';

/** Connections to PostgreSQL that all processes of the service have open together. */
export async function countConnections({ database }: Cluster): Promise<number> {
  const client = new Client({ connectionString: database.databaseUrl, application_name: 'cluster-test' });
  await client.connect();
  try {
    const { rows } = await client.query<{ open: number }>(OPEN);
    return rows[0]?.open ?? 0;
  } finally {
    await client.end();
  }
}

const OPEN = `
  select count(*)::int as open from pg_stat_activity
  where datname = current_database() and application_name <> 'cluster-test'`;
