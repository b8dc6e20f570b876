import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { IDEMPOTENCY_KEY_LIFETIME_MS } from './idempotency-keys.ts';
import type { Store } from './store.ts';
import { newRecord } from '#test/transcription-records.ts';

describe.each(databasesToTest())('idempotency keys on $name', (database) => {
  let opened: TestStore;
  let store: Store;
  let accountId: string;

  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
    ({ id: accountId } = await store.accounts.create({ name: 'an account', plan: 'free' }));
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(() => opened.close());

  /** Claims a key like a submission; returns the id of the transcription of the key. */
  const submit = (key: string, { requestSha256 = 'the request', account = accountId, fails = false } = {}) =>
    store.transaction(async (transaction) => {
      const record = newRecord(account);
      const claim = { accountId: account, key, requestSha256, transcriptionId: record.id };
      const holder = await transaction.idempotencyKeys.claim(claim);
      if (holder.transcriptionId === record.id) await transaction.transcriptions.insert(record);
      if (fails) throw new AppError('quota_exceeded');
      return holder.transcriptionId;
    });
  const count = async () => (await store.transcriptions.list(accountId, { limit: 1_000 })).length;

  it('20 simultaneous requests with one key create one record, and all get its id', async () => {
    const before = await count();
    const ids = await Promise.all(Array.from({ length: 20 }, () => submit('twenty')));
    expect(new Set(ids).size).toBe(1);
    expect(await count()).toBe(before + 1);
    expect(await store.idempotencyKeys.find(accountId, 'twenty')).toEqual({
      requestSha256: 'the request',
      transcriptionId: ids[0],
    });
  });

  it('a second request gets the first one, even if it differs', async () => {
    const first = await submit('other', { requestSha256: 'first' });
    expect(await submit('other', { requestSha256: 'second' })).toBe(first);
    expect(await store.idempotencyKeys.find(accountId, 'other')).toMatchObject({ requestSha256: 'first' });
  });

  it('a refused request does not keep its key', async () => {
    await expect(submit('refused', { fails: true })).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await store.idempotencyKeys.find(accountId, 'refused')).toBeNull();
    const ended = await Promise.allSettled([submit('refused', { fails: true }), submit('refused')]);
    const id = ended[1].status === 'fulfilled' ? ended[1].value : null;
    expect(await store.transcriptions.find(id ?? '')).not.toBeNull();
  });

  it('accounts do not share keys', async () => {
    const { id: account } = await store.accounts.create({ name: 'another', plan: 'free' });
    expect(await submit('shared', { account })).not.toBe(await submit('shared'));
  });

  it('a key expires after a day, or when its transcription is deleted', async () => {
    const first = await submit('again');
    await store.transcriptions.delete(first, accountId);
    expect(await store.idempotencyKeys.find(accountId, 'again')).toBeNull();
    const ids = await Promise.all(Array.from({ length: 10 }, () => submit('again')));
    expect(new Set(ids).size).toBe(1);
    expect(ids).not.toContain(first);

    vi.setSystemTime(Date.now() + IDEMPOTENCY_KEY_LIFETIME_MS - 5_000);
    expect(await submit('again')).toBe(ids[0]);
    vi.setSystemTime(Date.now() + 10_000);
    expect(await store.idempotencyKeys.find(accountId, 'again')).toBeNull();
    const later = await submit('again');
    expect(ids).not.toContain(later);
    expect(await store.idempotencyKeys.deleteExpired()).toBeGreaterThan(0);
    expect(await store.idempotencyKeys.deleteExpired()).toBe(0);
    expect(await submit('again')).toBe(later);
  });

  it('hostile keys are stored unchanged', async () => {
    for (const key of ["'; drop table accounts; --", '"quoted"', '%', 'x'.repeat(255)]) {
      const id = await submit(key);
      expect(await submit(key)).toBe(id);
    }
    expect(await store.idempotencyKeys.find(accountId, '_')).toBeNull();
  });
});
