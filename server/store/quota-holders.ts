import type { Kysely } from 'kysely';
import { atomically } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import type { QuotaRepository } from '@jyutsing/contracts/repositories';

type ReservationRow = Database['quota_reservations'];

/**
 * What a dead process held is given back, without ever making a living one work for nothing. Nobody can tell a machine that is gone from
 * one that sleeps, so the reservation of a process that seems dead keeps its row and only stops counting: if the process comes back,
 * it takes the units again, and whatever it ends in between is charged all the same. Were the row deleted, that work would be free;
 * were it kept counting until it is certain, a customer's last credits would be locked away for an hour by every crash.
 */
export function createHolderRepository(
  connection: Connection,
  processId: string,
): Pick<QuotaRepository, 'releaseOrphaned' | 'reclaim'> {
  return {
    releaseOrphaned: () =>
      atomically(connection, async (transaction) => {
        // One statement: of two processes that sweep, the second waits for the first's rows and finds them given back.
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

/** Adds what these rows hold to the use of their periods, or takes it off. */
async function count(transaction: Kysely<Database>, rows: ReservationRow[], sign: 1 | -1): Promise<void> {
  const byPeriod = Map.groupBy(rows, (row) => [row.account_id, row.unit, row.period].join(' '));
  // In the order of their keys, as every such transaction: otherwise two could wait for each other's rows.
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
