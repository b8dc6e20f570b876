import type { CorpusBias } from '@jyutsing/contracts/corpus';
import type { TranscriptionEvent, TranscriptionOptions } from '@jyutsing/contracts/transcription';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import type { ModelHealth } from './model-health.ts';
import type { TranscriptionCall } from './recognition.ts';

/** Transcription as jobs and video summaries use it. */
export type Transcription = {
  /** Recognizers that fail here are set aside when the next requests are planned. */
  health: ModelHealth;
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
