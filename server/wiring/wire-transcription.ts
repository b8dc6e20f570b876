import type { CorpusBias } from '@jyutsing/contracts/corpus';
import type { TranscriptionEvent, TranscriptionOptions } from '@jyutsing/contracts/transcription';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import { isPlanAvailable, planTranscription } from '@jyutsing/engines/plan-transcription';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import type { Config } from '#config/config.ts';
import type { TranscriptionCall } from '#features/transcription/recognition.ts';
import { transcriptionTask } from '#workers/tasks/transcribe.ts';
import type { WorkerPools } from '#workers/worker-pools.ts';

/** Transcription as jobs and video summaries use it. */
export type Transcription = {
  /** See `planTranscription`. */
  planTranscription(options: TranscriptionOptions): TranscriptionPlan;
  /** Whether all models of a plan are still available. */
  isPlanAvailable(plan: TranscriptionPlan): boolean;
  /** Transcribes a recording in a worker process; without a bias it corrects nothing. */
  transcribeInWorker(
    call: TranscriptionCall,
    bias: CorpusBias | null,
    signal: AbortSignal,
  ): AsyncIterable<TranscriptionEvent>;
};

export function wireTranscription(
  config: Config,
  engines: EngineRegistry,
  pools: Pick<WorkerPools, 'stream'>,
): Transcription {
  return {
    planTranscription: (options) => planTranscription(engines, options, config.stt.engine),
    isPlanAvailable: (plan) => isPlanAvailable(engines, plan),
    transcribeInWorker(call, bias, signal) {
      const input = { ...call, corporaKey: bias?.corporaKey ?? null };
      return pools.stream(transcriptionTask, input, signal, () => bias?.entries ?? []);
    },
  };
}
