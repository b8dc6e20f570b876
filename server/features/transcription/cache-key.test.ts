import { expect, test } from 'vitest';
import type { TranscriptionResult } from '@jyutsing/contracts/transcription';
import { asCached } from '@jyutsing/contracts/transcription';
import { cacheKeyOf, type TextSources } from './cache-key.ts';

const BASE: TextSources = {
  contentSha256: 'ab'.repeat(32),
  options: {
    language: 'cantonese',
    withTimestamp: false,
    withDiarization: false,
    context: null,
    skipFusion: false,
    corpusIds: null,
    model: null,
  },
  plan: { backend: 'builtin', version: '1', willFuse: true },
  corpora: [
    { id: 'names', version: 1 },
    { id: 'streets', version: 4 },
  ],
};
const withOptions = (change: Partial<TextSources['options']>): TextSources => ({
  ...BASE,
  options: { ...BASE.options, ...change },
});
const withPlan = (change: Partial<TextSources['plan']>): TextSources => ({
  ...BASE,
  plan: { ...BASE.plan, ...change },
});
const key = cacheKeyOf(BASE);

test('everything that changes the text gives a different key', () => {
  const changedSources: TextSources[] = [
    { ...BASE, contentSha256: 'cd'.repeat(32) },
    withOptions({ language: 'auto' }),
    withOptions({ withDiarization: true }),
    withOptions({ withDiarization: true, speakers: { min: 2, max: 2 } }),
    withOptions({ withDiarization: true, speakers: { min: 2, max: 60 } }),
    withOptions({ withDiarization: true, diarizationThreshold: 0.9 }),
    withOptions({ context: '天氣' }),
    withOptions({ context: '' }),
    withOptions({ model: 'builtin' }),
    withOptions({ everydaySpelling: true }),
    withOptions({ channels: 'separate' }),
    withPlan({ backend: 'another' }),
    withPlan({ version: '2' }),
    withPlan({ willFuse: false }),
    withPlan({ willFuse: false, version: 'hears', hearsCorpora: true }),
    { ...BASE, corpora: [] },
    { ...BASE, corpora: BASE.corpora.slice(1) },
    { ...BASE, corpora: [{ id: 'names', version: 2 }, BASE.corpora[1]!] },
  ];
  const keys = [key, ...changedSources.map(cacheKeyOf)];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.every((key) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
});

test('options of presentation and the order of corpora do not change the key', () => {
  expect(cacheKeyOf(withOptions({ withTimestamp: true }))).toBe(key);
  expect(cacheKeyOf(withOptions({ corpusIds: ['streets', 'names'] }))).toBe(key);
  expect(cacheKeyOf({ ...BASE, corpora: BASE.corpora.toReversed() })).toBe(key);
});

test('without fusion neither corpora nor the reason change the key', () => {
  const plain = withPlan({ willFuse: false });
  const plainKey = cacheKeyOf(plain);
  expect(cacheKeyOf({ ...plain, corpora: [] })).toBe(plainKey);
  expect(cacheKeyOf({ ...plain, corpora: [{ id: 'names', version: 9 }] })).toBe(plainKey);
  const { plan } = plain;
  expect(cacheKeyOf({ ...withOptions({ skipFusion: true, corpusIds: [] }), plan })).toBe(plainKey);
});

test('a context cannot imitate other parts of the key', () => {
  const a = cacheKeyOf(withOptions({ context: 'x",null,"y' }));
  const b = cacheKeyOf(withOptions({ context: 'x' }));
  expect(a).not.toBe(b);
});

test('a cached result has the same text, is marked, and took no time', () => {
  const result: TranscriptionResult = {
    language: 'cantonese',
    backend: 'builtin',
    segments: [{ text: '早晨', startMs: 0, endMs: 900, words: [], speaker: null, confidence: null }],
    fusion: null,
    durationMs: 1_000,
    transcriptionSeconds: 3,
    fusionSeconds: 1,
    isCached: false,
  };
  expect(asCached(result)).toEqual({ ...result, transcriptionSeconds: 0, fusionSeconds: 0, isCached: true });
});

test('corpora that a recognizer hears are part of the key without correction too', () => {
  const hearing = withPlan({ willFuse: false, hearsCorpora: true });
  const changed = { ...hearing, corpora: BASE.corpora.slice(1) };
  expect(cacheKeyOf(changed)).not.toBe(cacheKeyOf(hearing));
  const deaf = withPlan({ willFuse: false });
  expect(cacheKeyOf({ ...deaf, corpora: [] })).toBe(cacheKeyOf(deaf));
});
