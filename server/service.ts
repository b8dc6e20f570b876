import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ConfigError, type Config } from './config/config.ts';
import { isLoopback } from './config/loopback.ts';
import { deleteUnfinished } from '@jyutsing/system/replace-file';
import { loadEngines, SHIPPED_ENGINES_DIR, type EngineRegistry } from '@jyutsing/engines/registry';
import { AppError, serializeError } from '@jyutsing/contracts/errors';
import type { LiveRecognition } from '@jyutsing/contracts/live-recognition';
import type { Role } from '@jyutsing/contracts/roles';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { pullAtStart } from './models/auto-pull.ts';
import { createModelPulls } from './models/model-pulls.ts';
import { createAdministration } from './features/accounts/administration.ts';
import { planOf, type Plans } from './features/accounts/plans.ts';
import { followCertificate } from './certificates/follow-certificate.ts';
import { loadCertificate } from './certificates/load-certificate.ts';
import { loadPlans } from './wiring/load-plans.ts';
import { createCorpusLibrary } from './features/corpora/library.ts';
import { createServer } from './http/server.ts';
import type { HttpConfig } from './http/deps.ts';
import { loadVoiceAliases } from './wiring/load-voice-aliases.ts';
import { viewCallback } from './http/deepgram/view-callback.ts';
import { viewRecord } from './http/transcription/record-view.ts';
import { createTranscriptionUpdates } from './jobs/transcription-updates.ts';
import { createDeliverJob, reportUndelivered, type DeliverJobServices } from './jobs/deliver.ts';
import { startHousekeeping } from './jobs/housekeeping.ts';
import { failTranscription } from './jobs/end-record.ts';
import { createTranscribeJob, type TranscribeJobServices } from './jobs/transcribe.ts';
import { openQueue } from './queue/open-queue.ts';
import { takeProcessLease } from './queue/process-lease.ts';
import { DEFAULT_LEASE_TIMING } from './queue/worker-lease.ts';
import type { JobHandler, JobName, Queue } from './queue/queue.ts';
import { openBlobs } from './store/blobs.ts';
import { prepareDataDir } from './store/data-dir.ts';
import { openIncomingFolder } from './store/incoming-folder.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import { createErrorLog } from './telemetry/repeated-errors.ts';
import { inSpan, openTracing } from './telemetry/tracing.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { loadShippedCorpora } from '@jyutsing/text/corpora/load-shipped-corpora';
import { stopParts } from './process/stop-parts.ts';
import { addressOf, createAnnouncement } from './process/service-address.ts';
import { wireTranscription } from './wiring/wire-transcription.ts';
import { wireTts } from './wiring/wire-tts.ts';
import { createFairWorkers } from './workers/fair-workers.ts';
import { createLiveCorrection } from './workers/live/live-correction.ts';
import { createLiveRecognition } from './workers/live/live-recognition.ts';
import { isConsoleBuilt } from './http/console/console-files.ts';
import { createSoundDecoders } from './workers/sound-decoders.ts';
import { MAX_DECODED_STREAMS, type WorkerPools } from './workers/worker-pools.ts';
import { wireLanguageModel } from './wiring/wire-language-model.ts';
import { wireVideoSummary } from './wiring/wire-video-summary.ts';
import { INTERACTIVE_ROLES, wireWorkers } from './wiring/wire-workers.ts';

export type ServiceOptions = {
  enginesDir?: string | undefined;
  /** It ends with the command that started it, so no other one may find it. */
  isForOneCommand?: boolean;
  /** By default lines go to standard output. */
  logger?: Logger;
};

type RunningService = {
  baseUrl: string;
  /** Created on an empty database unless the configuration gave one; shown only once. */
  newOwnerKey: string | null;
  /** Whether the web console was built. */
  hasConsole: boolean;
  /**
   * Refuses new requests, lets running work end within the drain time, and closes everything.
   * Whether all of that went well; failures are logged.
   */
  stop(): Promise<boolean>;
};

