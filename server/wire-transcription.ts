import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import type { TranscriptionModels, TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import { planTranscription } from '@jyutsing/engines/plan-transcription';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import type { Config } from './config/config.ts';
import type { FileRecognitionEvent, FileRecognitionOptions, FusionEvent } from './features/transcription/stages.ts';
import type { FuseInput } from './workers/fuse-transcript.ts';
import { fuse } from './workers/tasks/fuse.ts';
import { recognize } from './workers/tasks/recognize.ts';
import type { WorkerPools } from './workers/worker-pools.ts';

/** Transcription as jobs and video summaries use it; recognition and fusion run in worker processes. */
export type TranscriptionStages = {
  /** See `planTranscription`. */
  planTranscription(options: TranscriptionOptions): TranscriptionPlan;
  listen(
    path: string,
    models: TranscriptionModels,
    options: FileRecognitionOptions,
    signal: AbortSignal,
  ): AsyncIterable<FileRecognitionEvent>;
  fuse(input: FuseInput, signal: AbortSignal): AsyncIterable<FusionEvent>;
};

export function wireTranscription(config: Config, engines: EngineRegistry, workers: WorkerPools): TranscriptionStages {
  return {
    planTranscription: (options) => planTranscription(engines, options, config.stt.engine),
    listen(path, models, options, signal) {
      // A recording whose syllables are wanted is corrected next: the dictionaries load while it is recognized.
      if (options.romanize) workers.prepare(fuse);
      return workers.stream(recognize, { path, models, options }, signal);
    },
    fuse: (input, signal) => workers.stream(fuse, input, signal),
  };
}
