import { describe, expect, test } from 'vitest';
import { SCOPES, type Account } from '@jyutsing/contracts/accounts';
import { hashKey, issueKey, keyWithSecret } from './api-keys.ts';
import { findAccount } from './find-account.ts';
import { planOf, plansWith, quotaUses, SHIPPED_PLANS, topPlan } from './plans.ts';

const account = (id: string, name: string) => ({ id, name }) as Account;
const ACCOUNTS = [
  account('aaaa1111-0000-0000-0000-000000000000', 'owner'),
  account('aaaa2222-0000-0000-0000-000000000000', 'school'),
  account('bbbb1111-0000-0000-0000-000000000000', 'school'),
  account('cccc1111-0000-0000-0000-000000000000', 'aaaa2222'),
];
const nameOf = async (text: string) => (await findAccount({ list: async () => ACCOUNTS }, text)).id.slice(0, 8);

describe('an account is found', () => {
  test.each([
    ['aaaa1111-0000-0000-0000-000000000000', 'aaaa1111', 'by its id'],
    ['AAAA1111-0000-0000-0000-000000000000', 'aaaa1111', 'in capitals'],
    ['owner', 'aaaa1111', 'by its name'],
    [' owner ', 'aaaa1111', 'with spaces'],
    ['bbbb', 'bbbb1111', 'by the beginning of its id'],
    ['aaaa2222', 'cccc1111', 'by its name before the beginning of another id'],
  ])('%j: %s, %s', async (text, id) => {
    expect(await nameOf(text)).toBe(id);
  });

  test.each([
    ['school', 'invalid_parameter'],
    ['aaaa', 'invalid_parameter'],
    ['bbb', 'not_found'],
    ['Owner', 'not_found'],
    ['', 'not_found'],
    ['nobody', 'not_found'],
  ])('not by %j: %s', async (text, code) => {
    await expect(nameOf(text)).rejects.toMatchObject({ code });
  });

  test('several that fit are named', async () => {
    await expect(nameOf('school')).rejects.toThrow(/aaaa2222-.*, bbbb1111-/);
  });
});

describe('a key', () => {
  test('is new every time, and only its hash is stored', () => {
    const keys = Array.from({ length: 200 }, () => issueKey('mine', ['stt']));
    expect(new Set(keys.map(({ secret }) => secret)).size).toBe(200);
    for (const { secret, stored } of keys) {
      expect(secret).toMatch(/^jyut_[0-9A-Za-z]{40}$/);
      expect(stored).toEqual({ name: 'mine', scopes: ['stt'], prefix: secret.slice(0, 11), sha256: hashKey(secret) });
      expect(JSON.stringify(stored)).not.toContain(secret);
    }
  });

  test('may be chosen; a third of it is visible at most', () => {
    expect(keyWithSecret('a', SCOPES, '12345678').stored.prefix).toBe('12');
    expect(keyWithSecret('a', SCOPES, 'x'.repeat(256)).stored.prefix).toBe('x'.repeat(11));
  });

  test.each(['', '1234567', 'x'.repeat(257), 'with space', 'ключ-ключ', 'line\nbreak!', 'tab\tulator', 'null\0char'])(
    '%j is refused',
    (secret) => {
      expect(() => keyWithSecret('a', SCOPES, secret)).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
    },
  );

  // The example of FIPS 180-2.
  test('is hashed with SHA-256', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

const TEAM = {
  quotas: { stt_seconds: 10, tts_characters: null, video_summaries: 0 },
  requestsPerMinute: 7_000,
  pollsPerMinute: 5,
  streamingTts: true,
};

describe('plans', () => {
  test('of a file extend and replace the shipped ones', () => {
    const plans = plansWith(JSON.stringify({ team: TEAM, free: TEAM }));
    expect(Object.keys(plans).toSorted()).toEqual(['free', 'pro', 'starter', 'team']);
    expect(plans['free']).toMatchObject({ name: 'free', requestsPerMinute: 7_000 });
    expect(plans['team']?.concurrent).toEqual({
      speech: null,
      scores: null,
      waits: null,
      eventStreams: null,
      live: null,
    });
  });

  test.each([
    ['', 'not valid JSON'],
    ['{"team":', 'not valid JSON'],
    ['[]', 'Plans'],
    ['{"team":{}}', 'team'],
    [JSON.stringify({ team: { ...TEAM, requestsPerMinute: 0 } }), 'team.requestsPerMinute'],
    [JSON.stringify({ team: { ...TEAM, extra: 1 } }), 'team'],
    [JSON.stringify({ team: { ...TEAM, quotas: { ...TEAM.quotas, stt_seconds: -1 } } }), 'team.quotas.stt_seconds'],
    [JSON.stringify({ team: { ...TEAM, quotas: { ...TEAM.quotas, stt_seconds: 1.5 } } }), 'team.quotas.stt_seconds'],
    [JSON.stringify({ '': TEAM }), 'Plans'],
  ])('that say %s are refused: %s', (json, part) => {
    expect(() => plansWith(json)).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
    expect(() => plansWith(json)).toThrow(part);
  });

  // Interface, section 8: 5 video summaries a month on the free tier, which has no streaming, and
  // up to 400 on paid ones.
  test('that ship have the limits of the interface', () => {
    expect(SHIPPED_PLANS['free']?.quotas.video_summaries).toBe(5);
    expect(SHIPPED_PLANS['pro']?.quotas.video_summaries).toBe(400);
    expect(Object.values(SHIPPED_PLANS).map(({ name, streamingTts }) => [name, streamingTts])).toEqual([
      ['free', false],
      ['starter', true],
      ['pro', true],
    ]);
  });

  test('have a top one by the rate limit', () => {
    expect(topPlan(SHIPPED_PLANS).name).toBe('pro');
    expect(topPlan(plansWith(JSON.stringify({ team: TEAM }))).name).toBe('team');
    expect(() => topPlan({})).toThrow('there is no plan');
  });

  test('that are gone are refused, whatever their name', () => {
    expect(planOf(SHIPPED_PLANS, 'free').name).toBe('free');
    for (const name of ['gone', '', 'constructor', '__proto__']) {
      expect(() => planOf(SHIPPED_PLANS, name)).toThrow(expect.objectContaining({ code: 'plan_required' }));
    }
  });

  test('tell what is left, never less than nothing', () => {
    const plan = { ...SHIPPED_PLANS['free']!, quotas: { stt_seconds: 100, tts_characters: null, video_summaries: 5 } };
    expect(quotaUses(plan, { stt_seconds: 40, tts_characters: 7, video_summaries: 9 })).toEqual({
      stt_seconds: { used: 40, limit: 100, remaining: 60 },
      tts_characters: { used: 7, limit: null, remaining: null },
      video_summaries: { used: 9, limit: 5, remaining: 0 },
    });
  });
});
