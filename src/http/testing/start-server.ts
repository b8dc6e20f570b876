import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { probeAudio } from '#audio/probe.ts';
import { SCOPES, type Scope } from '#contracts/accounts.ts';
import type { Corpus } from '#contracts/corpus.ts';
import { AppError } from '#contracts/errors.ts';
import type { Segment } from '#contracts/transcript.ts';
import type { TranscriptionOptions, TranscriptionPlan } from '#contracts/transcription.ts';
import { createAdministration } from '#features/accounts/administration.ts';
import { plansWith, type Plans } from '#features/accounts/plans.ts';
import { createCorpusLibrary } from '#features/corpora/library.ts';
import { createServer } from '#http/server.ts';
import type { HttpConfig, HttpServices, ModelSummary } from '#http/services.ts';
import { cleanIncoming } from '#http/upload.ts';
import { openQueue } from '#queue/open-queue.ts';
import { openBlobs } from '#store/blobs.ts';
import { openStore } from '#store/open-store.ts';
import type { Store } from '#store/store.ts';
import { createLogger } from '#telemetry/logger.ts';
import { createMetrics } from '#telemetry/metrics.ts';

/** What the tests' recogniser hears in every recording; a context of `FAIL` makes it fail instead. */
export const HEARD: Segment[] = [
  { text: '早晨', startMs: 0, endMs: 400, words: [], speaker: null, confidence: null },
  { text: '你好嗎', startMs: 500, endMs: 1_000, words: [], speaker: null, confidence: null },
];

const MODELS: ModelSummary[] = [
  {
    ability: 'recognizer',
    name: 'test',
    engine: 'sentence',
    version: '1',
    capabilities: { languages: { mandarin: 40, cantonese: 60 } },
    available: true,
  },
  {
    ability: 'recognizer',
    name: 'absent',
    engine: 'sentence',
    version: '1',
    capabilities: { languages: { english: 50 } },
    available: false,
  },
];

/** Plans small enough to be used up in a test. */
const PLANS = JSON.stringify({
  small: {
    quotas: { stt_seconds: 10, tts_characters: 0, video_summaries: 0 },
    requestsPerMinute: 1_000,
    pollsPerMinute: 1_000,
    streamingTts: false,
  },
  slow: {
    quotas: { stt_seconds: null, tts_characters: 0, video_summaries: 0 },
    requestsPerMinute: 3,
    pollsPerMinute: 4,
    streamingTts: false,
  },
  pro: {
    quotas: { stt_seconds: null, tts_characters: null, video_summaries: 400 },
    requestsPerMinute: 1_000_000,
    pollsPerMinute: 1_000_000,
    streamingTts: true,
  },
});

/** A public corpus, as the service ships them. */
export const PUBLIC_CORPUS: Corpus = {
  id: 'tea-houses',
  accountId: null,
  name: '茶樓',
  description: 'What is served in tea houses',
  language: 'cantonese',
  version: 3,
  entries: [
    { text: '蝦餃', jyutping: 'haa1 gaau2', weight: 1 },
    { text: '燒賣', jyutping: null, weight: 2 },
  ],
};

export type TestServer = AsyncDisposable & {
  baseUrl: string;
  port: number;
  /** A key of every scope. */
  ownerKey: string;
  store: Store;
  plans: Plans;
  state: { isReady: boolean; workIsHeld: boolean };
  /** An account of its own on a plan. */
  newAccount(plan: string, scopes?: readonly Scope[]): Promise<{ id: string; key: string; keyId: string }>;
  /** Files of uploads that lie about; blobs that were kept. */
  incoming(): Promise<string[]>;
  blobs(): Promise<string[]>;
  /** Takes the database away while the interface goes on. */
  loseDatabase(): Promise<void>;
};

