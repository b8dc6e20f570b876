import type { Language } from '@jyutsing/contracts/transcript';
import type { EngineLocation } from '@jyutsing/engines/registry';

export type { EngineLocation };

/** Recognition of whole recordings with a model of an engine, as in the service. */
export type RecognizerTask = EngineLocation & {
  engine: string;
  model: string;
  language: Language;
  paths: readonly string[];
};

/**
 * Recognition of whole recordings with the built-in acoustic model alone: no VAD, words or language
 * model.
 */
export type AcousticTask = { modelsDir: string; language: Language; paths: readonly string[] };

/** Language identification on clips of recordings. */
export type LanguageTask = EngineLocation & {
  engine: string;
  among: readonly Language[];
  clipSeconds: number;
  /**
   * Shorter recordings with at least this much speech are clips as they are. By default none are.
   */
  wholeFromSeconds?: number;
  recordings: readonly { path: string; language: Language; speaker: string | null }[];
};

/** Processor time of the process (all threads) and wall-clock time. */
export type Effort = { soundSeconds: number; cpuSeconds: number; elapsedSeconds: number };

/**
 * Events of a measuring process. `index` is that of the recording. Single recordings may fail;
 * anything else ends the task. `clip` comes from language tasks, `recognized` from the others
 * (units separated by spaces).
 */
export type MeasureEvent =
  | ({ type: 'recognized'; index: number; text: string } & Effort)
  | ({ type: 'clip'; index: number; language: Language; speaker: string | null; identified: Language | null } & Effort)
  | { type: 'failed'; index: number; reason: string }
  /** This recording is finished, successfully or not. */
  | { type: 'done'; index: number }
  /**
   * Resident memory: peak, and before the model was opened (program loaded, a recording decoded).
   */
  | { type: 'memory'; peakBytes: number; idleBytes: number };
