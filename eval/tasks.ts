import type { EngineEnv } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';

/** Where the engines lie and what they may know; everything that a measuring process is told passes structured cloning. */
export type EngineLocation = { enginesDir: string; env: EngineEnv };

/** A model of an engine hears whole recordings as the service would. */
export type RecognizerTask = EngineLocation & {
  engine: string;
  model: string;
  language: Language;
  paths: readonly string[];
};

/** The built-in acoustic model of a language hears whole recordings: syllables or phones, without voice activity detection, words or language model. */
export type AcousticTask = { modelsDir: string; language: Language; paths: readonly string[] };

/** A language identifier hears clips of recordings. */
export type LanguageTask = EngineLocation & {
  engine: string;
  among: readonly Language[];
  clipSeconds: number;
  recordings: readonly { path: string; language: Language; speaker: string | null }[];
};

/** Processor time of the process, all threads, and time by the clock. */
export type Effort = { soundSeconds: number; cpuSeconds: number; elapsedSeconds: number };

/**
 * What a measuring process tells. `index` is that of the recording. A recording may fail alone; anything worse ends the process's
 * task. `clip` comes from language tasks only, `heard` from the others (units with blanks between).
 */
export type MeasureEvent =
  | ({ type: 'heard'; index: number; heard: string } & Effort)
  | ({ type: 'clip'; index: number; language: Language; speaker: string | null; heard: Language | null } & Effort)
  | { type: 'failed'; index: number; reason: string }
  /** This recording is done, whatever was heard in it. */
  | { type: 'listened'; index: number }
  /** Resident memory: at its highest, and before the model was opened (program loaded, a recording decoded). */
  | { type: 'memory'; peakBytes: number; idleBytes: number };
