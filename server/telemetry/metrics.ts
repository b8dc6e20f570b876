import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import type { Role } from '@jyutsing/contracts/roles';

/** All metrics of one process, in one Prometheus registry. */
export type Metrics = ReturnType<typeof createMetrics>;

/** `depth`: the number of jobs by name and state. */
type MeasuredQueue = { depth(): Promise<Record<string, Record<string, number>>>; unattended(): Promise<string[]> };
/** The parts that are measured whenever the metrics are read. */
type MeasuredParts = { queue?: MeasuredQueue; blobs?: Pick<BlobStore, 'outageSince'>; roles?: readonly Role[] };

/**
 * Creates the registry. Every name begins with `jyutsing_` and contains its unit.
 */
export function createMetrics(parts: MeasuredParts = {}) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const roleGauge = new Gauge({
    name: 'jyutsing_role',
    help: 'The value 1 for each role of this process.',
    labelNames: ['role'],
    registers: [registry],
  });
  for (const role of parts.roles ?? []) roleGauge.set({ role }, 1);
  return {
    registry,
    httpRequests: new Counter({
      name: 'jyutsing_http_requests_total',
      help: 'Answered requests.',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
    }),
    httpSeconds: new Histogram({
      name: 'jyutsing_http_request_duration_seconds',
      help: 'Time from the request to the end of its answer.',
      labelNames: ['route'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
      registers: [registry],
    }),
    transcriptions: new Counter({
      name: 'jyutsing_transcriptions_total',
      help: 'Finished transcriptions by outcome.',
      labelNames: ['backend', 'outcome'],
      registers: [registry],
    }),
    transcribedSeconds: new Counter({
      name: 'jyutsing_transcribed_audio_seconds_total',
      help: 'Seconds of recognized audio.',
      labelNames: ['backend'],
      registers: [registry],
    }),
    transcriptionSeconds: new Histogram({
      name: 'jyutsing_transcription_duration_seconds',
      help: 'Processing time of a transcription.',
      labelNames: ['backend'],
      buckets: [0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
      registers: [registry],
    }),
    modelFailures: new Counter({
      name: 'jyutsing_model_failures_total',
      help: 'Segments for which a recognizer was not believed, by reason; another one answered.',
      labelNames: ['model', 'reason'],
      registers: [registry],
    }),
    ...answerMetrics(registry),
    webhooks: new Counter({
      name: 'jyutsing_webhooks_total',
      help: 'Attempts to deliver a result to a callback_url, by outcome; "abandoned" counts results without further attempts.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    queueWaitSeconds: new Histogram({
      name: 'jyutsing_queue_wait_seconds',
      help: 'Time from acceptance of a job to its start.',
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600],
      registers: [registry],
    }),
    ...measuredParts(registry, parts),
  };
}

/** Metrics that are asked for whenever they are read. */
function measuredParts(registry: Registry, { queue, blobs }: MeasuredParts) {
  return {
    queueJobs: new Gauge({
      name: 'jyutsing_queue_jobs',
      help: 'Jobs in the queue by kind: "transcribe" for recordings, "deliver" for webhooks, also those that wait for their next attempt.',
      labelNames: ['kind', 'state'],
      registers: [registry],
      async collect() {
        if (queue === undefined) return;
        for (const [kind, states] of Object.entries(await queue.depth())) {
          for (const [state, count] of Object.entries(states)) this.set({ kind, state }, count);
        }
      },
    }),
    storageUnavailable: new Gauge({
      name: 'jyutsing_storage_unavailable',
      help: 'The value 1 while the S3 server does not answer.',
      registers: [registry],
      collect() {
        this.set((blobs?.outageSince() ?? null) === null ? 0 : 1);
      },
    }),
    unattendedClasses: new Gauge({
      name: 'jyutsing_queue_unattended',
      help: 'The value 1 for each class (QUEUE_CLASS) whose recordings wait while no process takes them.',
      labelNames: ['class'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const queueClass of (await queue?.unattended()) ?? []) this.set({ class: queueClass }, 1);
      },
    }),
  };
}

/** Metrics of requests that are not queued. */
function answerMetrics(registry: Registry) {
  return {
    waitingTasks: new Gauge({
      name: 'jyutsing_waiting_tasks',
      help: 'Scores, voice samples, probes and renderings that wait for the turn of their account.',
      labelNames: ['task'],
      registers: [registry],
    }),
    pronunciationScores: new Counter({
      name: 'jyutsing_pronunciation_scores_total',
      help: 'Scored recordings by outcome.',
      labelNames: ['language', 'outcome'],
      registers: [registry],
    }),
    pronunciationSeconds: new Histogram({
      name: 'jyutsing_pronunciation_score_duration_seconds',
      help: 'Time from the end of the upload to the score.',
      labelNames: ['language'],
      buckets: [0.05, 0.1, 0.15, 0.3, 0.6, 1, 2, 5, 20],
      registers: [registry],
    }),
    videoSummaries: new Counter({
      name: 'jyutsing_video_summaries_total',
      help: 'Summarized videos by outcome: "success" or the error code.',
      labelNames: ['language', 'outcome'],
      registers: [registry],
    }),
    videoSummarySeconds: new Histogram({
      name: 'jyutsing_video_summary_duration_seconds',
      help: 'Time from the request to the summary.',
      labelNames: ['language'],
      buckets: [0.05, 0.2, 0.5, 1, 2, 5, 15, 60, 300],
      registers: [registry],
    }),
  };
}
