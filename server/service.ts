import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ConfigError, type Config } from './config/config.ts';
import { planTranscription } from '@jyutsing/engines/plan-transcription';
import { loadEngines, SHIPPED_ENGINES_DIR, type EngineRegistry } from '@jyutsing/engines/registry';
import { AppError, serializeError } from '@jyutsing/contracts/errors';
import type { TranscriptionOptions, TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { createAdministration } from './features/accounts/administration.ts';
import { plansWith, SHIPPED_PLANS, type Plans } from './features/accounts/plans.ts';
import { createCorpusLibrary } from './features/corpora/library.ts';
import { createServer } from './http/server.ts';
import type { HttpConfig } from './http/deps.ts';
import { cleanIncoming } from './http/upload.ts';
import { viewRecord } from './http/transcription/record-view.ts';
import { createTranscriptionUpdates } from './jobs/transcription-updates.ts';
import { createDeliverJob, reportUndelivered, type DeliverJobServices } from './jobs/deliver.ts';
import { startHousekeeping } from './jobs/housekeeping.ts';
import { createTranscribeJob, failTranscription, type TranscribeJobServices } from './jobs/transcribe.ts';
import { openQueue } from './queue/open-queue.ts';
import { takeProcessLease } from './queue/process-lease.ts';
import type { Queue } from './queue/queue.ts';
import { openBlobs } from './store/blobs.ts';
import { openStore } from './store/open-store.ts';
import { createLogger } from './telemetry/logger.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { loadShippedCorpora } from '@jyutsing/text/corpora/load-shipped-corpora';
import { createSpeaking } from './wire-tts.ts';
import { createWorkerPools, type WorkerPools } from './workers/worker-pools.ts';
import { wireVideoSummary } from './wire-video-summary.ts';

export type RunningService = {
  baseUrl: string;
  /** Made on an empty database unless the configuration gave one; to be shown once and never again. */
  newOwnerKey: string | null;
  /** Refuses new requests, lets running work end within the drain time, and closes everything. */
  stop(): Promise<void>;
};

/** They wait for other people's servers, so many may wait at once. */
const DELIVERIES_AT_A_TIME = 16;
/** The public corpora of this package. */
const SHIPPED_CORPORA_DIR = join(import.meta.dirname, '../corpora');

/** Puts the rooms together and starts to listen. Throws when the database, the port or the configuration does not let it. */
export async function startService(config: Config): Promise<RunningService> {
  const logger = createLogger(config.logLevel);
  const engines = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env: config.engines });
  requireKnown('STT_ENGINE', () => engines.languages('recognizer', config.stt.engine));
  requireKnown('TTS_ENGINE', () => engines.languages('synthesizer', config.tts.engine));
  // Starting processes takes longest, so it comes first and goes on beside the rest.
  const workers = startWorkers(config, engines);
  await mkdir(config.dataDir, { recursive: true });
  const store = await openStore(config);
  const report = (who: string) => (cause: unknown) => logger.error({ cause }, `${who} met an error`);
  const lease = await takeProcessLease(store, report('the lease of the process'));
  const blobs = await openBlobs(config);
  const queue = await openQueue({ store, onError: report('the queue') });
  const metrics = createMetrics(() => queue.depth());
  const updates = createTranscriptionUpdates(store);
  const plans = await loadPlans(config.plansFile);
  const corpora = createCorpusLibrary(loadShippedCorpora(SHIPPED_CORPORA_DIR), store.corpora);
  const http = await httpConfig(config, plans);
  const { speech, voices } = createSpeaking({ config, engines, workers, store, blobs }, http.incomingDir);
  const video = wireVideoSummary({ config, corpora, engines, workers, store, logger, metrics }, http.incomingDir);
  const plan = (options: TranscriptionOptions) => planTranscription(engines, options, config.stt.engine);
  const owner = await createAdministration(store, plans).bootstrapOwner(config.bootstrapApiKey);

  let ready = false;
  const closing = new AbortController();
  const server = createServer({
    config: http,
    store,
    queue,
    blobs,
    probeAudio: (path) => workers.probe(path),
    planTranscription: plan,
    corpora,
    voices,
    speech,
    scorePronunciation: (call, signal) => workers.score(call, engines.select('pronunciation-assessor'), signal),
    videoSummarizer: video.summarizer,
    waitForTranscription: (id, signal) => updates.wait(id, AbortSignal.any([signal, closing.signal])),
    followTranscription: (id, signal) => updates.follow(id, AbortSignal.any([signal, closing.signal])),
    followProgress: (id, signal) => updates.followProgress(id, AbortSignal.any([signal, closing.signal])),
    metrics,
    logger,
    isReady: () => ready,
    models: () => engines.describeModels(),
  });
  await server.listen({ host: config.host, port: config.port });

  const job = {
    store,
    queue,
    blobs,
    corpora,
    planTranscription: plan,
    listen: workers.listen,
    fuse: workers.fuse,
    updates,
    metrics,
    logger,
  };
  const render = (record: TranscriptionRecord) => viewRecord(record, config.stt.cues);
  await startJobs(queue, job, { store, render, policy: config.webhooks, metrics, logger }, config);
  const stopHousekeeping = startHousekeeping(job, config);
  await workers.ready;
  ready = true;

  return {
    baseUrl: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${(server.server.address() as AddressInfo).port}`,
    newOwnerKey: owner?.isNew === true ? owner.secret : null,
    async stop() {
      ready = false;
      stopHousekeeping();
      // Blocking calls wait for jobs, so the jobs end first; whoever still waits then is told to come again.
      await Promise.all([queue.drain(config.drainMs), speech.drain(config.drainMs), video.drain(config.drainMs)]);
      closing.abort(new AppError('service_unavailable'));
      await server.close();
      await video.close();
      await workers.close();
      await queue.close();
      await lease.release();
      await store.close();
    },
  };
}

function startWorkers(config: Config, engines: EngineRegistry): WorkerPools {
  return createWorkerPools({
    count: config.workers.count,
    memoryLimitBytes: config.workers.memoryLimitBytes,
    silenceTimeoutMs: config.workers.silenceTimeoutMs,
    fusionChunkBudgetMs: config.stt.fusionChunkBudgetMs,
    limits: { maxDurationMs: config.stt.maxDurationMs },
    env: config.engines,
    enginesDir: SHIPPED_ENGINES_DIR,
    models: {
      recognizer: () => orNull(() => engines.select('recognizer', { language: 'cantonese', model: config.stt.engine })),
      synthesizer: () =>
        orNull(() => engines.select('synthesizer', { language: 'cantonese', model: config.tts.engine })),
      assessor: () => orNull(() => engines.select('pronunciation-assessor')),
      correctors: () => engines.selectAll('corrector'),
    },
    warmUp: config.workers.warmUp,
  });
}

/** Null where no model can be chosen: then nothing is loaded ahead, and requests are refused with the reason. */
function orNull<Value>(choose: () => Value): Value | null {
  try {
    return choose();
  } catch {
    return null;
  }
}

/** Every kind of job and who does it. */
function startJobs(
  queue: Queue,
  transcription: TranscribeJobServices,
  delivery: DeliverJobServices,
  config: Config,
): Promise<void> {
  return queue.start({
    transcribe: {
      run: createTranscribeJob(transcription),
      // One more than there are workers: the next recording is ready when a worker becomes free, so that none waits for the disk.
      concurrency: config.workers.count + 1,
      onDeadLetter: ({ payload }) =>
        failTranscription(payload.transcriptionId, serializeError(new AppError('internal_error')), transcription),
    },
    deliver: {
      run: createDeliverJob(delivery),
      concurrency: DELIVERIES_AT_A_TIME,
      onDeadLetter: async ({ payload }) => reportUndelivered(payload.transcriptionId, delivery),
    },
  });
}

/** A misspelt engine would refuse every request; better that the start says so. One that is not available yet may be pulled later. */
function requireKnown(variable: string, look: () => unknown): void {
  try {
    look();
  } catch (cause) {
    const why = cause instanceof AppError ? cause.message : 'it cannot be used';
    throw new ConfigError(`Bad configuration. ${variable}: ${why}`, { cause });
  }
}

async function loadPlans(file: string | null): Promise<Plans> {
  return file === null ? SHIPPED_PLANS : plansWith(await readFile(file, 'utf8'));
}

async function httpConfig(config: Config, plans: Plans): Promise<HttpConfig> {
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    version: string;
  };
  return {
    version,
    plans,
    incomingDir: await prepareIncoming(join(config.dataDir, 'incoming')),
    maxUploadBytes: config.stt.maxUploadBytes,
    maxDurationMs: config.stt.maxDurationMs,
    blockingByDefault: config.stt.blockingByDefault,
    cues: config.stt.cues,
    webhooksAllowPrivate: config.webhooks.allowPrivate,
    trustProxy: config.trustProxy,
    logRequests: config.logRequests,
    validateResponses: false,
  };
}

/** A folder for this process's uploads; those of processes that are gone are deleted, those of living ones left alone. */
async function prepareIncoming(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    if (!isRunning(Number(name))) await rm(join(parent, name), { recursive: true, force: true });
  }
  const own = join(parent, String(process.pid));
  await cleanIncoming(own);
  return own;
}

function isRunning(pid: number): boolean {
  try {
    return Number.isInteger(pid) && pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
