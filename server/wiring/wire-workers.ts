import type { Role } from '@jyutsing/contracts/roles';
import type { Config } from '#config/config.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { TraceSettings } from '#telemetry/spans.ts';
import { compileAhead } from '#workers/compile-ahead.ts';
import { confine, describeConfinement } from '#workers/confinement.ts';
import type { AnyTask, WorkerSettings } from '#workers/define-task.ts';
import { recognizeLive } from '#workers/tasks/recognize-live.ts';
import { score } from '#workers/tasks/score.ts';
import { speak } from '#workers/tasks/speak.ts';
import { transcriptionTask } from '#workers/tasks/transcribe.ts';
import { createWorkerPools, type WorkerPools } from '#workers/worker-pools.ts';

/** Tasks by their names in WARM_UP. */
const WARM_UP_TASKS: Readonly<Record<Config['workers']['warmUp'][number], { task: AnyTask; role: Role }>> = {
  listen: { task: transcriptionTask, role: 'transcribe' },
  live: { task: recognizeLive, role: 'api' },
  speak: { task: speak, role: 'speak' },
  score: { task: score, role: 'score' },
};
/** Roles that answer requests with the result of a worker process; together, they answer all. */
export const INTERACTIVE_ROLES: readonly Role[] = ['api', 'speak', 'score'];

type Wired = {
  enginesDir: string;
  traces: TraceSettings | null;
  traceparent: () => string | null;
  logger: Logger;
};

/** Starts the worker processes, kept from what they do not need as far as the machine allows. */
export async function wireWorkers(
  config: Config,
  { enginesDir, traces, traceparent, logger }: Wired,
): Promise<{ pools: WorkerPools; workerSettings: WorkerSettings }> {
  const workerSettings: WorkerSettings = {
    env: { ...config.engines, settings: withoutCaptions(config.engines.settings) },
    enginesDir,
    limits: { maxDurationMs: config.stt.maxDurationMs },
    silenceTimeoutMs: config.workers.silenceTimeoutMs,
    fusionChunkBudgetMs: config.stt.fusionChunkBudgetMs,
    defaultModels: { recognizer: config.stt.engine, synthesizer: config.tts.engine },
    traces,
  };
  const { workers, roles } = config;
  const confinement = await confineWorkers(config, enginesDir, logger);
  const pools = createWorkerPools({
    traceparent,
    count: workers.count,
    memoryLimitBytes: workers.memoryLimitBytes,
    modelIdleMs: workers.modelIdleMs,
    interactive: INTERACTIVE_ROLES.some((role) => roles.includes(role)),
    warmUp: workers.warmUp
      .map((name) => WARM_UP_TASKS[name])
      .filter(({ role }) => roles.includes(role))
      .map(({ task }) => task),
    confinement,
    settings: workerSettings,
  });
  void pools.ready.then(() => compileAhead(confinement)).catch(() => {});
  return { pools, workerSettings };
}

async function confineWorkers({ workers, dataDir, engines }: Config, enginesDir: string, logger: Logger) {
  const { environment, dial: dials, sandboxed } = workers;
  if (!sandboxed) return { environment, dials, sandbox: null };
  const confinement = await confine({ environment, dials }, { dataDir, read: [enginesDir, engines.builtinModelsDir] });
  logger.info(describeConfinement(confinement), 'what worker processes are kept from');
  return confinement;
}

/** Captions are fetched in the process that listens, whose proxy may have a password. */
function withoutCaptions(settings: Config['engines']['settings']): Config['engines']['settings'] {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('YOUTUBE_')));
}