/** Deliveries wait for other servers, so many may wait at once. */
const MAX_DELIVERIES = 16;
/** S3 servers refuse requests whose time differs more from theirs. */
const BUCKET_CLOCK_SKEW_MS = 15 * 60_000;
/** Written by scripts/build-console.ts. */
const CONSOLE_DIR = join(import.meta.dirname, '../console/dist');
const SHIPPED_CORPORA_DIR = join(import.meta.dirname, '../corpora');
/** Roles that recognize Cantonese. */
const RECOGNIZING_ROLES: readonly Role[] = ['api', 'transcribe'];

/**
 * Wires the service and starts to listen. Throws when the database, the port or the configuration
 * does not allow it.
 */
export async function startService(
  config: Config,
  { enginesDir = SHIPPED_ENGINES_DIR, isForOneCommand = false, logger: chosenLogger }: ServiceOptions = {},
): Promise<RunningService> {
  const logger = chosenLogger ?? createLogger(config.logLevel);
  await prepareDataDir(config.dataDir);
  await deleteUnfinished(config.dataDir);
  const plans = await loadPlans(config.plansFile);
  const engines = await loadConfiguredEngines(config, enginesDir);
  const logErrors = (part: string) => createErrorLog(logger, part);
  const { tracing, traces, traceparent } = await openTraces(config, logErrors('the export of traces'));
  // Starting a process takes longest, so it goes on while the rest is wired.
  const { pools, workerSettings } = await wireWorkers(config, { enginesDir, traces, traceparent, logger });
  const store = await openStore(config);
  const { path: incomingDir, ...incoming } = openIncomingFolder(config.dataDir, store);
  const address = createAnnouncement(config.dataDir, store);
  const onSwept = () => incoming.tidy().then(address.keep);
  const lease = await takeProcessLease(store, logErrors('the process lease'), DEFAULT_LEASE_TIMING, onSwept);
  const [blobs, http] = await Promise.all([openBlobs(config, incomingDir), httpConfig(config, plans, incomingDir)]);
  const queue = await openQueue({ store, classes: config.queueClasses, traceparent, onError: logErrors('the queue') });
  const metrics = createMetrics({ queue, blobs, roles: config.roles });
  const updates = createTranscriptionUpdates(store);

  const workers = createFairWorkers(pools, config.workers.count, metrics.waitingTasks);
  const corpora = createCorpusLibrary(loadShippedCorpora(SHIPPED_CORPORA_DIR), store.corpora);
  const transcription = wireTranscription(config, engines, pools);
  const { speech, voices } = wireTts({ config, engines, pools, workers, workerSettings, store, blobs, incomingDir });
  const video = wireVideoSummary({ config, corpora, engines, transcription, store, logger, metrics }, incomingDir);
  const languageModels = wireLanguageModel(engines);
  const owner = await prepareAccounts(config, store, plans, logger);

  let ready = false;
  const modelPulls = createModelPulls(config, engines, logger);
  const { closing, untilClosing } = createClosing();
  const server = createServer({
    config: http,
    store,
    queue,
    tracing,
    blobs,
    models: engines,
    modelPulls,
    workers,
    planTranscription: transcription.planTranscription,
    live: wireLive(config, pools),
    decoders: createSoundDecoders(pools, MAX_DECODED_STREAMS),
    corpora,
    voices,
    speech,
    videoSummarizer: video.summarizer,
    languageModels,
    waitForTranscription: (id, signal) => updates.wait(id, untilClosing(signal)),
    followTranscription: (id, signal) => updates.follow(id, untilClosing(signal)),
    followProgress: (id, signal) => updates.followProgress(id, untilClosing(signal)),
    metrics,
    logger,
    isReady: () => ready,
  });
  await server.listen({ host: config.host, port: config.port });
  followCertificate(server.server, { tls: config.http.tls, current: http.tls, logger, signal: closing.signal });

  const monthlySeconds = createMonthlySeconds(store, plans);
  const job = { store, queue, blobs, corpora, ...transcription, updates, monthlySeconds, metrics, logger };
  const render = (record: TranscriptionRecord) => viewRecord(record, config.stt.cues);
  const delivery = { store, render, renderWhole: viewCallback, policy: config.webhooks, metrics, logger, tracing };
  await startJobs(queue, job, delivery, config);
  const stopHousekeeping = keepHouse(job, config);
  await pools.ready;
  ready = true;
  const listener = { ...config, port: (server.server.address() as AddressInfo).port };
  if (!isForOneCommand) await announce(listener, address, logger);
  if (hasOne(config, RECOGNIZING_ROLES)) await pullAtStart(config, engines, modelPulls, logger);

  return {
    baseUrl: addressOf(listener),
    newOwnerKey: owner?.isNew === true ? owner.secret : null,
    hasConsole: isConsoleBuilt(CONSOLE_DIR),
    stop: () => {
      ready = false;
      stopHousekeeping();
      const work = { modelPulls, queue, speech, video, languageModels, server, pools };
      return stopParts(logger, config.drainMs, { address, ...work, incoming, lease, store, tracing, closing });
    },
  };
}

