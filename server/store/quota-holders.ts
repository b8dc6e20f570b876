import type { Kysely } from 'kysely';
import { atomically } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import type { QuotaRepository } from './repositories/quotas.ts';

type ReservationRow = Database['quota_reservations'];

/**
 * Releases the quota of dead processes without giving away work. A crashed machine cannot be
 * distinguished from a sleeping one, so the reservation of a process that seems dead keeps its row
 * and only stops counting: when the process returns it reclaims the units, and everything it
 * settles in between is charged. Deleting the row would make that work free; counting it until the
 * death is certain would lock the last credits of a customer for an hour after every crash.
 */
export function createHolderRepository(
  connection: Connection,
  processId: string,
): Pick<QuotaRepository, 'releaseOrphaned' | 'reclaim'> {
  return {
    releaseOrphaned: () =>
      atomically(connection, async (transaction) => {
        // One statement: of two processes that sweep, the second waits for the rows of the first
        // and finds them released.
        const rows = await transaction
          .updateTable('quota_reservations')
          .set({ given_back: 1 })
          .where('given_back', '=', 0)
          .where('worker_id', 'is not', null)
          .where((eb) => eb('worker_id', 'not in', eb.selectFrom('workers').select('workers.id')))
          .returningAll()
          .execute();
        await count(transaction, rows, -1);
        return rows.length;
      }),

    reclaim: () =>
      atomically(connection, async (transaction) => {
        const rows = await transaction
          .updateTable('quota_reservations')
          .set({ given_back: 0 })
          .where('given_back', '=', 1)
          .where('worker_id', '=', processId)
          .returningAll()
          .execute();
        await count(transaction, rows, 1);
        return rows.length;
      }),
  };
}

/** Adds the amounts of these rows to the use of their periods, or subtracts them. */
async function count(transaction: Kysely<Database>, rows: ReservationRow[], sign: 1 | -1): Promise<void> {
  const byPeriod = Map.groupBy(rows, (row) => [row.account_id, row.unit, row.period].join(' '));
  // In the order of their keys, as in every such transaction: otherwise two could deadlock.
  for (const [, ofPeriod] of [...byPeriod].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [{ account_id, unit, period }] = ofPeriod as [ReservationRow];
    const change = sign * ofPeriod.reduce((sum, { amount }) => sum + amount, 0);
    await transaction
      .updateTable('quota_usage')
      .set((eb) => ({ used: eb('used', '+', change) }))
      .where('account_id', '=', account_id)
      .where('unit', '=', unit)
      .where('period', '=', period)
      .execute();
  }
}
