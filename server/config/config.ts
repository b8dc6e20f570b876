import { resolve } from 'node:path';
import { z } from 'zod';
import type { FirstPull } from '@jyutsing/contracts/model-package';
import type { Role } from '@jyutsing/contracts/roles';
import { PROGRAM_VARIABLES, type EngineEnv } from '@jyutsing/contracts/engine';
import { PUBLISHED_KEYS } from '@jyutsing/contracts/published-keys';
import type { CueLimits } from '@jyutsing/contracts/transcription';
import { isLoopback } from './loopback.ts';
import { httpSettings, type HttpSettings } from './http-variables.ts';
import { SERVER_VARIABLES, VARIABLES, type WARMED } from './variables.ts';
import { workerEnvironment } from './worker-environment.ts';

const MIB = 1024 ** 2;
const HOUR_MS = 3_600_000;
/** Variables with the address of another server that worker processes call. */
const SERVERS = /^(?:STT|TTS|LLM)_.*URL$/;

const Environment = z.object(SERVER_VARIABLES);
type Environment = z.infer<typeof Environment>;

/** The whole configuration, read once, never changed. Durations are milliseconds, sizes bytes. */
export type Config = Readonly<{
  host: string;
  port: number;
  roles: readonly Role[];
  /** The class of this process, and the classes of recognition models or engines by their names. */
  queueClasses: Readonly<{ own: string; byModel: Readonly<Record<string, string>> }>;
  dataDir: string;
  databaseUrl: string | null;
  bootstrapApiKey: string | null;
  plansFile: string | null;
  logLevel: Environment['LOG_LEVEL'];
  logRequests: boolean;
  /** The export of traces; null switches it off. */
  traces: Readonly<{ endpoint: string; serviceName: string; sampledShare: number }> | null;
  http: HttpSettings;
  workers: Readonly<{
    count: number;
    memoryLimitBytes: number;
    silenceTimeoutMs: number;
    /** A process without work for this long is ended. */
    modelIdleMs: number;
    /** Models loaded at the start. */
    warmUp: readonly (typeof WARMED)[number][];
    /** Environment variables of the processes that make requests to other servers, or do not. */
    environment: Readonly<Record<'dialing' | 'sealed', NodeJS.ProcessEnv>>;
    /** Whether an engine for speech or a language model is another server, or traces are sent. */
    dial: boolean;
    /** Whether processes are kept from the network and from writing where the system allows it. */
    sandboxed: boolean;
  }>;
  stuckAfterMs: number;
  drainMs: number;
  stt: Readonly<{
    engine: string;
    maxUploadBytes: number;
    maxDurationMs: number;
    blockingByDefault: boolean;
    keepAudio: boolean;
    fusionChunkBudgetMs: number;
    liveCorrectionMs: number;
    cues: Readonly<CueLimits>;
    zhMeans: Environment['ZH_MEANS'];
    hongKongStyle: Environment['HONG_KONG_STYLE'];
  }>;
  /** `voiceAliases`: JSON, or the path of a file with it. */
  tts: Readonly<{ engine: string; voiceAliases: string | null }>;
  video: Readonly<{
    /** Transcription of videos without captions; null: off. */
    recognition: { maxDurationMs: number } | null;
    cacheMs: number;
  }>;
  /**
   * The time after which finished transcriptions are deleted; null keeps them until their account
   * deletes them.
   */
  retentionMs: number | null;
  webhooks: Readonly<{ allowPrivate: boolean }>;
  s3: Readonly<{
    bucket: string;
    endpoint: string | null;
    region: string;
    accessKeyId: string | null;
    secretAccessKey: string | null;
  }> | null;
  /** How models are pulled. */
  models: Readonly<{
    autoPull: FirstPull | 'off';
    pullOverHttp: boolean;
    baseUrl: string | null;
    indexUrl: string | null;
    stallTimeoutMs: number;
    retries: number;
  }>;
  engines: EngineEnv;
}>;

/** A variable has a bad value. The message names it; main prints it and exits. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads the configuration from the environment. Throws ConfigError that names every bad variable.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable counts as absent, as `VAR= npm start` and compose files mean it.
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  requireValid(present);
  return Object.freeze(toConfig(Environment.parse(present), present));
}

/** Checks the variables of the engines too, whose values reach them as text. */
function requireValid(present: NodeJS.ProcessEnv): void {
  const sentences = Object.entries(VARIABLES)
    .filter(([name, schema]) => !schema.safeParse(present[name]).success)
    // The value is not printed, because it may be a secret.
    .map(([name, schema]) => `${name} must be ${String(schema.meta()?.['type'])}.`);
  if ((present['S3_ACCESS_KEY_ID'] === undefined) !== (present['S3_SECRET_ACCESS_KEY'] === undefined)) {
    sentences.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together.');
  }
  if ((present['TLS_CERT_FILE'] === undefined) !== (present['TLS_KEY_FILE'] === undefined)) {
    sentences.push('TLS_CERT_FILE and TLS_KEY_FILE must be set together.');
  }
  if (present['WYOMING_PORT'] !== undefined && present['WYOMING_API_KEY'] === undefined) {
    sentences.push('WYOMING_PORT must be set together with WYOMING_API_KEY, the key whose account is charged.');
  }
  const roles = Environment.shape.ROLES.safeParse(present['ROLES']).data ?? [];
  if (present['WYOMING_PORT'] !== undefined && !(roles.includes('api') && roles.includes('speak'))) {
    sentences.push('WYOMING_PORT must be set together with ROLES that contain api and speak.');
  }
  if (PUBLISHED_KEYS.includes(present['BOOTSTRAP_API_KEY'] ?? '') && !isLoopback(present['HOST'] ?? '127.0.0.1')) {
    sentences.push(
      'BOOTSTRAP_API_KEY is the key of the documentation, which everyone knows, and HOST is not a loopback address: leave the key out, and the first start makes one, or make it with: openssl rand -hex 24.',
    );
  }
  if (sentences.length > 0) throw new ConfigError(`Bad configuration. ${sentences.join(' ')}`);
}

