import type { AudioInfo } from '#contracts/audio.ts';
import { AppError } from '#contracts/errors.ts';
import type { EngineSurroundings } from '#contracts/recognizer.ts';
import type { Language } from '#contracts/transcript.ts';
import type { ListeningEvent, ListeningOptions } from '#features/transcription/transcribe.ts';
import type { AudioLimits } from '#audio/probe.ts';
import { createWorkerPool } from '#runtime/worker-pool.ts';

/** The tasks of worker.ts, as they cross the process boundary. */
export type ProbeCall = { path: string; limits: AudioLimits };
type EngineCall = {
  enginesDir: string;
  surroundings: EngineSurroundings;
  /** A model, an engine, or "auto" for the best. */
  preference: string;
};
export type WarmUpCall = EngineCall & { language: Language };
export type RecognizeCall = EngineCall & { path: string; limits: AudioLimits; options: ListeningOptions };

export type SpeechWorkersOptions = {
  /** Recognitions at a time; each is one process. */
  count: number;
  memoryLimitBytes: number;
  silenceTimeoutMs: number;
  /** Limits of a recording. */
  limits: AudioLimits;
  surroundings: EngineSurroundings;
  /** Other than the shipped folder in tests only. */
  enginesDir: string;
  /** What is loaded at start, so that the first request does not wait for it; null loads nothing. */
  warmUp: { preference: string; language: Language } | null;
};

/** Decoding and recognition in supervised processes: the only way in which the server touches uploaded sound. */
export type SpeechWorkers = {
  /** Resolves when work can be taken; the model may still be loading. */
  readonly ready: Promise<void>;
  /** What the file is. Throws `unsupported_audio_format`, `corrupt_audio`, `empty_audio`, `audio_too_long`. */
  probe(path: string, signal?: AbortSignal): Promise<AudioInfo>;
  /**
   * Decodes and recognises one file with the best model of those that `preference` (a model, an engine, "auto") leaves.
   * Throws AppError; an aborted signal throws its reason.
   */
  recognize(
    path: string,
    preference: string,
    options: ListeningOptions,
    signal: AbortSignal,
  ): AsyncIterable<ListeningEvent>;
  stats(): { processes: number; busy: number; queued: number; pids: number[] };
  close(): Promise<void>;
};

/** A probe reads packets at most, which is quick even for hours. */
const PROBE_TIME_LIMIT_MS = 60_000;
/** Slower than this against the longest allowed recording is a hang, not work. */
const MIN_RECOGNITION_TIME_LIMIT_MS = 10 * 60_000;

export function createSpeechWorkers(options: SpeechWorkersOptions): SpeechWorkers {
  const { surroundings, enginesDir, limits, silenceTimeoutMs, memoryLimitBytes } = options;
  const common = {
    entry: new URL('./worker.ts', import.meta.url),
    memoryLimitBytes,
    startTimeoutMs: 30_000,
    idleTimeoutMs: 10 * 60_000,
  };
  // Apart, because a submission must not wait behind recordings of hours to learn that its file is no audio.
  const probes = createWorkerPool({ ...common, size: 2 });
  const recognitions = createWorkerPool({ ...common, size: options.count });
  const shutdown = new AbortController();
  if (options.warmUp !== null) {
    const payload: WarmUpCall = { enginesDir, surroundings, ...options.warmUp };
    const warmUp = recognitions.run(
      { kind: 'warm-up', payload },
      { signal: shutdown.signal, silenceTimeoutMs, timeLimitMs: silenceTimeoutMs },
    );
    // A model that cannot be loaded fails its requests with a reason; the start must not fail for it.
    void drain(warmUp).catch(() => {});
  }

  const ready = Promise.all([probes.ready, recognitions.ready]).then(() => {});
  // Closed before they were ready, the processes say so; whoever closes them need not have waited.
  ready.catch(() => {});

  return {
    ready,
    async probe(path, signal = shutdown.signal) {
      const payload: ProbeCall = { path, limits };
      const events = probes.run(
        { kind: 'probe', payload },
        { signal, silenceTimeoutMs: PROBE_TIME_LIMIT_MS, timeLimitMs: PROBE_TIME_LIMIT_MS },
      );
      const [info] = await drain(events);
      return info as AudioInfo;
    },
    recognize(path, preference, listening, signal) {
      const payload: RecognizeCall = { path, limits, enginesDir, surroundings, preference, options: listening };
      const timeLimitMs = Math.max(MIN_RECOGNITION_TIME_LIMIT_MS, limits.maxDurationMs);
      const events = recognitions.run({ kind: 'recognize', payload }, { signal, silenceTimeoutMs, timeLimitMs });
      return events as AsyncIterable<ListeningEvent>;
    },
    stats: () => recognitions.stats(),
    async close() {
      shutdown.abort(new AppError('service_unavailable'));
      await Promise.all([probes.close(), recognitions.close()]);
    },
  };
}

async function drain(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const event of events) all.push(event);
  return all;
}
