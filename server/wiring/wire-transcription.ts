import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import { isPlanAvailable, planTranscription } from '@jyutsing/engines/plan-transcription';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import type { Config } from '#config/config.ts';
import type { TranscriptionCall, TranscriptionEvent } from '#features/transcription/stages.ts';
import { transcribe } from '#workers/tasks/transcribe.ts';
import type { WorkerPools } from '#workers/worker-pools.ts';

/** Transcription as jobs and video summaries use it. */
export type Transcription = {
  /** See `planTranscription`. */
  planTranscription(options: TranscriptionOptions): TranscriptionPlan;
  /** Whether all models of a plan are still available. */
  isPlanAvailable(plan: TranscriptionPlan): boolean;
  /** Transcribes a recording in a worker process. */
  transcribe(call: TranscriptionCall, signal: AbortSignal): AsyncIterable<TranscriptionEvent>;
};

export function wireTranscription(
  config: Config,
  engines: EngineRegistry,
  pools: Pick<WorkerPools, 'stream'>,
): Transcription {
  return {
    planTranscription: (options) => planTranscription(engines, options, config.stt.engine),
    isPlanAvailable: (plan) => isPlanAvailable(engines, plan),
    async *transcribe(call, signal) {
      // The entries of the corpora (thousands) follow only when the process does not have them.
      const first = call.bias === null ? call : { ...call, bias: { ...call.bias, entries: null } };
      for await (const event of pools.stream(transcribe, first, signal)) {
        if (event.type === 'corpora-missing') yield* pools.stream(transcribe, call, signal);
        else yield event;
      }
    },
  };
}
