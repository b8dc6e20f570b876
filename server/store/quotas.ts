import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { QUOTA_UNITS } from '@jyutsing/contracts/accounts';
import type { QuotaUnit } from '@jyutsing/contracts/accounts';
import { AppError, UNCERTAIN_FOR_MS } from '@jyutsing/contracts/errors';
import { quotaPeriod } from '@jyutsing/contracts/quota-period';
import { compileRead } from './compiled-read.ts';
import { compileStatement } from './compiled-statement.ts';
import { atomically } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import { accountGone } from './database-errors.ts';
import { markPaid } from './charged-requests.ts';
import { createHolderRepository } from './quota-holders.ts';
import type { QuotaRepository, QuotaReservation } from './repositories/quotas.ts';

type ReservationRow = Database['quota_reservations'];
type UsageKey = Pick<ReservationRow, 'account_id' | 'unit' | 'period'>;

/**
 * Implements `QuotaRepository`. Every change locks reservations first and the rows of their periods
 * second; in another order two transactions could wait for each other.
 */
export function createQuotaRepository(connection: Connection, processId: string): QuotaRepository {
  const { writer, reader } = connection;
  const periodOf = createPeriodOf(connection);
  /** Ends to be repeated: at least once, and until a time of `performance.now()`. */
  const overdue = new Map<string, { usedAmount: number; untilMs: number }>();
  const end = async (requestId: string, usedAmount: number) => {
    try {
      await atomically(connection, async (transaction) => {
        const isFirst = await endReservation(transaction, requestId, usedAmount);
        if (isFirst && usedAmount > 0) await markPaid(transaction, requestId);
      });
    } catch (cause) {
      // Nothing else would end it: the process that holds it still runs.
      if (!overdue.has(requestId)) overdue.set(requestId, { usedAmount, untilMs: 0 });
      throw cause;
    }
  };
  return {
    async reserve(ask) {
      assertAmount(ask.amount);
      const period = await periodOf(ask.accountId, Date.now());
      const holderId = ask.heldBy === 'process' ? processId : null;
      return atomically(connection, (transaction) => reserve(transaction, { ...ask, period, holderId }));
    },

    async grow(requestId, amount, limit) {
      assertAmount(amount);
      return atomically(connection, (transaction) => grow(transaction, requestId, amount, limit));
    },

    async settle(requestId, amount) {
      assertAmount(amount);
      await end(requestId, amount);
    },

    release: (requestId) => end(requestId, 0),

    async releaseUncertain(requestId) {
      overdue.set(requestId, { usedAmount: 0, untilMs: performance.now() + UNCERTAIN_FOR_MS });
      await end(requestId, 0);
    },

    async used(accountId, atMs = Date.now()) {
      const rows = await reader
        .selectFrom('quota_usage')
        .select(['unit', 'used'])
        .where('account_id', '=', accountId)
        .where('period', '=', await periodOf(accountId, atMs))
        .execute();
      const usedByUnit = new Map(rows.map((row) => [row.unit, row.used]));
      return Object.fromEntries(QUOTA_UNITS.map((unit) => [unit, usedByUnit.get(unit) ?? 0])) as Record<
        QuotaUnit,
        number
      >;
    },

    async endOverdue() {
      for (const [requestId, { usedAmount, untilMs }] of overdue) {
        await end(requestId, usedAmount);
        if (performance.now() >= untilMs) overdue.delete(requestId);
      }
    },

    ...createHolderRepository(connection, processId),

    async releaseAbandoned(beforeMs) {
      const abandoned = await writer
        .selectFrom('quota_reservations')
        .leftJoin('transcriptions', 'transcriptions.id', 'quota_reservations.request_id')
        .select('quota_reservations.request_id')
        .where('quota_reservations.created_at_ms', '<', beforeMs)
        .where((eb) => eb.or([eb('worker_id', 'is', null), eb('given_back', '=', 1)]))
        .where((eb) =>
          eb.or([eb('transcriptions.id', 'is', null), eb('transcriptions.status', 'in', ['completed', 'failed'])]),
        )
        .execute();
      let released = 0;
      for (const { request_id } of abandoned) {
        if (await atomically(connection, (transaction) => endReservation(transaction, request_id, 0))) released++;
      }
      return released;
    },
  };
}

/**
 * Returns the period of an account at a time. Reads the account's creation here, so no caller can
 * count in a wrong period. Throws `invalid_api_key` when there is no such account.
 */
function createPeriodOf(connection: Connection): (accountId: string, atMs: number) => Promise<string> {
  const readCreation = compileRead(connection, (id) =>
    connection.reader.selectFrom('accounts').select('created_at_ms').where('id', '=', id),
  );
  return async (accountId, atMs) => {
    const account = await readCreation(accountId);
    if (account === undefined) throw accountGone('quota of no account');
    return quotaPeriod(account.created_at_ms, atMs).period;
  };
}

/**
 * Ends a reservation with the amount used (0: all given back), in the period it was taken from.
 * Deletes its row, so only the first of several calls counts. False when there was none.
 */
