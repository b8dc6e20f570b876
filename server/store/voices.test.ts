import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VOICE_BANDS, type VoiceProfile } from '@jyutsing/contracts/voice';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import type { PrivateVoice } from './repositories/voices.ts';
import type { Store } from './store.ts';

const bands = Array.from({ length: VOICE_BANDS.count }, (_, i) => i / 3 - 7.123456789);
const PROFILE: VoiceProfile = {
  version: 1,
  pitchMedianHz: 201.5,
  pitchLowSemitones: -3.25,
  pitchHighSemitones: 4.1,
  formantsHz: [512, 1_490.5, 2_600],
  voicedBandsDb: bands,
  unvoicedBandsDb: bands,
  noiseShares: bands.map(() => 0.1),
  syllablesPerSecond: 4.5,
  timbre: 'AAA+/w==',
};

const newVoice = (accountId: string, change: Partial<PrivateVoice> = {}): PrivateVoice => ({
  id: randomUUID(),
  accountId,
  name: "Robert'); DROP TABLE voices;-- \u{1F3A4}",
  language: 'cantonese',
  gender: 'female',
  description: 'a\nb',
  transcript: null,
  engine: null,
  profile: PROFILE,
  sample: { durationMs: 5_012, sizeBytes: 240_644 },
  createdAtMs: Date.now(),
  consentedAtMs: Date.now() - 1,
  ...change,
});

describe.each(databasesToTest())('voices on $name', (database) => {
  let opened: TestStore;
  let store: Store;

  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
  });
  afterAll(() => opened.close());

  const newAccount = async () => (await store.accounts.create({ name: 'an account', plan: 'free' })).id;
  const create = async (accountId: string, change?: Partial<PrivateVoice>): Promise<PrivateVoice> => {
    const voice = newVoice(accountId, change);
    expect(await store.voices.create(voice, voice.name.toLowerCase(), 100)).toBe(true);
    return voice;
  };

  it('a voice is read as it was written', async () => {
    const accountId = await newAccount();
    const full = await create(accountId, { transcript: '早晨', engine: null, createdAtMs: 1 });
    const bare = await create(accountId, { gender: null, description: null, createdAtMs: 2 });
    expect(await store.voices.find(full.id, accountId)).toEqual(full);
    expect(await store.voices.list(accountId)).toEqual([full, bare]);
    expect(await store.voices.count(accountId)).toBe(2);
  });

  it('of voices with the same name key the oldest is found', async () => {
    const accountId = await newAccount();
    await create(accountId, { name: 'ANNA', createdAtMs: 20 });
    const oldest = await create(accountId, { name: 'Anna', createdAtMs: 10 });
    expect(await store.voices.findByName('anna', accountId)).toEqual(oldest);
    expect(await store.voices.findByName('Anna', accountId)).toBeNull();
  });

  it('20 simultaneous creations cannot exceed the limit', async () => {
    const accountId = await newAccount();
    const limit = 7;
    const made = Array.from({ length: 20 }, () => store.voices.create(newVoice(accountId), 'x', limit));
    expect((await Promise.all(made)).filter(Boolean)).toHaveLength(limit);
    expect(await store.voices.count(accountId)).toBe(limit);
    const [first] = await store.voices.list(accountId);
    expect(await store.voices.delete(first?.id ?? '', accountId)).toBe(true);
    expect(await store.voices.create(newVoice(accountId), 'x', limit)).toBe(true);
    expect(await store.voices.create(newVoice(await newAccount()), 'x', limit)).toBe(true);
  });

  it('a voice of another account is neither found, listed nor deleted', async () => {
    const [owner, other] = [await newAccount(), await newAccount()];
    const { id, name } = await create(owner);
    expect(await store.voices.find(id, other)).toBeNull();
    expect(await store.voices.findByName(name.toLowerCase(), other)).toBeNull();
    expect(await store.voices.list(other)).toEqual([]);
    expect(await store.voices.delete(id, other)).toBe(false);
    expect(await store.voices.exists(id)).toBe(true);
  });

  it('a deleted voice is not found, and deleting it again returns false', async () => {
    const accountId = await newAccount();
    const { id } = await create(accountId);
    const deleted = await Promise.all(Array.from({ length: 10 }, () => store.voices.delete(id, accountId)));
    expect(deleted.filter(Boolean)).toHaveLength(1);
    expect([await store.voices.find(id, accountId), await store.voices.exists(id)]).toEqual([null, false]);
  });

  it('a new profile replaces the old one and no other field', async () => {
    const accountId = await newAccount();
    const voice = await create(accountId);
    const profile = { ...PROFILE, version: 2, pitchMedianHz: 99 };
    await store.voices.saveProfile(voice.id, profile);
    expect(await store.voices.find(voice.id, accountId)).toEqual({ ...voice, profile });
    await store.voices.saveProfile(randomUUID(), profile);
  });

  it('a new transcript replaces the old one and no other field', async () => {
    const accountId = await newAccount();
    const voice = await create(accountId);
    await store.voices.saveTranscript(voice.id, '早晨');
    expect(await store.voices.find(voice.id, accountId)).toEqual({ ...voice, transcript: '早晨' });
    await store.voices.saveTranscript(randomUUID(), '早晨');
  });
});
