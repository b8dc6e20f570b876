import { isPlanAvailable, planTranscription } from '@jyutsing/engines/plan-transcription';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import type { Config } from '#config/config.ts';
import { createModelHealth } from '#features/transcription/model-health.ts';
import type { Transcription } from '#features/transcription/transcription-services.ts';
import { transcriptionTask } from '#workers/tasks/transcribe.ts';
import type { WorkerPools } from '#workers/worker-pools.ts';

export function wireTranscription(
  config: Config,
  engines: EngineRegistry,
  pools: Pick<WorkerPools, 'stream'>,
): Transcription {
  const health = createModelHealth();
  return {
    health,
    planTranscription: (options) => planTranscription(engines, options, config.stt.engine, health.isSetAside),
    isPlanAvailable: (plan) => isPlanAvailable(engines, plan),
    transcribeInWorker(call, bias, signal) {
      const input = { ...call, corporaKey: bias?.corporaKey ?? null };
      return pools.stream(transcriptionTask, input, signal, () => bias?.entries ?? []);
    },
  };
}
