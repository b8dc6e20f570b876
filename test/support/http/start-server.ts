import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROLES } from '@jyutsing/contracts/roles';
import { SCOPES, type Scope } from '@jyutsing/contracts/accounts';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import type { Corpus } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelDescription } from '@jyutsing/contracts/model-catalog';
import { loadConfig } from '#server/config/config.ts';
import { createAdministration } from '#server/features/accounts/administration.ts';
import { plansWith, type Plans } from '#server/features/accounts/plans.ts';
import { createCorpusLibrary } from '#server/features/corpora/library.ts';
import type { VoiceEditor, VoiceLibrary } from '#server/features/voices/library.ts';
import { createServer } from '#server/http/server.ts';
import type { HttpConfig, ServerDeps } from '#server/http/deps.ts';
import { openQueue } from '#server/queue/open-queue.ts';
import type { Queue } from '#server/queue/queue.ts';
import { openBlobs } from '#server/store/blobs.ts';
import { openIncomingFolder } from '#server/store/incoming-folder.ts';
import { openStore } from '#server/store/open-store.ts';
import type { Store } from '#server/store/store.ts';
import { createLogger } from '#server/telemetry/logger.ts';
import { NO_TRACING } from '#server/telemetry/tracing.ts';
import { createMetrics } from '#server/telemetry/metrics.ts';
import { decodeHere } from '#test/decode-here.ts';
import { recognizeLiveHere } from './live-here.ts';
import { catalogOf, runTasksHere } from './run-tasks.ts';
import type { Score } from './score-well.ts';
import { SERVER_TONES, TONES } from './speak.ts';
import { newSpeakingState, type SpeakingState } from './speaking-state.ts';
import { openTestSpeaking, type MeasureSample } from './speaking.ts';
import { planTranscription, transcribe, watchStore, type WorkState } from './work.ts';

const MODELS: ModelDescription[] = [
  {
    ability: 'recognizer',
    name: 'test',
    engine: 'sentence',
    version: '1',
    capabilities: { languages: { mandarin: 40, cantonese: 60 } },
    available: true,
    reason: null,
  },
  {
    ability: 'recognizer',
    name: 'absent',
    engine: 'sentence',
    version: '1',
    capabilities: { languages: { english: 50 } },
    available: false,
    reason: 'its weights are missing',
  },
  ...[TONES, SERVER_TONES].map(({ model, capabilities }) => ({
    ability: 'synthesizer' as const,
    name: model,
    engine: 'sung',
    version: '1',
    capabilities: { languages: capabilities.languages },
    available: true,
    reason: null,
  })),
];

/** Plans with quotas that a test can use up. */
const PLANS = JSON.stringify({
  small: {
    quotas: { stt_seconds: 10, tts_characters: 0, video_summaries: 0 },
    requestsPerMinute: 1_000,
    pollsPerMinute: 1_000,
    streamingTts: false,
  },
  'keeps-little': {
    quotas: { stt_seconds: null, tts_characters: 0, video_summaries: 0 },
    requestsPerMinute: 1_000,
    pollsPerMinute: 1_000,
    streamingTts: false,
    keptAudioMb: 0.1,
  },
  'stores-little': {
    quotas: { stt_seconds: null, tts_characters: 0, video_summaries: 0 },
    requestsPerMinute: 1_000,
    pollsPerMinute: 1_000,
    streamingTts: false,
    storedTextMb: 0.35,
  },
  slow: {
    quotas: { stt_seconds: null, tts_characters: 0, video_summaries: 0 },
    requestsPerMinute: 3,
    pollsPerMinute: 4,
    streamingTts: false,
  },
  'one-at-a-time': {
    quotas: { stt_seconds: null, tts_characters: null, video_summaries: null },
    requestsPerMinute: 1_000,
    pollsPerMinute: 1_000,
    streamingTts: true,
    concurrent: { speech: 1, scores: 1, waits: 1, eventStreams: 1, live: 1 },
  },
  talkative: {
    quotas: { stt_seconds: 0, tts_characters: 400, video_summaries: 0 },
    requestsPerMinute: 1_000,
    pollsPerMinute: 1_000,
    streamingTts: true,
  },
  pro: {
    quotas: { stt_seconds: null, tts_characters: null, video_summaries: 400 },
    requestsPerMinute: 1_000_000,
    pollsPerMinute: 1_000_000,
    streamingTts: true,
  },
});

