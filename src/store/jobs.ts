import type { Kysely } from 'kysely';
import { atomically, fromJson, toJson } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import type { ClaimQueries, JobClaim, JobQueries, StoredJob, TurnQueries } from './store.ts';

/** See `JobQueries` for the promises. */
export function createJobQueries(connection: Connection): JobQueries {
  const { writer, reader } = connection;
  return {
    async insert(job) {
      const row = { id: job.id, name: job.name, payload: toJson(job.payload), turn: job.turn };
      await writer
        .insertInto('jobs')
        .values({ ...row, state: 'waiting', attempt: 0, run_at_ms: 0, worker_id: null })
        .execute();
    },

    take: (workerId) => atomically(connection, (transaction) => takeJob(transaction, workerId)),

    async finish(claim) {
      const done = await writer
        .deleteFrom('jobs')
        .where('id', '=', claim.jobId)
        .where('attempt', '=', claim.attempt)
        .where('worker_id', '=', claim.workerId)
        .where('state', '=', 'active')
        .executeTakeFirst();
      return done.numDeletedRows > 0n;
    },

    async putBack(claim, { runAtMs, refund }) {
      const done = await claimed(writer, claim)
        .set({
          state: 'waiting',
          worker_id: null,
          run_at_ms: Math.round(runAtMs),
          attempt: refund ? claim.attempt - 1 : claim.attempt,
        })
        .executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },

    async markDead(claim) {
      const done = await claimed(writer, claim).set({ state: 'dead', worker_id: null }).executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },

    async listDead() {
      const rows = await reader.selectFrom('jobs').selectAll().where('state', '=', 'dead').orderBy('turn').execute();
      return rows.map(toStoredJob);
    },

    async removeDead(jobId) {
      await writer.deleteFrom('jobs').where('id', '=', jobId).where('state', '=', 'dead').execute();
    },

    takeBackOrphans: (delayMs) => atomically(connection, (transaction) => takeBackOrphans(transaction, delayMs)),

    async count() {
      const rows = await reader
        .selectFrom('jobs')
        .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute();
      const countOf = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
      return { waiting: countOf('waiting'), active: countOf('active') };
    },
  };
}

function claimed(writer: Kysely<Database>, claim: JobClaim) {
  return writer
    .updateTable('jobs')
    .where('id', '=', claim.jobId)
    .where('attempt', '=', claim.attempt)
    .where('worker_id', '=', claim.workerId)
    .where('state', '=', 'active');
}

async function takeJob(transaction: Kysely<Database>, workerId: string): Promise<StoredJob | null> {
  const nowMs = Date.now();
  const row = await transaction
    .updateTable('jobs')
    .set((eb) => ({ state: 'active', worker_id: workerId, attempt: eb('attempt', '+', 1) }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('jobs as next')
        .select('next.id')
        .where('next.state', '=', 'waiting')
        .where('next.run_at_ms', '<=', nowMs)
        .where(({ exists, selectFrom }) =>
          exists(selectFrom('workers').select('workers.id').where('workers.id', '=', workerId)),
        )
        .orderBy('next.turn')
        .orderBy('next.id')
        .limit(1),
    )
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await advance(transaction, row.turn);
  return toStoredJob(row);
}

async function takeBackOrphans(
  transaction: Kysely<Database>,
  delayMs: (attempt: number) => number | null,
): Promise<number> {
  const orphans = await transaction
    .selectFrom('jobs')
    .select(['id', 'attempt'])
    .where('state', '=', 'active')
    .where((eb) => eb('worker_id', 'not in', eb.selectFrom('workers').select('workers.id')))
    .execute();
  for (const { id, attempt } of orphans) {
    const delay = delayMs(attempt);
    await transaction
      .updateTable('jobs')
      .set({
        state: delay === null ? 'dead' : 'waiting',
        worker_id: null,
        run_at_ms: delay === null || delay === 0 ? 0 : Date.now() + delay,
      })
      .where('id', '=', id)
      .execute();
  }
  return orphans.length;
}

/** See `ClaimQueries` for the promises. */
export function createClaimQueries({ writer }: Connection): ClaimQueries {
  return {
    async add(claim) {
      const row = { attempt: claim.attempt, name: claim.name, worker_id: claim.workerId };
      await writer
        .insertInto('job_claims')
        .values({ job_id: claim.jobId, ...row })
        // A claim that its worker could not remove any more is replaced by that of the next attempt.
        .onConflict((oc) => oc.column('job_id').doUpdateSet(row))
        .execute();
    },

    async remove(claim) {
      const done = await writer
        .deleteFrom('job_claims')
        .where('job_id', '=', claim.jobId)
        .where('attempt', '=', claim.attempt)
        .where('worker_id', '=', claim.workerId)
        .executeTakeFirst();
      return done.numDeletedRows > 0n;
    },

    async removeOrphans() {
      const rows = await writer
        .deleteFrom('job_claims')
        .where((eb) => eb('worker_id', 'not in', eb.selectFrom('workers').select('workers.id')))
        .returningAll()
        .execute();
      return rows.map((row) => ({
        jobId: row.job_id,
        attempt: row.attempt,
        name: row.name,
        workerId: row.worker_id,
      }));
    },
  };
}

/** See `TurnQueries` for the promises and the source of the method. */
export function createTurnQueries({ writer }: Connection): TurnQueries {
  return {
    async next(accountId) {
      const present = await writer.selectFrom('present_turn').select('turn').executeTakeFirstOrThrow();
      const row = await writer
        .insertInto('account_turns')
        .values({ account_id: accountId, turn: present.turn })
        .onConflict((oc) =>
          oc.column('account_id').doUpdateSet((eb) => ({
            turn: eb
              .case()
              .when('account_turns.turn', '>=', present.turn)
              .then(eb('account_turns.turn', '+', 1))
              .else(present.turn)
              .end(),
          })),
        )
        .returning('turn')
        .executeTakeFirstOrThrow();
      return row.turn;
    },

    advance: (turn) => advance(writer, turn),
  };
}

async function advance(db: Kysely<Database>, turn: number): Promise<void> {
  await db.updateTable('present_turn').set({ turn }).where('turn', '<', turn).execute();
}

function toStoredJob(row: Database['jobs']): StoredJob {
  return { id: row.id, name: row.name, payload: fromJson(row.payload), attempt: row.attempt };
}
