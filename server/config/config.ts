import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { PROGRAM_VARIABLES, type EngineEnv } from '@jyutsing/contracts/engine';
import type { CueLimits } from '@jyutsing/contracts/transcription';

const MIB = 1024 ** 2;
const HOUR_MS = 3_600_000;

const integer = (fallback: number, min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const flag = (fallback: boolean) =>
  z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .pipe(z.enum(['true', 'false', '1', '0']))
    .transform((text) => text === 'true' || text === '1')
    .default(fallback);
/** Models that can be loaded at the start. */
const WARMED = ['listen', 'speak', 'score'] as const;
const warmUp = z
  .string()
  .default('nothing')
  .transform((text) => (text.trim().toLowerCase() === 'nothing' ? [] : text.toLowerCase().split(',')))
  .transform((names) => names.map((name) => name.trim()))
  .pipe(z.array(z.enum(WARMED)));
const optionalText = z.string().min(1).nullable().default(null);

/**
 * Every variable of the service with its meaning and default; docs/configuration.md is generated
 * from them. An empty variable counts as absent, which is what `VAR= npm start` and compose files
 * mean.
 */
export const VARIABLES = {
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  PORT: integer(8080, 0, 65_535).describe('Port to listen on; 0 selects a free one.'),
  DATA_DIR: z.string().default('./data').describe('Folder for the embedded database, uploads and blobs.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .nullable()
    .default(null)
    .describe('PostgreSQL; absent: an embedded SQLite database under DATA_DIR.'),
  BOOTSTRAP_API_KEY: z
    .string()
    .min(16)
    .nullable()
    .default(null)
    .describe("The owner's API key for an empty database; absent: one is generated and printed once."),
  PLANS_FILE: optionalText.describe('JSON file with plans that replace or extend the shipped ones.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Lowest level of log lines, which are JSON on standard output.'),
  LOG_REQUESTS: flag(false).describe('Log every request, not only failures.'),
  TRUST_PROXY: flag(false).describe('Take client addresses from X-Forwarded-For, when behind a proxy.'),
  WORKERS: integer(Math.max(1, availableParallelism()), 1, 256).describe(
    'Recordings recognized, and pieces of speech synthesized, at the same time, each in a worker process.',
  ),
  WARM_UP: warmUp.describe(
    'Models loaded at the start, so that the first request does not wait for them: any of listen, speak, score, separated by commas, or "nothing". The others are loaded by the first request that needs them.',
  ),
  MODEL_IDLE_MINUTES: z.coerce
    .number()
    .positive()
    .max(30_000)
    .default(10)
    .describe('A worker process without work for this long ends, and its models leave memory.'),
  WORKER_MEMORY_MIB: integer(2_048, 128).describe('A worker process with more memory is stopped; its request fails.'),
  WORKER_SILENCE_SECONDS: integer(120, 1).describe('A worker process that reports nothing for this long is stopped.'),
  STUCK_MINUTES: integer(30, 1).describe('A transcription without progress for this long fails.'),
  DRAIN_SECONDS: integer(20, 0).describe('Time for running requests and jobs to finish after SIGTERM.'),
  STT_ENGINE: z.string().min(1).default('auto').describe('The recognition engine, or "auto" for the best available.'),
  STT_MAX_UPLOAD_BYTES: integer(1_024 * MIB, 1).describe('Largest upload for speech-to-text.'),
  STT_MAX_DURATION_SECONDS: integer(10 * 3_600, 1).describe('Longest recording for speech-to-text.'),
  STT_FUSION_CHUNK_SECONDS: z.coerce
    .number()
    .positive()
    .max(3_600)
    .default(30)
    .describe('Time limit for the correction of a few sentences; a transcription that exceeds it fails.'),
  STT_CUE_MAX_CHARACTERS: integer(20, 4, 200).describe(
    'Longest text of a timed block, in Chinese characters; Latin letters count half.',
  ),
  STT_CUE_MAX_SECONDS: integer(7, 1, 60).describe('Longest duration of a timed block.'),
  STT_BLOCKING_BY_DEFAULT: flag(false).describe(
    'POST /api/stt waits for the result when `wait_for_completion` is absent.',
  ),
  TTS_ENGINE: z
    .string()
    .min(1)
    .default('auto')
    .describe('The synthesis engine or model, or "auto" for the best available.'),
  YOUTUBE_RECOGNIZE_AUDIO: flag(false).describe(
    'Download and transcribe the audio of videos without captions, without charging speech-to-text credits.',
  ),
  YOUTUBE_RECOGNIZE_MAX_SECONDS: integer(3_600, 1).describe('Longest video whose audio is transcribed.'),
  VIDEO_CACHE_HOURS: z.coerce
    .number()
    .min(0)
    .max(24 * 365)
    .default(24)
    .describe('How long transcripts and summaries of videos are cached in the database; 0: not at all.'),
  RETENTION_DAYS: z.coerce
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe(
      'Finished transcriptions are deleted after this many days; absent: kept until their account deletes them.',
    ),
  WEBHOOKS_ALLOW_PRIVATE: flag(false).describe(
    'Allow callbacks to private addresses and over plain http; for closed networks only.',
  ),
  MODELS_DIR: z.string().default('./models-pulled').describe('Folder for pulled model weights.'),
  S3_BUCKET: optionalText.describe('Keep blobs in this S3 bucket instead of under DATA_DIR.'),
  S3_ENDPOINT: optionalText.describe('Address of an S3-compatible server.'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: optionalText.describe('Access key of the bucket.'),
  S3_SECRET_ACCESS_KEY: optionalText.describe('Secret of the access key.'),
} as const;

const Environment = z.object(VARIABLES);
type Environment = z.infer<typeof Environment>;

/** The whole configuration, read once, never changed. Durations are milliseconds, sizes bytes. */
export type Config = Readonly<{
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string | null;
  bootstrapApiKey: string | null;
  plansFile: string | null;
  logLevel: Environment['LOG_LEVEL'];
  logRequests: boolean;
  trustProxy: boolean;
  workers: Readonly<{
    count: number;
    memoryLimitBytes: number;
    silenceTimeoutMs: number;
    /** A process without work for this long is ended. */
    modelIdleMs: number;
    /** Models loaded at the start. */
    warmUp: readonly (typeof WARMED)[number][];
  }>;
  stuckAfterMs: number;
  drainMs: number;
  stt: Readonly<{
    engine: string;
    maxUploadBytes: number;
    maxDurationMs: number;
    blockingByDefault: boolean;
    fusionChunkBudgetMs: number;
    cues: Readonly<CueLimits>;
  }>;
  tts: Readonly<{ engine: string }>;
  video: Readonly<{
    /** Transcription of videos without captions; null: off. */
    recognition: { maxDurationMs: number } | null;
    cacheMs: number;
  }>;
  /** Null: finished transcriptions are kept until their account deletes them. */
  retentionMs: number | null;
  webhooks: Readonly<{ allowPrivate: boolean }>;
  s3: Readonly<{
    bucket: string;
    endpoint: string | null;
    region: string;
    accessKeyId: string | null;
    secretAccessKey: string | null;
  }> | null;
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
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(present);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`Bad configuration. ${lines.join('; ')}`);
  }
  return Object.freeze(toConfig(parsed.data, present));
}

function toConfig(env: Environment, present: NodeJS.ProcessEnv): Config {
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    bootstrapApiKey: env.BOOTSTRAP_API_KEY,
    plansFile: env.PLANS_FILE,
    logLevel: env.LOG_LEVEL,
    logRequests: env.LOG_REQUESTS,
    trustProxy: env.TRUST_PROXY,
    workers: {
      count: env.WORKERS,
      memoryLimitBytes: env.WORKER_MEMORY_MIB * MIB,
      silenceTimeoutMs: env.WORKER_SILENCE_SECONDS * 1_000,
      modelIdleMs: env.MODEL_IDLE_MINUTES * 60_000,
      warmUp: env.WARM_UP,
    },
    stuckAfterMs: (env.STUCK_MINUTES * HOUR_MS) / 60,
    drainMs: env.DRAIN_SECONDS * 1_000,
    stt: {
      engine: env.STT_ENGINE,
      maxUploadBytes: env.STT_MAX_UPLOAD_BYTES,
      maxDurationMs: env.STT_MAX_DURATION_SECONDS * 1_000,
      blockingByDefault: env.STT_BLOCKING_BY_DEFAULT,
      fusionChunkBudgetMs: env.STT_FUSION_CHUNK_SECONDS * 1_000,
      cues: { maxCharacters: env.STT_CUE_MAX_CHARACTERS, maxMs: env.STT_CUE_MAX_SECONDS * 1_000 },
    },
    tts: { engine: env.TTS_ENGINE },
    video: {
      recognition: env.YOUTUBE_RECOGNIZE_AUDIO ? { maxDurationMs: env.YOUTUBE_RECOGNIZE_MAX_SECONDS * 1_000 } : null,
      cacheMs: env.VIDEO_CACHE_HOURS * HOUR_MS,
    },
    retentionMs: env.RETENTION_DAYS === null ? null : env.RETENTION_DAYS * 24 * HOUR_MS,
    webhooks: { allowPrivate: env.WEBHOOKS_ALLOW_PRIVATE },
    s3: env.S3_BUCKET === null ? null : bucket(env, env.S3_BUCKET),
    engines: {
      builtinModelsDir: resolve(import.meta.dirname, '../../models'),
      modelsDir: resolve(env.MODELS_DIR),
      settings: engineSettings(present),
    },
  };
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