export async function endReservation(
  transaction: Kysely<Database>,
  requestId: string,
  usedAmount: number,
): Promise<boolean> {
  const [held] = (await deleteReservation(transaction, { requestId })).rows;
  if (held === undefined) return false;
  // The units of a released reservation are not counted at present; its holder, wrongly believed
  // dead, pays now.
  const counted = held.given_back === 1 ? 0 : held.amount;
  await addUsage(transaction, { ...held, more: usedAmount - counted });
  return true;
}

const deleteReservation = compileStatement((database, { requestId }: { requestId: string }) =>
  database.deleteFrom('quota_reservations').where('request_id', '=', requestId).returningAll(),
);

const addUsage = compileStatement((database, { account_id, unit, period, more }: UsageKey & { more: number }) =>
  database
    .updateTable('quota_usage')
    .set((eb) => ({ used: eb('used', '+', more) }))
    .where('account_id', '=', account_id)
    .where('unit', '=', unit)
    .where('period', '=', period),
);

const insertReservation = compileStatement(
  (database, { holderId, ...row }: Omit<ReservationRow, 'worker_id'> & { holderId: string | null }) =>
    database
      .insertInto('quota_reservations')
      .values((eb) => ({
        ...row,
        // The worker is null when the process is not registered: otherwise its reservations would
        // count as orphaned.
        worker_id: eb.selectFrom('workers').select('workers.id').where('workers.id', '=', holderId),
      }))
      .onConflict((oc) => oc.column('request_id').doNothing())
      .returning('id'),
);

async function reserve(
  transaction: Kysely<Database>,
  ask: Parameters<QuotaRepository['reserve']>[0] & { period: string; holderId: string | null },
): Promise<QuotaReservation | null> {
  if (ask.limit !== null && ask.amount > ask.limit) return null;
  const row = {
    request_id: ask.requestId,
    id: randomUUID(),
    account_id: ask.accountId,
    unit: ask.unit,
    period: ask.period,
    amount: ask.amount,
    created_at_ms: Date.now(),
    given_back: 0,
  } as const;
  const { rows: inserted } = await insertReservation(transaction, { ...row, holderId: ask.holderId });
  if (inserted.length === 0) return heldReservation(transaction, ask.requestId);
  if (await take(transaction, row, ask.limit)) return toReservation(row);
  // Undone by hand: the transaction of the caller may go on.
  await transaction.deleteFrom('quota_reservations').where('request_id', '=', ask.requestId).execute();
  return null;
}

async function grow(
  transaction: Kysely<Database>,
  requestId: string,
  amount: number,
  limit: number | null,
): Promise<boolean> {
  // A change of nothing: it locks the row until this transaction ends.
  const held = await transaction
    .updateTable('quota_reservations')
    .set((eb) => ({ amount: eb.ref('amount') }))
    .where('request_id', '=', requestId)
    .returningAll()
    .executeTakeFirst();
  if (held === undefined) return false;
  const more = amount - held.amount;
  if (more <= 0) return true;
  if (limit !== null && more > limit) return false;
  if (!(await take(transaction, { ...held, amount: more }, limit))) return false;
  await transaction.updateTable('quota_reservations').set({ amount }).where('request_id', '=', requestId).execute();
  return true;
}

/** Decides in one statement: the row lock makes simultaneous callers see each other. */
async function take(
  transaction: Kysely<Database>,
  row: Pick<ReservationRow, 'account_id' | 'unit' | 'period' | 'amount'>,
  limit: number | null,
): Promise<boolean> {
  const { account_id, unit, period, amount } = row;
  const most = limit === null ? Number.MAX_SAFE_INTEGER : limit - amount;
  const { rows: taken } = await takeUsage(transaction, { account_id, unit, period, amount, most });
  return taken.length > 0;
}

const takeUsage = compileStatement((database, { amount, most, ...row }: UsageKey & { amount: number; most: number }) =>
  database
    .insertInto('quota_usage')
    .values({ ...row, used: amount })
    .onConflict((oc) =>
      oc
        .columns(['account_id', 'unit', 'period'])
        .doUpdateSet((eb) => ({ used: eb('quota_usage.used', '+', amount) }))
        .where('quota_usage.used', '<=', most),
    )
    .returning('used'),
);

async function heldReservation(transaction: Kysely<Database>, requestId: string): Promise<QuotaReservation> {
  const row = await transaction
    .selectFrom('quota_reservations')
    .selectAll()
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  // Ended between the conflict and this read: the request is being served twice.
  if (row === undefined) throw new AppError('conflict', 'A request with this id has just ended; use another id.');
  return toReservation(row);
}

function toReservation(
  row: Pick<ReservationRow, 'id' | 'account_id' | 'unit' | 'period' | 'amount'>,
): QuotaReservation {
  return { id: row.id, accountId: row.account_id, unit: row.unit, period: row.period, amount: row.amount };
}

/** Fractions would drift, and a negative amount would give units away. */
function assertAmount(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new AppError('internal_error', undefined, { cause: `a quota amount must be a whole number, not ${amount}` });
  }
}
