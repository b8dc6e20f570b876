import { afterAll, assert, beforeAll, describe, expect, it, vi } from 'vitest';
import { isFinal } from '@jyutsing/contracts/transcription';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';
import { openStore } from './open-store.ts';
import type { Store, Transaction } from './store.ts';

// SQLite has one writer at a time.
const postgres = databasesToTest().filter(({ name }) => name === 'postgres');

describe.each(postgres)('deleting an account that is in use, on $name', (database) => {
  let opened: TestStore;
  let other: Store;
  let accountId: string;

  beforeAll(async () => {
    opened = await openTestStore(database);
    other = await openStore(opened);
  });
  afterAll(async () => {
    await other.close();
    await opened.close();
  });

  /**
   * A transaction of the account, which does `after` once the deletion waits for it. Whether the
   * account is deleted then.
   */
  async function deleteDuring(
    before: (transaction: Transaction) => Promise<unknown>,
    after: (transaction: Transaction) => Promise<unknown>,
  ): Promise<boolean> {
    let deletion: Promise<unknown> = Promise.resolve();
    await opened.store.transaction(async (transaction) => {
      await before(transaction);
      deletion = other.accounts.delete(accountId);
      await vi.waitFor(
        async () => {
          const { rows } = await transaction.raw.executeSql(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          expect(rows).not.toEqual([]);
        },
        { timeout: 60_000 },
      );
      await after(transaction);
    });
    await deletion;
    return (await other.accounts.find(accountId)) === null;
  }

  const newAccount = async () => {
    accountId = (await opened.store.accounts.create({ name: 'an account', plan: 'free' })).id;
  };
  const open = (cacheKey: string) => {
    const record = newRecord(accountId, { cacheKey, status: 'processing' });
    assert(!isFinal(record));
    return record;
  };
  const reserve = ({ quotas }: Pick<Store, 'quotas'>, requestId: string) =>
    quotas.reserve({ accountId, unit: 'stt_seconds', amount: 3, limit: null, requestId, heldBy: 'record' });

  it('waits for a recording that is being accepted', async () => {
    await newAccount();
    // Its turn is a row that the deletion takes, too.
    await opened.store.transaction(({ fairQueue }) => fairQueue.nextPosition('transcribe', accountId));
    const record = open('accepted');
    const isDeleted = await deleteDuring(
      ({ transcriptions }) => transcriptions.insertOrJoin(record),
      async (transaction) => {
        await reserve(transaction, record.id);
        await transaction.fairQueue.nextPosition('transcribe', accountId);
      },
    );
    expect(isDeleted).toBe(true);
  });

  it('waits for one that joins another', async () => {
    await newAccount();
    await opened.store.transcriptions.insertOrJoin(open('joined'));
    const second = open('joined');
    const isDeleted = await deleteDuring(
      ({ transcriptions }) => transcriptions.insertOrJoin(second),
      ({ transcriptions }) => transcriptions.insertOrJoin(open('joined')),
    );
    expect(isDeleted).toBe(true);
  });

  it('waits for one that is accepted within the limit of stored text', async () => {
    await newAccount();
    const record = open('within the limit');
    const isDeleted = await deleteDuring(
      // Shares the row of the account.
      ({ idempotencyKeys }) =>
        idempotencyKeys.claim({ accountId, key: 'key', requestSha256: 'hash', transcriptionId: record.id }),
      async (transaction) => {
        const { storedText, transcriptions } = transaction;
        await storedText.within(accountId, 1e9, () => transcriptions.insertOrJoin(record));
        await reserve(transaction, record.id);
      },
    );
    expect(isDeleted).toBe(true);
  });

  it('waits for one that ends while another is deleted, and leaves no total of either', async () => {
    await newAccount();
    const [ending, leaving] = [open('ends'), open('leaves')];
    for (const record of [ending, leaving]) await opened.store.transcriptions.insertOrJoin(record);
    const removed = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    // Has changed the total, and does not keep the account from its deletion.
    const removal = opened.store.transaction(async ({ transcriptions }) => {
      await transcriptions.delete(leaving.id, accountId);
      removed.resolve();
      await mayCommit.promise;
    });
    await removed.promise;
    const outcome = { result: newResult(), cacheKey: 'ends', processingSeconds: 1, creditsUsed: 1 };
    const isDeleted = await deleteDuring(
      ({ raw }) => raw.executeSql('select 1 from transcriptions where id = $1 for update', [ending.id]),
      async ({ transcriptions }) => {
        await transcriptions.complete(ending.id, outcome);
        mayCommit.resolve();
      },
    );
    await removal;
    expect(isDeleted).toBe(true);
    expect(await opened.store.storedText.bytes(accountId)).toBe(0);
  });

  it('waits for a reservation that is being settled', async () => {
    await newAccount();
    const record = open('settled');
    await opened.store.transcriptions.insertOrJoin(record);
    await reserve(opened.store, record.id);
    const isDeleted = await deleteDuring(
      ({ transcriptions }) => transcriptions.progress(record.id, { stage: 'recognition', processedMs: 10 }),
      ({ quotas }) => quotas.settle(record.id, 1),
    );
    expect(isDeleted).toBe(true);
  });
});
