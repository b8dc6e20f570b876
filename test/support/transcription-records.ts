// Records for the tests of this room.
import type { TranscriptionRecord, TranscriptionResult } from '@jyutsing/contracts/transcription';

/** A result as an engine gives it. */
export function newResult(): TranscriptionResult {
  const word = { text: '你', reading: 'nei5', startMs: 0, endMs: 180, confidence: 0.93 };
  const segment = { text: '你', startMs: 0, endMs: 180, words: [word], speaker: null, confidence: null };
  return {
    language: 'cantonese',
    backend: 'test',
    segments: [segment],
    fusion: null,
    durationMs: 2_900,
    transcriptionSeconds: 0.4,
    fusionSeconds: 0,
    isCached: false,
  };
}

/** A record that waits; everything can be changed. */
export function newRecord(accountId: string, change: Partial<TranscriptionRecord> = {}): TranscriptionRecord {
  return {
    id: crypto.randomUUID(),
    accountId,
    status: 'pending',
    blobKey: 'uploads/one',
    contentSha256: 'ab'.repeat(32),
    sizeBytes: 1_234,
    options: {
      language: 'auto',
      withTimestamp: true,
      withDiarization: false,
      context: '天氣',
      skipFusion: false,
      corpusIds: null,
      model: null,
    },
    durationMs: 3_000,
    outputLanguage: 'auto',
    backend: 'builtin',
    cacheKey: '',
    callbackUrl: null,
    stage: 'queued',
    processedMs: 0,
    result: null,
    error: null,
    processingSeconds: null,
    creditsUsed: null,
    createdAtMs: Date.now(),
    startedAtMs: null,
    progressAtMs: null,
    finishedAtMs: null,
    ...change,
  };
}