/** The interface on a random port with a real database, queue, blobs and probe; only the recogniser is a sentence. */
export async function startTestServer(changes: Partial<HttpConfig> = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-http-'));
  const incomingDir = join(dataDir, 'incoming');
  const store = await openStore({ databaseUrl: null, dataDir });
  const queue = await openQueue({ store });
  const plans = plansWith(PLANS);
  const state = { isReady: true, workIsHeld: false };
  const administration = createAdministration(store, plans);
  const owner = await administration.bootstrapOwner(null);
  await cleanIncoming(incomingDir);
  const app = createServer({
    config: {
      version: '0.0.0',
      plans,
      incomingDir,
      maxUploadBytes: 64 * 1024 ** 2,
      maxDurationMs: 3_600_000,
      blockingByDefault: false,
      cues: { maxCharacters: 20, maxMs: 7_000 },
      webhooksAllowPrivate: false,
      trustProxy: false,
      logRequests: false,
      validateResponses: true,
      ...changes,
    },
    store,
    queue,
    blobs: await openBlobs({ dataDir, s3: null }),
    probeAudio: (path) => probeAudio(path, { maxDurationMs: changes.maxDurationMs ?? 3_600_000 }),
    planTranscription,
    corpora: createCorpusLibrary([PUBLIC_CORPUS], store.corpora),
    waitForTranscription: (id, signal) => waitFor(store, id, signal),
    followTranscription: (id, signal) => follow(store, id, signal),
    metrics: createMetrics(),
    logger: createLogger('silent'),
    isReady: () => state.isReady,
    models: () => MODELS,
  });
  await queue.work({
    transcribe: {
      run: ({ payload }) => transcribe(store, payload.transcriptionId, state),
      concurrency: 4,
      onDead: async () => {},
    },
    deliver: { run: async () => {}, concurrency: 1, onDead: async () => {} },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    ownerKey: owner?.secret ?? '',
    store,
    plans,
    state,
    async newAccount(plan, scopes = SCOPES) {
      const account = await administration.createAccount({ name: 'somebody', plan });
      const { secret, key } = await administration.createKey(account.id, { scopes });
      return { id: account.id, key: secret, keyId: key.id };
    },
    incoming: () => readdir(incomingDir),
    async blobs() {
      const entries = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },
    async loseDatabase() {
      await queue.close();
      await store.close();
    },
    async [Symbol.asyncDispose]() {
      state.workIsHeld = false;
      await app.close();
      await queue.close();
      await store.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function planTranscription({ language, model, withDiarization }: TranscriptionOptions): TranscriptionPlan {
  if (model !== null && model !== 'test') throw new AppError('model_not_found');
  if (language === 'english' || withDiarization) throw new AppError('engine_unavailable');
  return { backend: language === 'auto' ? 'auto' : 'test', version: 'test 1', willFuse: false };
}

async function transcribe(store: Store, id: string, state: TestServer['state']): Promise<void> {
  if (!(await store.transcriptions.start(id))) return;
  while (state.workIsHeld) await sleep(5);
  const record = await store.transcriptions.find(id);
  if (record === null) return;
  if (record.options.context === 'FAIL') {
    const error = { code: 'corrupt_audio', message: 'The audio file is damaged or cut off.' } as const;
    await store.transcriptions.fail(id, { error, processingSeconds: 0.25 });
    return;
  }
  await store.transcriptions.complete(id, {
    result: {
      language: 'cantonese',
      backend: 'test',
      segments: HEARD,
      fusion: null,
      durationMs: record.durationMs,
      transcriptionSeconds: 0.25,
      fusionSeconds: 0,
      isCached: false,
    },
    cacheKey: record.cacheKey,
    processingSeconds: 0.5,
    creditsUsed: Math.max(1, Math.ceil(record.durationMs / 1_000)),
  });
}

const waitFor: (
  store: Store,
  ...call: Parameters<HttpServices['waitForTranscription']>
) => ReturnType<HttpServices['waitForTranscription']> = async (store, id, signal) => {
  for (;;) {
    signal.throwIfAborted();
    const record = await store.transcriptions.find(id);
    if (record !== null && (record.status === 'completed' || record.status === 'failed')) return record;
    await sleep(10);
  }
};

/** As where the work runs in another process: all segments come when the record is final. */
async function* follow(store: Store, id: string, signal: AbortSignal): ReturnType<HttpServices['followTranscription']> {
  const record = await waitFor(store, id, signal);
  yield* record.result?.segments ?? [];
  return record;
}
