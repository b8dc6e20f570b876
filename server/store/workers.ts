import { sql } from 'kysely';
import { databaseNowMs } from './dialects.ts';
import type { Connection } from './database-types.ts';
import type { WorkerRepository } from './repositories/workers.ts';

/** Implements `WorkerRepository`. */
export function createWorkerRepository({ dialect, writer, reader }: Connection): WorkerRepository {
  const nowMs = databaseNowMs(dialect);
  return {
    async register(worker, queueClass = null) {
      await writer
        .insertInto('workers')
        .values({ ...worker, queue_class: queueClass, beat_at_ms: nowMs })
        .execute();
    },

    async queueClasses() {
      const rows = await reader.selectFrom('workers').select('queue_class').distinct().execute();
      return rows.map((row) => row.queue_class).filter((queueClass) => queueClass !== null);
    },

    async heartbeat(id) {
      const done = await writer
        .updateTable('workers')
        .set({ beat_at_ms: nowMs })
        .where('id', '=', id)
        .executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },

    async list() {
      const rows = await writer
        .selectFrom('workers')
        .select(['id', 'host', 'pid', 'beat_at_ms', nowMs.as('now_ms')])
        .execute();
      return rows.map((row) => ({
        id: row.id,
        host: row.host,
        pid: row.pid,
        heartbeatAgeMs: row.now_ms - row.beat_at_ms,
      }));
    },

    async remove(id, heartbeatAgeMs) {
      const sinceMs = sql<number>`${nowMs} - ${sql.lit(heartbeatAgeMs)}`;
      await writer
        .deleteFrom('workers')
        .where('id', '=', id)
        // A heartbeat may be in the future after the clock was set back, so it is not compared for
        // an age of 0.
        .$if(heartbeatAgeMs > 0, (query) => query.where('beat_at_ms', '<=', sinceMs))
        .execute();
    },
  };
}
