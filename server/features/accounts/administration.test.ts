import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '@jyutsing/contracts/accounts';
import { UncertainCommit } from '@jyutsing/contracts/errors';
import { uncertainCommit } from '#store/database-errors.ts';
import type { Store } from '#store/store.ts';
import { createAdministration, type Administration } from './administration.ts';
import { hashKey } from './api-keys.ts';
import { SHIPPED_PLANS } from './plans.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let opened: TestStore;
let store: Store;
let administration: Administration;

beforeAll(async () => {
  opened = await openTestStore();
  ({ store } = opened);
  administration = createAdministration(store, SHIPPED_PLANS);
});
afterAll(() => opened.close());

const create = (name = 'school', plan = 'free') => administration.createAccount({ name, plan });

describe('the first account', () => {
  it('has the top plan and a key of every scope, and is made once', async () => {
    const [first, second] = await Promise.all([
      administration.bootstrapOwner('a-secret-of-the-operator'),
      administration.bootstrapOwner(null),
    ]);
    const made = first ?? second;
    expect([first, second].filter((created) => created === null)).toHaveLength(1);
    expect(made?.account).toMatchObject({ name: 'owner', plan: 'pro', blocked: false });
    const found = await store.keys.findByHash(hashKey(made!.secret));
    expect(found?.key.scopes).toEqual(SCOPES);
    expect(made?.isNew).toBe(made === second);
    expect(await administration.bootstrapOwner(null)).toBeNull();
  });
});

describe('the name of an account or a key', () => {
  it.each([
    ['  spaces  ', 'spaces'],
    ['粵語學校', '粵語學校'],
    ['x'.repeat(200), 'x'.repeat(200)],
    [` ${'x'.repeat(200)} `, 'x'.repeat(200)],
    ["Robert'); DROP TABLE accounts; --", "Robert'); DROP TABLE accounts; --"],
    ['🎤', '🎤'],
  ])('%j is kept', async (name, kept) => {
    const account = await create(name);
    expect(account.name).toBe(kept);
    expect((await administration.createKey(account.id, { name })).key.name).toBe(kept);
  });

  it.each(['', '   ', 'x'.repeat(201), 'two\nlines', 'a\0b', 'a\u0085b', '\x1b[2Jx', 'half a \ud842'])(
    '%j is refused',
    async (name) => {
      await expect(create(name)).rejects.toMatchObject({ code: 'invalid_parameter' });
      await expect(administration.createKey(UNKNOWN_ID, { name })).rejects.toMatchObject({ code: 'invalid_parameter' });
    },
  );
});

