import { compileRead } from './compiled-read.ts';
import type { Connection } from './database-types.ts';
import type { VideoCacheRepository } from './repositories/video-cache.ts';

/**
 * Values deleted in one statement: some have megabytes, and SQLite blocks other writers meanwhile.
 */
const DELETE_BATCH = 50;

/** Implements `VideoCacheRepository`. */
export function createVideoCacheRepository(connection: Connection): VideoCacheRepository {
  const { writer, reader } = connection;
  const readByKey = compileRead(connection, (key) =>
    reader.selectFrom('video_cache').select(['value', 'expires_at_ms']).where('key', '=', key),
  );
  return {
    async find(key) {
      const row = await readByKey(key);
      // An expired value may not be deleted yet.
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
        .limit(DELETE_BATCH);
      const done = await writer
        .deleteFrom('video_cache')
        .where('key', 'in', oldest)
        // Repeated: a value saved again at this moment has the same key, and PostgreSQL checks only
        // the conditions of this row again.
        .where('expires_at_ms', '<=', nowMs)
        .executeTakeFirst();
      return Number(done.numDeletedRows);
    },
  };
}
