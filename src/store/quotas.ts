import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { QUOTA_UNITS } from '#contracts/accounts.ts';
import type { QuotaUnit } from '#contracts/accounts.ts';
import { AppError } from '#contracts/errors.ts';
import { atomically } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import type { QuotaQueries, QuotaReservation } from './store.ts';

type ReservationRow = Database['quota_reservations'];

/**
 * See `QuotaQueries` for the promises. Every change locks the reservation's row first and the month's row second;
 * in another order two transactions could wait for each other.
 */
export function createQuotaQueries(connection: Connection): QuotaQueries {
  const { writer, reader } = connection;
  return {
    async reserve(ask) {
      assertAmount(ask.amount);
      return atomically(connection, (transaction) => reserve(transaction, ask));
    },

    async settle(requestId, amount) {
      assertAmount(amount);
      await atomically(connection, (transaction) => endReservation(transaction, requestId, amount));
    },

    async release(requestId) {
      await atomically(connection, (transaction) => endReservation(transaction, requestId, 0));
    },

    async used(accountId, period = periodOf(Date.now())) {
      const rows = await reader
        .selectFrom('quota_usage')
        .select(['unit', 'used'])
        .where('account_id', '=', accountId)
        .where('period', '=', period)
        .execute();
      const usedByUnit = new Map(rows.map((row) => [row.unit, row.used]));
      return Object.fromEntries(QUOTA_UNITS.map((unit) => [unit, usedByUnit.get(unit) ?? 0])) as Record<
        QuotaUnit,
        number
      >;
    },

    async releaseAbandoned(beforeMs) {
      const abandoned = await writer
        .selectFrom('quota_reservations')
        .leftJoin('transcriptions', 'transcriptions.id', 'quota_reservations.request_id')
        .select('quota_reservations.request_id')
        .where('quota_reservations.created_at_ms', '<', beforeMs)
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

/** The month that a time counts in, `YYYY-MM` in UTC. */
export function periodOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7);
}

/**
 * Ends a reservation with what was really used (0: all given back), in the month that it was taken from.
 * Deleting its row is what lets only the first of several calls count. False when none was held.
 */
export async function endReservation(
  transaction: Kysely<Database>,
  requestId: string,
  usedAmount: number,
): Promise<boolean> {
  const held = await transaction
    .deleteFrom('quota_reservations')
    .where('request_id', '=', requestId)
    .returningAll()
    .executeTakeFirst();
  if (held === undefined) return false;
  await transaction
    .updateTable('quota_usage')
    .set((eb) => ({ used: eb('used', '+', usedAmount - held.amount) }))
    .where('account_id', '=', held.account_id)
    .where('unit', '=', held.unit)
    .where('period', '=', held.period)
    .execute();
  return true;
}

async function reserve(
  transaction: Kysely<Database>,
  ask: Parameters<QuotaQueries['reserve']>[0],
): Promise<QuotaReservation | null> {
  if (ask.limit !== null && ask.amount > ask.limit) return null;
  const nowMs = Date.now();
  const row: ReservationRow = {
    request_id: ask.requestId,
    id: randomUUID(),
    account_id: ask.accountId,
    unit: ask.unit,
    period: periodOf(nowMs),
    amount: ask.amount,
    created_at_ms: nowMs,
  };
  const inserted = await transaction
    .insertInto('quota_reservations')
    .values(row)
    .onConflict((oc) => oc.column('request_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted === undefined) return heldReservation(transaction, ask.requestId);
  if (await take(transaction, row, ask.limit)) return toReservation(row);
  // Taken back by hand, because we may be inside a transaction of the caller that goes on.
  await transaction.deleteFrom('quota_reservations').where('request_id', '=', ask.requestId).execute();
  return null;
}

/** The one statement that decides: the row's lock makes simultaneous callers see each other's units. */
async function take(transaction: Kysely<Database>, row: ReservationRow, limit: number | null): Promise<boolean> {
  const taken = await transaction
    .insertInto('quota_usage')
    .values({ account_id: row.account_id, unit: row.unit, period: row.period, used: row.amount })
    .onConflict((oc) => {
      const update = oc
        .columns(['account_id', 'unit', 'period'])
        .doUpdateSet((eb) => ({ used: eb('quota_usage.used', '+', row.amount) }));
      return limit === null ? update : update.where('quota_usage.used', '<=', limit - row.amount);
    })
    .returning('used')
    .executeTakeFirst();
  return taken !== undefined;
}

async function heldReservation(transaction: Kysely<Database>, requestId: string): Promise<QuotaReservation> {
  const row = await transaction
    .selectFrom('quota_reservations')
    .selectAll()
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  // Between the conflict and this look somebody ended it: the request is being served twice.
  if (row === undefined) throw new AppError('conflict', 'A request with this id has just ended; use another id.');
  return toReservation(row);
}

function toReservation(row: ReservationRow): QuotaReservation {
  return { id: row.id, accountId: row.account_id, unit: row.unit, period: row.period, amount: row.amount };
}

/** A fraction would drift, and a negative amount would give units away. */
function assertAmount(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new AppError('internal_error', undefined, { cause: `a quota amount must be a whole number, not ${amount}` });
  }
}
