import { COSTS } from './costs.ts';

/** The load of an installation at its busiest time. */
export type Load = {
  recordingsPerS: number;
  /** Mean length of a recording. */
  audioS: number;
  /** Recordings that wait or are worked on, each followed by one client. */
  inProgress: number;
  /** Seconds between two polls of a client. */
  pollS: number;
  /** Processes with the role transcribe. */
  processes: number;
};

export type Limits = {
  /** `max_connections` of PostgreSQL. */
  connections: number;
  /** Jobs per second of pg-boss on one PostgreSQL server. */
  queueJobsPerS: number;
  databaseCores: number;
  uploadBytesPerS: number;
};

/** One need of a load; `limit` is null where processes or machines can be added. */
export type Need = { resource: string; unit: string; need: number; limit: number | null };

/** The pools of the store and the queue, and a connection for each to be woken up. */
export const CONNECTIONS_OF_A_PROCESS = 10 + 6 + 2;
/** MP3 at 128 kbit/s. */
const BYTES_OF_AN_AUDIO_SECOND = 16_000;
/** The recognition, and the delivery of the result. */
const JOBS_OF_A_RECORDING = 2;
/** Part of a core that an API process should use at most; it is one thread. */
const API_UTILIZATION = 0.6;

/** Lists the needs of a load whose clients poll, and those of `/events` instead of polls. */
export function needsOf(load: Load, limits: Limits): Need[] {
  const { recordingsPerS, audioS, inProgress, pollS, processes } = load;
  const pollsPerS = inProgress / pollS;
  const megabytesPerS = (recordingsPerS * audioS * BYTES_OF_AN_AUDIO_SECOND) / 1e6;
  const uploadCores = megabytesPerS * COSTS.upload.value;
  const pollCores = pollsPerS * COSTS.poll.value;
  const apis = apiProcesses(uploadCores + pollCores);
  const transcribeCores =
    recordingsPerS * (audioS * COSTS.recognition.value + COSTS.transcribe.value) + processes * COSTS.idle.value;
  const databaseCores = recordingsPerS * COSTS.database.value + pollsPerS * COSTS.pollDatabase.value;
  const cores = transcribeCores + uploadCores + pollCores + databaseCores;
  const all = processes + apis;
  return [
    { resource: 'transcription', unit: 'cores', need: transcribeCores, limit: null },
    { resource: 'uploads in the API', unit: 'cores', need: uploadCores, limit: null },
    { resource: 'polls', unit: 'a second', need: pollsPerS, limit: null },
    { resource: 'polls in the API', unit: 'cores', need: pollCores, limit: null },
    { resource: '/events in the API instead', unit: 'cores', need: inProgress * COSTS.stream.value, limit: null },
    { resource: 'API', unit: 'processes', need: apis, limit: null },
    { resource: 'all machines', unit: 'cores', need: cores, limit: null },
    {
      resource: 'PostgreSQL',
      unit: 'connections',
      need: all * CONNECTIONS_OF_A_PROCESS,
      limit: limits.connections,
    },
    {
      resource: 'the same, PgBouncer (session)',
      unit: 'connections',
      need: all * COSTS.connectionsOpen.value,
      limit: null,
    },
    { resource: 'PostgreSQL', unit: 'cores', need: databaseCores, limit: limits.databaseCores },
    {
      resource: 'the same for /events',
      unit: 'cores',
      need: databaseCores + inProgress * COSTS.streamDatabase.value - pollsPerS * COSTS.pollDatabase.value,
      limit: null,
    },
    {
      resource: 'queue',
      unit: 'jobs a second',
      need: recordingsPerS * JOBS_OF_A_RECORDING,
      limit: limits.queueJobsPerS,
    },
    { resource: 'uploads', unit: 'MB a second', need: megabytesPerS, limit: limits.uploadBytesPerS / 1e6 },
  ];
}

/** Number of API processes for this many cores of work; at least one. */
export function apiProcesses(cores: number): number {
  return Math.max(1, Math.ceil(cores / API_UTILIZATION));
}

/** The need nearest to its limit, or most beyond it. */
export function firstLimit(needs: readonly Need[]): Need {
  return needs.toSorted((a, b) => usedPart(b) - usedPart(a))[0]!;
}

/** Part of the limit that is needed; 0 without a limit. */
export function usedPart({ need, limit }: Need): number {
  return limit === null ? 0 : need / limit;
}

/**
 * Number of workers for a load that keeps `busy` of them busy: the square root more, which keeps
 * waiting short at any size (square-root staffing; Halfin and Whitt, 1981).
 */
export function workersFor(busy: number): number {
  return Math.max(1, Math.ceil(busy + Math.sqrt(busy)));
}
