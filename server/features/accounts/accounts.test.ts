import { expect, test } from 'vitest';
import { hashKey, issueKey, keyWithSecret } from './api-keys.ts';
import { planOf, plansWith, quotaUses, SHIPPED_PLANS, topPlan } from './plans.ts';

test('keys differ, use the alphabet evenly, and are stored as SHA-256', () => {
  const keys = Array.from({ length: 2_000 }, () => issueKey('x', ['stt']));
  expect(new Set(keys.map(({ secret }) => secret)).size).toBe(2_000);
  const counts = new Map<string, number>();
  for (const { secret } of keys) {
    for (const character of secret.slice(5)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  // 80,000 characters: 1,290 of each, standard deviation 36.
  for (const count of counts.values()) expect(Math.abs(count - 1_290)).toBeLessThan(220);
  expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('the stored prefix of a chosen key has at most a third of it', () => {
  const { secret, stored } = keyWithSecret('owner', ['admin'], 'my-secret-key-123');
  expect(secret).toBe('my-secret-key-123');
  expect(stored).toEqual({ name: 'owner', scopes: ['admin'], prefix: 'my-se', sha256: hashKey(secret) });
});

test.each(['', 'short', 'has a space in it', 'schlüssel-schlüssel', 'line\nbreak-line', 'x'.repeat(257)])(
  'a key that is invalid in a header is refused (case %#)',
  (secret) => {
    expect(() => keyWithSecret('owner', [], secret)).toThrow('printable ASCII');
  },
);

test('the shipped plans have the limits of the interface', () => {
  expect(planOf(SHIPPED_PLANS, 'free')).toMatchObject({ streamingTts: false, quotas: { video_summaries: 5 } });
  expect(planOf(SHIPPED_PLANS, 'pro')).toMatchObject({
    streamingTts: true,
    quotas: { video_summaries: 400, stt_seconds: null },
  });
  expect(topPlan(SHIPPED_PLANS).name).toBe('pro');
  for (const name of ['gold', 'constructor', '__proto__', '']) {
    expect(() => planOf(SHIPPED_PLANS, name)).toThrow('no longer offered');
  }
});

test('plans of a file extend or replace the shipped ones', () => {
  const team = {
    quotas: { stt_seconds: 5, tts_characters: null, video_summaries: 1 },
    requestsPerMinute: 1,
    pollsPerMinute: 1,
    streamingTts: true,
  };
  const plans = plansWith(JSON.stringify({ team, free: team }));
  expect(Object.keys(plans)).toEqual(['free', 'starter', 'pro', 'team']);
  const concurrent = { speech: null, scores: null, waits: null, eventStreams: null, live: null };
  expect(planOf(plans, 'free')).toEqual({ name: 'free', ...team, concurrent, keptAudioMb: null, storedTextMb: null });
  expect(topPlan(plans).name).toBe('pro');
});

test.each(['', '[]', '{"a": 1}', '{"a": {"quotas": {"stt_seconds": -1}}}', '{"a": {"requestsPerMinute": 1.5}}'])(
  'invalid plans are refused: %s',
  (text) => {
    expect(() => plansWith(text)).toThrow(/^Plans: /);
  },
);

test('the remaining quota is never negative, even if the usage exceeds the limit', () => {
  const used = { stt_seconds: 5_000, tts_characters: 0, video_summaries: 2 };
  expect(quotaUses(planOf(SHIPPED_PLANS, 'free'), used)).toMatchObject({
    stt_seconds: { used: 5_000, limit: 3_600, remaining: 0 },
    video_summaries: { remaining: 3 },
  });
});