function toConfig(env: Environment, present: NodeJS.ProcessEnv): Config {
  return {
    host: env.HOST,
    port: env.PORT,
    roles: env.ROLES,
    queueClasses: { own: env.QUEUE_CLASS, byModel: env.QUEUE_CLASS_MODELS },
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    bootstrapApiKey: env.BOOTSTRAP_API_KEY,
    plansFile: env.PLANS_FILE,
    logLevel: env.LOG_LEVEL,
    logRequests: env.LOG_REQUESTS,
    traces: traces(env),
    http: httpSettings(env),
    workers: {
      count: env.WORKERS,
      memoryLimitBytes: env.WORKER_MEMORY_MIB * MIB,
      silenceTimeoutMs: env.WORKER_SILENCE_SECONDS * 1_000,
      modelIdleMs: env.MODEL_IDLE_MINUTES * 60_000,
      warmUp: env.WARM_UP,
      environment: {
        dialing: workerEnvironment(present, { dials: true }),
        sealed: workerEnvironment(present, { dials: false }),
      },
      dial: env.OTEL_EXPORTER_OTLP_ENDPOINT !== null || Object.keys(present).some((name) => SERVERS.test(name)),
      // Drivers of GPUs keep files and sockets of their own.
      sandboxed: env.WORKER_SANDBOX === 'auto' && present['MODELS_DEVICE'] !== 'cuda',
    },
    stuckAfterMs: (env.STUCK_MINUTES * HOUR_MS) / 60,
    drainMs: env.DRAIN_SECONDS * 1_000,
    stt: {
      engine: env.STT_ENGINE,
      maxUploadBytes: env.STT_MAX_UPLOAD_BYTES,
      maxDurationMs: env.STT_MAX_DURATION_SECONDS * 1_000,
      blockingByDefault: env.STT_BLOCKING_BY_DEFAULT,
      keepAudio: env.KEEP_AUDIO,
      fusionChunkBudgetMs: env.STT_FUSION_CHUNK_SECONDS * 1_000,
      liveCorrectionMs: env.LIVE_CORRECTION_MS,
      cues: { maxCharacters: env.STT_CUE_MAX_CHARACTERS, maxMs: env.STT_CUE_MAX_SECONDS * 1_000 },
      zhMeans: env.ZH_MEANS,
      hongKongStyle: env.HONG_KONG_STYLE,
    },
    tts: { engine: env.TTS_ENGINE, voiceAliases: env.VOICE_ALIASES },
    video: {
      recognition: env.YOUTUBE_RECOGNIZE_AUDIO ? { maxDurationMs: env.YOUTUBE_RECOGNIZE_MAX_SECONDS * 1_000 } : null,
      cacheMs: env.VIDEO_CACHE_HOURS * HOUR_MS,
    },
    retentionMs: env.RETENTION_DAYS === null ? null : env.RETENTION_DAYS * 24 * HOUR_MS,
    webhooks: { allowPrivate: env.WEBHOOKS_ALLOW_PRIVATE },
    s3: env.S3_BUCKET === null ? null : bucket(env, env.S3_BUCKET),
    models: {
      autoPull: env.MODELS_AUTO_PULL,
      pullOverHttp: env.MODELS_PULL_OVER_HTTP,
      indexUrl: env.MODELS_INDEX_URL ?? null,
      baseUrl: env.MODELS_BASE_URL,
      stallTimeoutMs: env.MODELS_STALL_SECONDS * 1_000,
      retries: env.MODELS_RETRIES,
    },
    engines: {
      builtinModelsDir: resolve(import.meta.dirname, '../../models'),
      modelsDir: resolve(env.MODELS_DIR),
      settings: engineSettings(present),
    },
  };
}

function traces(env: Environment): Config['traces'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER_ARG } = env;
  return endpoint === null ? null : { endpoint, serviceName: OTEL_SERVICE_NAME, sampledShare: OTEL_TRACES_SAMPLER_ARG };
}

function bucket(env: Environment, name: string): NonNullable<Config['s3']> {
  return {
    bucket: name,
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
  };
}

/** Engines receive all variables with these prefixes, so that a new engine needs no change here. */
function engineSettings(present: NodeJS.ProcessEnv): Record<string, string> {
  const families = /^(STT|TTS|LLM|YOUTUBE|MODELS)_/;
  return Object.fromEntries(
    Object.entries(present).filter(
      (entry): entry is [string, string] =>
        (families.test(entry[0]) || PROGRAM_VARIABLES.includes(entry[0])) && entry[1] !== undefined,
    ),
  );
}
