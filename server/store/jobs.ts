import { sql, type Kysely } from 'kysely';
import { compileRead } from './compiled-read.ts';
import { compileStatement } from './compiled-statement.ts';
import { atomically, fromJson, toJson } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import type { JobClaimRepository, JobClaim } from './repositories/job-claims.ts';
import type { JobRepository, StoredJob } from './repositories/jobs.ts';
import type { FairQueueRepository } from './repositories/fair-queue.ts';

type JobRow = Pick<Database['jobs'], 'id' | 'name' | 'payload' | 'turn'>;

const insertJob = compileStatement((database, job: JobRow) =>
  database
    .insertInto('jobs')
    .values({ ...job, state: 'waiting', attempt: 0, deaths: 0, run_at_ms: 0, worker_id: null }),
);

const activateNext = compileStatement(
  (database, { name, workerId, nowMs }: { name: string; workerId: string; nowMs: number }) =>
    database
      .updateTable('jobs')
      .set((eb) => ({ state: 'active', worker_id: workerId, attempt: eb('attempt', '+', 1) }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('jobs as next')
          .select('next.id')
          .where('next.state', '=', 'waiting')
          .where('next.name', '=', name)
          .where('next.run_at_ms', '<=', nowMs)
          .where(({ exists, selectFrom }) =>
            exists(selectFrom('workers').select('workers.id').where('workers.id', '=', workerId)),
          )
          .orderBy('next.turn')
          .orderBy('next.id')
          .limit(1),
      )
      .returningAll(),
);

const deleteClaimed = compileStatement((database, { jobId, attempt, workerId }: JobClaim) =>
  database
    .deleteFrom('jobs')
    .where('id', '=', jobId)
    .where('attempt', '=', attempt)
    .where('worker_id', '=', workerId)
    .where('state', '=', 'active'),
);

const presentTurn = compileStatement((database, { name }: { name: string }) =>
  database.selectFrom('present_turns').select('turn').where('name', '=', name),
);

const advanceTurn = compileStatement((database, { name, turn }: { name: string; turn: number }) =>
  database.updateTable('present_turns').set({ turn }).where('name', '=', name).where('turn', '<', turn),
);

const nextTurn = compileStatement(
  (database, { name, accountId, present }: { name: string; accountId: string; present: number }) =>
    database
      .insertInto('job_turns')
      .values({ name, account_id: accountId, turn: present })
      .onConflict((oc) =>
        oc.columns(['name', 'account_id']).doUpdateSet((eb) => ({
          turn: eb
            .case()
            .when('job_turns.turn', '>=', present)
            .then(eb('job_turns.turn', '+', 1))
            .else(present)
            .end(),
        })),
      )
      .returning('turn'),
);

/** Implements `JobRepository`. */
export function createJobRepository(connection: Connection): JobRepository {
  const { writer, reader } = connection;
  return {
    async insert(job) {
      const { id, name, payload, position: turn } = job;
      await insertJob(writer, { id, name, payload: toJson(payload), turn });
    },

    take: createTake(connection),

    async finish(claim) {
      const done = await deleteClaimed(writer, claim);
      return done.numAffectedRows! > 0n;
    },

    async requeue(claim, { runAtMs, refund, position }) {
      const done = await claimed(writer, claim)
        .set({
          state: 'waiting',
          worker_id: null,
          run_at_ms: Math.round(runAtMs),
          attempt: refund ? claim.attempt - 1 : claim.attempt,
          ...(position === undefined ? {} : { turn: position }),
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

    requeueOrphans: (delayMs) => atomically(connection, (transaction) => requeueOrphans(transaction, delayMs)),

    async count() {
      return reader
        .selectFrom('jobs')
        .select((eb) => ['name', 'state', eb.fn.countAll<number>().as('count')])
        .groupBy(['name', 'state'])
        .execute();
    },

    async waitingNames() {
      const rows = await reader.selectFrom('jobs').select('name').where('state', '=', 'waiting').distinct().execute();
      return rows.map((row) => row.name);
    },

    async isWaiting(name, transcriptionId) {
      const row = await reader
        .selectFrom('jobs')
        .select('id')
        .where('state', '=', 'waiting')
        .where((eb) => eb.or([eb('name', '=', name), eb('name', 'like', `${name}.%`)]))
        .where(sql`json_extract(payload, '$.transcriptionId')`, '=', transcriptionId)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

/** Implements `JobRepository.take`. */
function createTake(connection: Connection): JobRepository['take'] {
  const firstWaiting = compileRead<{ id: string }>(connection, (name) =>
    connection.reader
      .selectFrom('jobs')
      .select('id')
      .where('state', '=', sql.lit('waiting' as const))
      .where('name', '=', name)
      .limit(sql.lit(1)),
  );
  return async (workerId, names) => {
    const waiting: string[] = [];
    for (const name of names) if ((await firstWaiting(name)) !== undefined) waiting.push(name);
    // Most calls find nothing, and a transaction for writing costs ten times as much as the reads.
    if (waiting.length === 0) return null;
    return atomically(connection, async (transaction) => {
      for (const name of waiting) {
        const job = await takeJob(transaction, workerId, name);
        if (job !== null) return job;
      }
      return null;
    });
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

async function takeJob(transaction: Kysely<Database>, workerId: string, name: string): Promise<StoredJob | null> {
  const [row] = (await activateNext(transaction, { name, workerId, nowMs: Date.now() })).rows;
  if (row === undefined) return null;
  await advance(transaction, name, row.turn);
  return toStoredJob(row);
}

async function requeueOrphans(
  transaction: Kysely<Database>,
  delayMs: (job: { name: string; deaths: number }) => number | null,
): Promise<number> {
  const orphans = await transaction
    .selectFrom('jobs')
    .select(['id', 'name', 'deaths'])
    .where('state', '=', 'active')
    .where((eb) => eb('worker_id', 'not in', eb.selectFrom('workers').select('workers.id')))
    .execute();
  for (const orphan of orphans) {
    const deaths = orphan.deaths + 1;
    const delay = delayMs({ name: orphan.name, deaths });
    await transaction
      .updateTable('jobs')
      .set({
        state: delay === null ? 'dead' : 'waiting',
        worker_id: null,
        deaths,
        run_at_ms: delay === null || delay === 0 ? 0 : Date.now() + Math.round(delay),
      })
      .where('id', '=', orphan.id)
      .execute();
  }
  return orphans.length;
}

/** Implements `JobClaimRepository`. */
export function createJobClaimRepository({ writer }: Connection): JobClaimRepository {
  return {
    async add(claim) {
      const row = { attempt: claim.attempt, name: claim.name, worker_id: claim.workerId };
      await writer
        .insertInto('job_claims')
        .values({ job_id: claim.jobId, ...row })
        // Replaces a claim that its worker could no longer remove.
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

/** Implements `FairQueueRepository`. */
export function createFairQueueRepository({ writer }: Connection): FairQueueRepository {
  return {
    async nextPosition(name, accountId) {
      const present = await readPresentTurn(writer, name);
      const [row] = (await nextTurn(writer, { name, accountId, present })).rows;
      return row!.turn;
    },

    advance: (name, turn) => advance(writer, name, turn),
  };
}

/** Creates the position 0 for a name without jobs. */
async function readPresentTurn(db: Kysely<Database>, name: string): Promise<number> {
  const [row] = (await presentTurn(db, { name })).rows;
  if (row !== undefined) return row.turn;
  await db
    .insertInto('present_turns')
    .values({ name, turn: 0 })
    .onConflict((oc) => oc.column('name').doNothing())
    .execute();
  return 0;
}

async function advance(db: Kysely<Database>, name: string, turn: number): Promise<void> {
  await advanceTurn(db, { name, turn });
}

function toStoredJob(row: Database['jobs']): StoredJob {
  return { id: row.id, name: row.name, payload: fromJson(row.payload), attempt: row.attempt, deaths: row.deaths };
}