/** A public corpus like the shipped ones. */
export const PUBLIC_CORPUS: Corpus = {
  id: 'tea-houses',
  accountId: null,
  name: '茶樓',
  description: 'Dishes of tea houses',
  language: 'cantonese',
  version: 3,
  entries: [
    { text: '蝦餃', jyutping: 'haa1 gaau2', weight: 1 },
    { text: '燒賣', jyutping: null, weight: 2 },
  ],
};

const CONFIG = {
  roles: ROLES,
  version: '0.0.0',
  maxUploadBytes: 64 * 1024 ** 2,
  maxDurationMs: 3_600_000,
  blockingByDefault: false,
  keepAudio: false,
  zhMeans: 'auto' as const,
  hongKongStyle: 'spoken' as const,
  cues: { maxCharacters: 20, maxMs: 7_000 },
  voiceAliases: {},
  webhooksAllowPrivate: false,
  consoleDir: join(import.meta.dirname, 'console-files'),
  isLocal: true,
  ...loadConfig({}).http,
  tls: null,
  logRequests: false,
  validateResponses: true,
} as const;

/** Changes of the default settings. */
type TestChanges = Partial<HttpConfig> & {
  /** The address of a PostgreSQL database; the embedded one is used when this is absent. */
  databaseUrl?: string | null;
  measureSample?: MeasureSample;
  /** Scoring is unavailable when this is absent. */
  scorePronunciation?: Score;
  /** Waits before a deck is made; its signal aborts when the client has left. */
  beforeDeck?: (signal: AbortSignal) => Promise<void>;
  /** No video is found when this is absent. */
  videoSummarizer?: ServerDeps['videoSummarizer'];
  /** No language model is configured when this is absent. */
  languageModels?: ServerDeps['languageModels'];
};

/** `deletionIsHeld`: no blob is deleted for as long as this is true. */
type StorageState = { deletionIsHeld: boolean };

export type TestServer = AsyncDisposable & {
  baseUrl: string;
  port: number;
  /** A key of every scope. */
  ownerKey: string;
  store: Store;
  plans: Plans;
  state: WorkState & SpeakingState & StorageState & { isReady: boolean };
  /** Transcriptions whose delivery to a `callback_url` was started. */
  delivered: string[];
  /** Creates an account on a plan. */
  newAccount(plan: string, scopes?: readonly Scope[]): Promise<{ id: string; key: string; keyId: string }>;
  /** Files in the upload folder, and stored blobs. */
  incoming(): Promise<string[]>;
  blobs(): Promise<string[]>;
  /** Makes a blob one that cannot be deleted. */
  breakBlob(key: string): Promise<void>;
  voices: VoiceLibrary & VoiceEditor;
  /** A recording that is a valid voice sample. */
  samplePath: string;
  /** Drains the speech service, like a stopping server. */
  drainSpeech(withinMs: number): Promise<void>;
  /** Closes the database while the server runs. */
  loseDatabase(): Promise<void>;
};

/**
 * Starts the HTTP interface on a random port with a real database, queue, blob store, probe and
 * audio encoding. Recognition returns a fixed sentence, synthesis a tone for each character, and
 * voice samples are only measured by `measureSample`.
 */
