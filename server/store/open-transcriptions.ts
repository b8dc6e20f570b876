import type { Kysely } from 'kysely';
import { compileStatement } from './compiled-statement.ts';
import type { Database } from './database-types.ts';
import { OPEN } from './joined-work.ts';

type Row = Database['transcriptions'];
/** A record and the time of its change. */
export type RecordChange = { id: string; nowMs: number };
type OutcomeColumn =
  | 'cache_key'
  | 'processed_ms'
  | 'duration_ms'
  | 'output_language'
  | 'backend'
  | 'result'
  | 'processing_seconds'
  | 'credits_used';

/** Marks a record as being worked on. */
export const startOpen = compileStatement((database, { id, nowMs }: RecordChange) =>
  database
    .updateTable('transcriptions')
    .set((eb) => ({
      status: 'processing',
      started_at_ms: eb.fn.coalesce('started_at_ms', eb.val(nowMs)),
      progress_at_ms: nowMs,
      stage: 'queued',
      processed_ms: 0,
    }))
    .where('id', '=', id)
    .where('status', 'in', OPEN),
);

export const completeOpen = compileStatement(
  (database, { id, nowMs, ...outcome }: RecordChange & Pick<Row, OutcomeColumn>) =>
    endOpen(database, { id, nowMs }, { status: 'completed', ...outcome }),
);

export const failOpen = compileStatement(
  (database, { id, nowMs, ...outcome }: RecordChange & Pick<Row, 'error' | 'processing_seconds'>) =>
    endOpen(database, { id, nowMs }, { status: 'failed', ...outcome }),
);

function endOpen(database: Kysely<Database>, { id, nowMs }: RecordChange, change: Partial<Row>) {
  return database
    .updateTable('transcriptions')
    .set({ ...change, progress_at_ms: nowMs, finished_at_ms: nowMs, work_key: null })
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .returning('handed_out_ms');
}