function keepHouse(job: Parameters<typeof startHousekeeping>[0], { roles, stuckAfterMs, retentionMs, s3 }: Config) {
  if (!roles.includes('housekeeping')) return () => {};
  const skew = s3 === null ? {} : { blobClockSkewMs: BUCKET_CLOCK_SKEW_MS };
  return startHousekeeping(job, { stuckAfterMs, retentionMs, ...skew });
}

/** Ends what still waits when the service closes. */
function createClosing() {
  const closing = new AbortController();
  return { closing, untilClosing: (signal: AbortSignal) => AbortSignal.any([signal, closing.signal]) };
}

function hasOne({ roles }: Pick<Config, 'roles'>, wantedRoles: readonly Role[]): boolean {
  return roles.some((role) => wantedRoles.includes(role));
}

/** Lets commands find this service, unless it leaves some of their requests to others. */
async function announce(
  listener: Config,
  address: ReturnType<typeof createAnnouncement>,
  logger: Logger,
): Promise<void> {
  if (!INTERACTIVE_ROLES.every((role) => listener.roles.includes(role))) return;
  await address
    .announce(listener)
    .catch((cause: unknown) => logger.warn({ cause }, 'commands find this service only at its own HOST and PORT'));
}

/**
 * Names plans of accounts that are no longer offered: their requests are refused. Creates the owner
 * in an empty database, but not by workers, which may start first: their log is no place for a key.
 */
async function prepareAccounts({ roles, bootstrapApiKey }: Config, store: Store, plans: Plans, logger: Logger) {
  for (const plan of await store.accounts.plansInUse()) {
    if (!Object.hasOwn(plans, plan)) logger.warn({ plan }, 'accounts have a plan that PLANS_FILE lacks');
  }
  return roles.includes('api') ? createAdministration(store, plans).bootstrapOwner(bootstrapApiKey) : null;
}

/** Throws ConfigError when the configuration names an engine that does not exist. */
async function loadConfiguredEngines(config: Config, enginesDir: string): Promise<EngineRegistry> {
  const engines = await loadEngines({ enginesDir, env: config.engines });
  requireKnown('STT_ENGINE', () => engines.languages('recognizer', config.stt.engine));
  requireKnown('TTS_ENGINE', () => engines.languages('synthesizer', config.tts.engine));
  for (const model of Object.keys(config.queueClasses.byModel)) {
    requireKnown('QUEUE_CLASS_MODELS', () => engines.languages('recognizer', model));
  }
  return engines;
}

function wireLive({ workers: { count }, stt }: Config, pools: WorkerPools): LiveRecognition {
  return createLiveRecognition(pools, count, createLiveCorrection(pools, stt.liveCorrectionMs));
}

function createMonthlySeconds(store: Store, plans: Plans): TranscribeJobServices['monthlySeconds'] {
  return async (accountId) => {
    const account = await store.accounts.find(accountId);
    return account === null ? 0 : planOf(plans, account.plan).quotas.stt_seconds;
  };
}

/**
 * Takes the jobs of the roles. Dead letters of every kind are handled where any job is taken.
 */
