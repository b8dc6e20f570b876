import { compileRead } from './compiled-read.ts';
import type { Connection } from './database-types.ts';
import type { VideoCacheRepository } from '@jyutsing/contracts/repositories';

/** Deleted in one statement: some may have megabytes, and SQLite lets nobody else write meanwhile. */
const DELETED_AT_A_TIME = 50;

/** See `VideoCacheQueries` for the promises. */
export function createVideoCacheRepository(connection: Connection): VideoCacheRepository {
  const { writer, reader } = connection;
  const readByKey = compileRead(connection, (key) =>
    reader.selectFrom('video_cache').select(['value', 'expires_at_ms']).where('key', '=', key),
  );
  return {
    async find(key) {
      const row = await readByKey(key);
      // What has expired may wait for its deletion for a while.
      return row === undefined || row.expires_at_ms <= Date.now() ? null : row.value;
    },

    async save(key, value, untilMs) {
      const row = { value, expires_at_ms: Math.round(untilMs) };
      await writer
        .insertInto('video_cache')
        .values({ key, ...row })
        .onConflict((oc) => oc.column('key').doUpdateSet(row))
        .execute();
    },

    async deleteExpired() {
      const nowMs = Date.now();
      const oldest = writer
        .selectFrom('video_cache')
        .select('key')
        .where('expires_at_ms', '<=', nowMs)
        .orderBy('expires_at_ms')
        .limit(DELETED_AT_A_TIME);
      const done = await writer
        .deleteFrom('video_cache')
        .where('key', 'in', oldest)
        // Said again: one that is kept anew at this moment has the same key, and PostgreSQL looks again at nothing but this row.
        .where('expires_at_ms', '<=', nowMs)
        .executeTakeFirst();
      return Number(done.numDeletedRows);
    },
  };
}