describe('the plan of an account', () => {
  it.each(['', 'Free', 'gold', '__proto__', 'constructor', 'toString'])('is not %j', async (plan) => {
    await expect(create('x', plan)).rejects.toMatchObject({ code: 'invalid_parameter' });
    await expect(administration.updateAccount((await create()).id, { plan })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });

  it('and its block change separately', async () => {
    const { id } = await create();
    expect(await administration.updateAccount(id, { plan: 'starter' })).toMatchObject({
      plan: 'starter',
      blocked: false,
    });
    expect(await administration.updateAccount(id, { blocked: true })).toMatchObject({ plan: 'starter', blocked: true });
    expect(await administration.updateAccount(id, {})).toMatchObject({ plan: 'starter', blocked: true });
    expect(await administration.updateAccount(id, { plan: 'free', blocked: false })).toMatchObject({
      plan: 'free',
      blocked: false,
    });
  });
});

describe('an id', () => {
  it('is accepted in upper case', async () => {
    const { id } = await create();
    const upper = id.toUpperCase();
    expect((await administration.usage(upper)).account.id).toBe(id);
    expect((await administration.updateAccount(upper, { blocked: true })).id).toBe(id);
    const { key } = await administration.createKey(upper, {});
    expect(key.accountId).toBe(id);
    expect(await administration.listKeys(upper)).toEqual([key]);
    await administration.revokeKey(key.id.toUpperCase());
    expect(await administration.listKeys(id)).toEqual([{ ...key, revoked: true }]);
    expect((await administration.deleteAccount(upper, { delete: async () => {} })).id).toBe(id);
    await expect(administration.usage(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['', 'x', UNKNOWN_ID, `${UNKNOWN_ID}0`, ` ${UNKNOWN_ID}`, "' OR 1=1", '%', '\0'])(
    'of no account or key is not found: %j',
    async (id) => {
      await expect(administration.usage(id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(administration.listKeys(id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(administration.createKey(id, {})).rejects.toMatchObject({ code: 'not_found' });
      await expect(administration.updateAccount(id, { blocked: true })).rejects.toMatchObject({ code: 'not_found' });
      await expect(administration.deleteAccount(id, { delete: async () => {} })).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(administration.revokeKey(id)).rejects.toMatchObject({ code: 'not_found' });
    },
  );
});

describe('a key', () => {
  it('has every scope but admin by default', async () => {
    const { secret, key } = await administration.createKey((await create()).id, {});
    expect(key.scopes).toEqual(['stt', 'tts', 'pronunciation', 'video']);
    expect(key.name).toBe('key');
    expect(secret.startsWith(key.prefix)).toBe(true);
    expect((await store.keys.findByHash(hashKey(secret)))?.key).toEqual(key);
  });

  it.each([
    [[], []],
    [['admin'], ['admin']],
    [
      ['tts', 'stt', 'tts'],
      ['stt', 'tts'],
    ],
  ])('for %j has the scopes %j', async (scopes, kept) => {
    expect((await administration.createKey((await create()).id, { scopes })).key.scopes).toEqual(kept);
  });

  it.each([[['root']], [['stt', 'STT']], [['']], [['stt', '__proto__']]])(
    'has no unknown scope: %j',
    async (scopes) => {
      await expect(administration.createKey((await create()).id, { scopes })).rejects.toMatchObject({
        code: 'invalid_parameter',
      });
    },
  );

  it('that is revoked can be revoked again, and opens nothing', async () => {
    const { secret, key } = await administration.createKey((await create()).id, {});
    await administration.revokeKey(key.id);
    await administration.revokeKey(key.id);
    expect(await store.keys.findByHash(hashKey(secret))).toBeNull();
  });
});

describe('the usage of an account', () => {
  it('is that of its plan and period', async () => {
    const account = await create('user', 'starter');
    const ask = { accountId: account.id, unit: 'stt_seconds', limit: 36_000, heldBy: 'process' } as const;
    await store.quotas.reserve({ ...ask, amount: 90, requestId: 'usage-of-a-test' });
    const usage = await administration.usage(account.id);
    expect(usage).toMatchObject({ account, plan: 'starter', requestsPerMinute: 300, pollsPerMinute: 2_400 });
    expect(usage.quotas).toEqual({
      stt_seconds: { used: 90, limit: 36_000, remaining: 35_910 },
      tts_characters: { used: 0, limit: 200_000, remaining: 200_000 },
      video_summaries: { used: 0, limit: 50, remaining: 50 },
    });
    expect(usage.periodStartMs).toBeLessThanOrEqual(account.createdAtMs);
    expect(usage.periodEndMs).toBeGreaterThan(account.createdAtMs);
  });

  it('under a plan that is no longer offered says so', async () => {
    const { id } = await store.accounts.create({ name: 'old', plan: 'gold' });
    await expect(administration.usage(id)).rejects.toMatchObject({ code: 'plan_required' });
  });
});

it('the files of an account are deleted although the commit of its deletion was not answered', async () => {
  const { id } = await create();
  const record = newRecord(id, { blobKey: 'uploads/recording' });
  await store.transcriptions.insert(record);
  const unanswered: Store = {
    ...store,
    async transaction(work) {
      await store.transaction(work);
      throw uncertainCommit('unreachable');
    },
  };
  const deleted: string[] = [];
  const blobs = { delete: async (key: string) => void deleted.push(key) };
  const deletion = createAdministration(unanswered, SHIPPED_PLANS).deleteAccount(id, blobs);
  await expect(deletion).rejects.toBeInstanceOf(UncertainCommit);
  await expect.poll(() => deleted).toEqual(['uploads/recording']);
});

it('the finished records of an account are deleted in parts, before the account', async () => {
  const { id } = await create();
  const finished = Array.from({ length: 1_001 }, (_, i) =>
    newRecord(id, { status: 'completed', blobKey: i % 500 === 0 ? `kept/${i}` : null }),
  );
  const running = newRecord(id, { status: 'processing', blobKey: 'uploads/running' });
  await Promise.all([...finished, running].map((record) => store.transcriptions.insert(record)));
  let left: string[] = [];
  const watched: Store = {
    ...store,
    transaction: (work) =>
      store.transaction(async (transaction) => {
        left = (await transaction.transcriptions.list(id, { limit: 9 })).map((record) => record.id);
        return work(transaction);
      }),
  };
  const deleted: string[] = [];
  const blobs = { delete: async (key: string) => void deleted.push(key) };
  await createAdministration(watched, SHIPPED_PLANS).deleteAccount(id, blobs);
  expect(left).toEqual([running.id]);
  expect(deleted.sort()).toEqual(['kept/0', 'kept/1000', 'kept/500', 'uploads/running']);
  expect(await store.transcriptions.wasDeleted(finished[7]!.id)).toBe(true);
});

it('large transcripts and word lists of an account are deleted a few at a time, before the account', async () => {
  const { id } = await create();
  for (let i = 0; i < 5; i += 1) {
    const result = { ...newResult(), backend: 'x'.repeat(1_500_000) };
    await store.transcriptions.insert(newRecord(id, { status: 'completed', result, blobKey: null }));
    await store.corpora.create(
      { accountId: id, name: '食物', description: '', language: 'cantonese', entries: [] },
      10,
    );
  }
  const parts: number[] = [];
  let wordListsLeft = -1;
  const watched: Store = {
    ...store,
    transcriptions: {
      ...store.transcriptions,
      async deleteFinished(which) {
        const part = await store.transcriptions.deleteFinished(which);
        parts.push(part.length);
        return part;
      },
    },
    transaction: (work) =>
      store.transaction(async (transaction) => {
        wordListsLeft = (await transaction.corpora.list(id)).length;
        return work(transaction);
      }),
  };
  await createAdministration(watched, SHIPPED_PLANS).deleteAccount(id, { delete: async () => {} });
  expect(parts).toEqual([2, 2, 1, 0]);
  expect(wordListsLeft).toBe(0);
});

describe.each(databasesToTest())('on $name the last key that administers', (database) => {
  const withAdmins = async () => {
    const store = await openTestStore(database);
    const all = createAdministration(store.store, SHIPPED_PLANS);
    const owner = (await all.bootstrapOwner('a-secret-of-the-operator'))!.account;
    const other = await all.createAccount({ name: 'second', plan: 'free' });
    const [ownerKey] = await all.listKeys(owner.id);
    return { ...store, all, owner, other, ownerKey: ownerKey!, admin: { scopes: ['admin'] } };
  };
  const blobs = { delete: async () => {} };

  it('is not revoked, nor its account blocked or deleted', async () => {
    const { all, owner, other, ownerKey, admin, store: repositories, close } = await withAdmins();
    await all.createKey(other.id, { scopes: ['stt', 'tts'] });
    const { key: revoked } = await all.createKey(other.id, admin);
    await all.revokeKey(revoked.id);
    const blockedAccount = await all.createAccount({ name: 'third', plan: 'free' });
    await all.createKey(blockedAccount.id, admin);
    await all.updateAccount(blockedAccount.id, { blocked: true });
    const record = newRecord(owner.id, { status: 'completed', blobKey: null });
    await repositories.transcriptions.insert(record);
    const refusal = { code: 'conflict', message: expect.stringContaining('"admin"') as string };
    await expect(all.revokeKey(ownerKey.id)).rejects.toMatchObject(refusal);
    await expect(all.updateAccount(owner.id, { blocked: true })).rejects.toMatchObject(refusal);
    await expect(all.deleteAccount(owner.id, blobs)).rejects.toMatchObject(refusal);
    expect((await repositories.accounts.find(owner.id))?.blocked).toBe(false);
    expect(await repositories.transcriptions.wasDeleted(record.id)).toBe(false);
    expect((await all.listKeys(owner.id))[0]?.revoked).toBe(false);
    await close();
  });

  it('is one of two when both are revoked at the same time', async () => {
    const { all, other, ownerKey, admin, close } = await withAdmins();
    const { key } = await all.createKey(other.id, admin);
    const done = await Promise.allSettled([all.revokeKey(ownerKey.id), all.revokeKey(key.id)]);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await close();
  });
});

it('an account is deleted although its files cannot be', async () => {
  const { id } = await create();
  const { secret } = await administration.createKey(id, {});
  const broken = { delete: () => Promise.reject(new Error('the disk is gone')) };
  await administration.deleteAccount(id, broken);
  await expect(administration.usage(id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await store.keys.findByHash(hashKey(secret))).toBeNull();
});

it('an account that is deleted meanwhile is not found, whatever was asked', async () => {
  const { id } = await create();
  const late: Store = {
    ...store,
    accounts: {
      ...store.accounts,
      async find(idOrPrefix) {
        const found = await store.accounts.find(idOrPrefix);
        await store.accounts.delete(idOrPrefix);
        return found;
      },
    },
  };
  const found = { code: 'not_found', message: 'There is no account with this id.' };
  await expect(createAdministration(late, SHIPPED_PLANS).createKey(id, {})).rejects.toMatchObject(found);
  const { id: other } = await create();
  await expect(createAdministration(late, SHIPPED_PLANS).usage(other)).rejects.toMatchObject(found);
});