export async function startTestServer(allChanges: TestChanges = {}): Promise<TestServer> {
  const { databaseUrl = null, measureSample, scorePronunciation, beforeDeck, ...otherChanges } = allChanges;
  const { videoSummarizer = NO_VIDEO_SUMMARIZER, languageModels = NO_LANGUAGE_MODEL, ...changes } = otherChanges;
  const dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-http-'));
  const store = await openStore({ databaseUrl, dataDir });
  const incoming = openIncomingFolder(dataDir, store);
  const incomingDir = incoming.path;
  const queue = await openQueue({ store });
  const plans = plansWith(PLANS);
  const state = { isReady: true, workIsHeld: false, deletionIsHeld: false, engineVersion: '1', ...newSpeakingState() };
  const delivered: string[] = [];
  const closing = new AbortController();
  const administration = createAdministration(store, plans);
  const owner = await administration.bootstrapOwner(changes.wyoming?.apiKey ?? null);
  await incoming.tidy();
  const stored = await openBlobs({ dataDir, s3: null });
  const blobs: BlobStore = {
    ...stored,
    async delete(key) {
      while (state.deletionIsHeld) await sleep(5);
      await stored.delete(key);
    },
  };
  const { voices, speech, samplePath } = await openTestSpeaking(state, {
    store,
    blobs,
    dataDir,
    incomingDir,
    measureSample,
  });
  const app = createServer({
    config: { ...CONFIG, plans, incomingDir, ...changes },
    store,
    queue,
    blobs,
    planTranscription: (options) => planTranscription(options, state),
    live: recognizeLiveHere(),
    decoders: decodeHere(),
    corpora: createCorpusLibrary([PUBLIC_CORPUS], store.corpora),
    voices,
    speech,
    models: catalogOf(MODELS),
    modelPulls: {
      isOpenToOwners: true,
      list: async () => [],
      status: () => null,
      start(name) {
        throw new AppError('model_not_found', `The engines offer no model "${name}".`);
      },
    },
    workers: runTasksHere({ scorePronunciation, beforeDeck, maxDurationMs: changes.maxDurationMs ?? 3_600_000 }),
    videoSummarizer,
    languageModels,
    ...watchStore(store, closing.signal),
    metrics: createMetrics(),
    tracing: NO_TRACING,
    logger: createLogger('silent'),
    isReady: () => state.isReady,
  });
  await work(queue, store, state, delivered);
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
    delivered,
    async newAccount(plan, scopes = SCOPES) {
      const account = await administration.createAccount({ name: 'an account', plan });
      const { secret, key } = await administration.createKey(account.id, { scopes });
      return { id: account.id, key: secret, keyId: key.id };
    },
    incoming: () => readdir(incomingDir),
    async blobs() {
      const entries = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },
    async breakBlob(key) {
      const path = join(dataDir, 'blobs', key);
      await rm(path);
      await mkdir(path);
    },
    voices,
    samplePath,
    drainSpeech: (withinMs) => speech.drain(withinMs),
    async loseDatabase() {
      await queue.close();
      await store.close();
    },
    async [Symbol.asyncDispose]() {
      state.workIsHeld = false;
      state.deletionIsHeld = false;
      state.speechIsHeld = false;
      closing.abort(new AppError('service_unavailable'));
      await app.close();
      await queue.close();
      await store.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Runs the jobs as far as the tests need them. */
async function work(queue: Queue, store: Store, state: WorkState, delivered: string[]): Promise<void> {
  await queue.start({
    transcribe: {
      run: ({ payload }) => transcribe(store, payload.transcriptionId, state),
      concurrency: 4,
      onDeadLetter: async () => {},
    },
    deliver: {
      run: async ({ payload }) => void delivered.push(payload.transcriptionId),
      concurrency: 1,
      onDeadLetter: async () => {},
    },
  });
}

const NO_LANGUAGE_MODEL: ServerDeps['languageModels'] = {
  open: () => Promise.reject(new AppError('language_model_required')),
  run: (signal, work) => work(signal),
};

const NO_VIDEO_SUMMARIZER: ServerDeps['videoSummarizer'] = {
  listTracks: () => Promise.reject(new AppError('caption_tracks_failed')),
  summarize: () => Promise.reject(new AppError('caption_tracks_failed')),
};
