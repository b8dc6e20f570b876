import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import type { TranscriptionModels, TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import { isPlanAvailable, planTranscription } from '@jyutsing/engines/plan-transcription';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import type { Config } from './config/config.ts';
import type {
  FileRecognitionEvent,
  FileRecognitionOptions,
  FusionCall,
  FusionCallEvent,
} from './features/transcription/stages.ts';
import { fuse } from './workers/tasks/fuse.ts';
import { recognize as recognizeTask } from './workers/tasks/recognize.ts';
import type { WorkerPools } from './workers/worker-pools.ts';

/**
 * Transcription as jobs and video summaries use it; recognition and fusion run in worker processes.
 */
export type TranscriptionStages = {
  /** See `planTranscription`. */
  planTranscription(options: TranscriptionOptions): TranscriptionPlan;
  /** Whether all models of a plan are still available. */
  isPlanAvailable(plan: TranscriptionPlan): boolean;
  recognize(
    path: string,
    models: TranscriptionModels,
    options: FileRecognitionOptions,
    signal: AbortSignal,
  ): AsyncIterable<FileRecognitionEvent>;
  fuse(call: FusionCall, signal: AbortSignal): AsyncIterable<FusionCallEvent>;
};

export function wireTranscription(config: Config, engines: EngineRegistry, workers: WorkerPools): TranscriptionStages {
  return {
    planTranscription: (options) => planTranscription(engines, options, config.stt.engine),
    isPlanAvailable: (plan) => isPlanAvailable(engines, plan),
    recognize(path, models, options, signal) {
      // A recording whose syllables are wanted is corrected next: the dictionaries load while it is
      // recognized.
      if (options.romanize) workers.prepare(fuse);
      return workers.stream(recognizeTask, { path, models, options }, signal);
    },
    fuse: (call, signal) => workers.stream(fuse, call, signal),
  };
}