async function startJobs(
  queue: Queue,
  transcription: TranscribeJobServices,
  delivery: DeliverJobServices,
  config: Config,
): Promise<void> {
  const { roles, workers } = config;
  if (!roles.includes('transcribe') && !roles.includes('deliver')) return;
  await queue.start({
    transcribe: {
      run: inJobSpan(delivery, 'transcribe', createTranscribeJob(transcription)),
      concurrency: roles.includes('transcribe') ? workers.count + loadedAhead(config) : 0,
      onDeadLetter: ({ payload }) =>
        failTranscription(payload.transcriptionId, serializeError(new AppError('internal_error')), transcription),
    },
    deliver: {
      run: inJobSpan(delivery, 'deliver', createDeliverJob(delivery)),
      concurrency: roles.includes('deliver') ? MAX_DELIVERIES : 0,
      onDeadLetter: async ({ payload }) => reportUndelivered(payload.transcriptionId, delivery),
    },
  });
}

/**
 * Recordings that are taken beyond those that can be recognized at a time, so that the next one is
 * loaded before a worker is free. Not where processes share a queue: it would wait here, as long as
 * the recordings before it take, while another process has nothing to do.
 */
function loadedAhead({ databaseUrl }: Config): number {
  return databaseUrl === null ? 1 : 0;
}

/** Each start of a job is a span of the trace that enqueued it. */
function inJobSpan<Name extends JobName>(
  { tracing }: Pick<DeliverJobServices, 'tracing'>,
  name: Name,
  run: JobHandler<Name>,
): JobHandler<Name> {
  return (job, signal) => {
    const { traceparent: parent, transcriptionId } = job.payload;
    const attributes = { 'jyutsing.transcription.id': transcriptionId, 'jyutsing.job.attempt': job.attempt };
    return inSpan(tracing, `job ${name}`, { kind: 'consumer', parent, attributes }, () => run(job, signal));
  };
}

async function openTraces({ traces }: Pick<Config, 'traces'>, onError: (error: unknown) => void) {
  const settings = traces === null ? null : { ...traces, version: await readVersion() };
  const tracing = await openTracing(settings, atMostOnceAMinute(onError));
  return { tracing, traces: settings, traceparent: () => tracing.current() };
}

/** A receiver that is away would fill the log. */
function atMostOnceAMinute(report: (error: unknown) => void): (error: unknown) => void {
  let reportedAtMs = -Infinity;
  return (error) => {
    if (performance.now() - reportedAtMs < 60_000) return;
    reportedAtMs = performance.now();
    report(error);
  };
}

/**
 * A misspelt engine would make every request fail, so the start fails instead. A known engine that
 * is not available may be pulled later.
 */
function requireKnown(variable: string, look: () => unknown): void {
  try {
    look();
  } catch (cause) {
    const reason = cause instanceof AppError ? cause.message : 'it cannot be used';
    throw new ConfigError(`Bad configuration. ${variable}: ${reason}`, { cause });
  }
}

async function readVersion(): Promise<string> {
  const manifest = await readFile(join(import.meta.dirname, '../package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

async function httpConfig(config: Config, plans: Plans, incomingDir: string): Promise<HttpConfig> {
  return {
    version: await readVersion(),
    roles: config.roles,
    plans,
    incomingDir,
    consoleDir: CONSOLE_DIR,
    maxUploadBytes: config.stt.maxUploadBytes,
    maxDurationMs: config.stt.maxDurationMs,
    blockingByDefault: config.stt.blockingByDefault,
    keepAudio: config.stt.keepAudio,
    cues: config.stt.cues,
    voiceAliases: await loadVoiceAliases(config.tts.voiceAliases),
    zhMeans: config.stt.zhMeans,
    hongKongStyle: config.stt.hongKongStyle,
    webhooksAllowPrivate: config.webhooks.allowPrivate,
    isLocal: isLoopback(config.host),
    ...config.http,
    tls: await loadCertificate(config),
    logRequests: config.logRequests,
    validateResponses: false,
  };
}
