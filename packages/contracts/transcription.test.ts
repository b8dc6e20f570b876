import { expect, it } from 'vitest';
import { asCached, isFinal, type TranscriptionResult } from './transcription.ts';
import { UUID } from './uuid.ts';

it.each([
  ['pending', false],
  ['processing', false],
  ['completed', true],
  ['failed', true],
] as const)('a record that is %s is final: %s', (status, expected) => {
  expect(isFinal({ status })).toBe(expected);
});

it('a result from the cache keeps its text and took no time', () => {
  const result: TranscriptionResult = {
    language: 'cantonese',
    backend: 'builtin',
    segments: [],
    fusion: { segments: [], romanization: [] },
    durationMs: 61_000,
    transcriptionSeconds: 12,
    fusionSeconds: 3,
    isCached: false,
  };
  const cached = asCached(result);
  expect(cached).toEqual({ ...result, isCached: true, transcriptionSeconds: 0, fusionSeconds: 0 });
  // The result itself is the one of the first request.
  expect(result).toMatchObject({ isCached: false, transcriptionSeconds: 12 });
});

it.each([
  ['0f8fad5b-d9cb-469f-a165-70867728950e', true],
  ['00000000-0000-0000-0000-000000000000', true],
  ['0F8FAD5B-D9CB-469F-A165-70867728950E', false],
  ['0f8fad5bd9cb469fa16570867728950e', false],
  ['0f8fad5b-d9cb-469f-a165-70867728950', false],
  ['0f8fad5b-d9cb-469f-a165-70867728950e\n', false],
  [' 0f8fad5b-d9cb-469f-a165-70867728950e', false],
  ['../../etc/passwd', false],
])('%j is the id of a record: %s', (text, expected) => {
  expect(UUID.test(text)).toBe(expected);
});
