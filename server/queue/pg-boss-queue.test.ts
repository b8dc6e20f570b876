import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, vi } from 'vitest';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { describeQueue } from '#test/queue/describe-queue.ts';
import { queueTest, totalDepth, work } from '#test/queue/test-queues.ts';

const databases = databasesToTest().filter(({ name }) => name === 'postgres');

// One file per database, so that the tests run in parallel.
databases.forEach(describeQueue);

describe.each(databases)('the queue on $name when the server cuts every connection', (database) => {
  queueTest(database)(
    'saves the outcome of the running job, runs nothing twice, and starts new jobs',
    async ({ expect, queues }) => {
      const queue = await queues.open();
      const starts: string[] = [];
      const finish = Promise.withResolvers<void>();
      await work(queue, async ({ payload, attempt }) => {
        starts.push(`${payload.transcriptionId} ${attempt}`);
        await finish.promise;
      });
      await queues.enqueue(queue, 'running');
      await vi.waitFor(() => expect(starts).toEqual(['running 1']), 60_000);
      await cutConnections(queues.store.databaseUrl ?? '');
      finish.resolve();
      await vi.waitFor(async () => expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 }), 60_000);
      await vi.waitFor(() => queues.enqueue(queue, 'next'), 60_000);
      await vi.waitFor(() => expect(starts).toEqual(['running 1', 'next 1']), 60_000);
      await vi.waitFor(async () => expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 }), 60_000);
      await sleep(700);
      expect(starts).toEqual(['running 1', 'next 1']);
    },
  );
});

async function cutConnections(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}
