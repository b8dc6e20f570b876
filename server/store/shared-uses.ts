import { sql } from 'kysely';
import { CONCURRENT_USES, type ConcurrentUse } from '@jyutsing/contracts/accounts';
import type { SharedUseCounter } from '@jyutsing/contracts/use-counter';
import type { Connection } from './database-types.ts';

const SAVE_AGAIN_AFTER_MS = 1_000;

/** The requests of one account and use in this process; statements about them run in turn. */
type Own = { accountId: string; use: ConcurrentUse; count: number; turn: Promise<unknown> };

/**
 * Counts running requests in PostgreSQL. Each process saves its own number, which counts while the
 * process is a registered worker: requests of a killed process end with its lease.
 */
export function createSharedUses({ writer }: Pick<Connection, 'writer'>, processId: string): SharedUseCounter {
  const owns = new Map<string, Own>();
  const unsaved = new Set<Own>();
  const ownOf = (accountId: string, use: ConcurrentUse): Own => {
    const key = `${use} ${accountId}`;
    const ownUse = owns.get(key) ?? { accountId, use, count: 0, turn: Promise.resolve() };
    owns.set(key, ownUse);
    return ownUse;
  };
  const inTurn = <Result>(ownUse: Own, work: () => Promise<Result>): Promise<Result> => {
    const result = ownUse.turn.then(work);
    const turn = result.then(
      () => {},
      () => {},
    );
    ownUse.turn = turn;
    void turn.then(() => {
      const isIdle = ownUse.turn === turn && ownUse.count === 0 && !unsaved.has(ownUse);
      if (isIdle) owns.delete(`${ownUse.use} ${ownUse.accountId}`);
    });
    return result;
  };

  /**
   * Saves `count` as the number of this process unless all processes together would exceed `limit`.
   * One statement: it waits for others on the same row, and then sees what they saved.
   */
  const save = async ({ accountId, use }: Own, count: number, limit: number | null): Promise<boolean> => {
    const ownHolder = sql`jsonb_strip_nulls(jsonb_build_object(${processId}::text, nullif(${count}::int, 0)))`;
    const otherHolders = sql`jsonb_each(uses.holders) where key <> ${processId} and key in (select id from workers)`;
    const { rows } = await sql`
      insert into concurrent_uses as uses (account_id, use, holders)
      select id, ${use}, ${ownHolder} from accounts where id = ${accountId}
      on conflict (account_id, use) do update
      set holders = (select coalesce(jsonb_object_agg(key, value), '{}') from ${otherHolders}) || ${ownHolder}
      where ${limit}::int is null or (select coalesce(sum(value::int), 0) from ${otherHolders}) + ${count}::int <= ${limit}::int
      returning use`.execute(writer);
    return rows.length > 0;
  };

  /** Until the database answers: a number that stays too high would refuse requests for nothing. */
  const saveCount = (ownUse: Own): void => {
    unsaved.add(ownUse);
    void inTurn(ownUse, async () => {
      if (!unsaved.delete(ownUse)) return;
      await save(ownUse, ownUse.count, null).catch(() => {
        unsaved.add(ownUse);
        setTimeout(() => saveCount(ownUse), SAVE_AGAIN_AFTER_MS).unref();
      });
    });
  };

  return {
    take(accountId, use, limit) {
      const ownUse = ownOf(accountId, use);
      return inTurn(ownUse, async () => {
        const count = ownUse.count + 1;
        if (limit !== null && count > limit) return false;
        try {
          const isTaken = await save(ownUse, count, limit);
          if (isTaken) ownUse.count += 1;
          return isTaken;
        } catch (error) {
          // It may have been saved, with only its answer lost.
          saveCount(ownUse);
          throw error;
        }
      });
    },

    release(accountId, use) {
      const ownUse = ownOf(accountId, use);
      ownUse.count -= 1;
      saveCount(ownUse);
    },

    async inUse(accountId) {
      const { rows } = await sql<{ use: ConcurrentUse; count: number }>`
        select use, coalesce(sum(value::int), 0)::int as count
        from concurrent_uses, jsonb_each(holders)
        where account_id = ${accountId} and key in (select id from workers)
        group by use`.execute(writer);
      const counts = new Map(rows.map(({ use, count }) => [use, count]));
      return Object.fromEntries(CONCURRENT_USES.map((use) => [use, counts.get(use) ?? 0])) as Record<
        ConcurrentUse,
        number
      >;
    },

    restore: () => owns.forEach(saveCount),
  };
}
