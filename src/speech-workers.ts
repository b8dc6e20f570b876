import type { AudioInfo } from '#contracts/audio.ts';
import { AppError } from '#contracts/errors.ts';
import type { EngineSurroundings } from '#contracts/recognizer.ts';
import type { Language } from '#contracts/transcript.ts';
import type { FusionEvent, ListeningEvent, ListeningOptions } from '#features/transcription/stages.ts';
import type { AudioLimits } from '#audio/probe.ts';
import { createWorkerPool, type WorkerPool } from '#runtime/worker-pool.ts';
import type { FuseCall } from '#worker/fuse.ts';
import type { ListenCall } from '#worker/listen.ts';
import type { EnginePlace } from '#worker/opened-engines.ts';

/** Tasks of worker.ts, as they cross the process boundary. */
export type ProbeCall = { path: string; limits: AudioLimits };
export type WarmUpCall = EnginePlace & { preference: string; language: Language };
/** A transcript and what biases its correction. */
export type FusionInput = Pick<FuseCall, 'segments' | 'entries' | 'entriesKey' | 'context'>;

export type SpeechWorkersOptions = {
  /** Recognitions at a time; each is one process. */
  count: number;
  memoryLimitBytes: number;
  silenceTimeoutMs: number;
  /** Within which each chunk of a transcript must be corrected. */
  fusionChunkBudgetMs: number;
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
  listen(
    path: string,
    preference: string,
    options: ListeningOptions,
    signal: AbortSignal,
  ): AsyncIterable<ListeningEvent>;
  /** Corrects a transcript; see `Fuse`. */
  fuse(input: FusionInput, signal: AbortSignal): AsyncIterable<FusionEvent>;
  stats(): { processes: number; busy: number; queued: number; pids: number[] };
  close(): Promise<void>;
};

/** A probe reads packets at most, which is quick even for hours. */
const PROBE_TIME_LIMIT_MS = 60_000;
/** Slower than this against the longest allowed recording is a hang, not work. */
const MIN_WORK_TIME_LIMIT_MS = 10 * 60_000;

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
  // Apart as well: a correction may wait for an outside model, and must not keep a recording waiting, nor wait behind one. Made when the
  // first recording comes whose text is to be corrected: it costs the start nothing, and is ready when the text is there.
  let fusions: WorkerPool | null = null;
  const fusionPool = (): WorkerPool => {
    if (fusions === null) {
      fusions = createWorkerPool({ ...common, size: options.count });
      const payload: EnginePlace = { enginesDir, surroundings };
      const limits = { signal: shutdown.signal, silenceTimeoutMs, timeLimitMs: silenceTimeoutMs };
      void drain(fusions.run({ kind: 'prepare-fusion', payload }, limits)).catch(() => {});
    }
    return fusions;
  };
  if (options.warmUp !== null) {
    const payload: WarmUpCall = { enginesDir, surroundings, ...options.warmUp };
    const warmUp = recognitions.run(
      { kind: 'warm-up', payload },
      { signal: shutdown.signal, silenceTimeoutMs, timeLimitMs: silenceTimeoutMs },
    );
    // A model that cannot be loaded fails its requests with a reason; the start must not fail for it.
    void drain(warmUp).catch(() => {});
  }

  const timeLimitMs = Math.max(MIN_WORK_TIME_LIMIT_MS, limits.maxDurationMs);
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
    listen(path, preference, listening, signal) {
      if (listening.romanize) fusionPool();
      const payload: ListenCall = { path, limits, enginesDir, surroundings, preference, options: listening };
      const events = recognitions.run({ kind: 'listen', payload }, { signal, silenceTimeoutMs, timeLimitMs });
      return events as AsyncIterable<ListeningEvent>;
    },
    fuse(input, signal) {
      const payload: FuseCall = { ...input, enginesDir, surroundings, chunkBudgetMs: options.fusionChunkBudgetMs };
      // A chunk keeps its own time; a process that does not even do that is hung.
      const patienceMs = silenceTimeoutMs + options.fusionChunkBudgetMs;
      const events = fusionPool().run({ kind: 'fuse', payload }, { signal, silenceTimeoutMs: patienceMs, timeLimitMs });
      return events as AsyncIterable<FusionEvent>;
    },
    stats: () => recognitions.stats(),
    async close() {
      shutdown.abort(new AppError('service_unavailable'));
      await Promise.all([probes.close(), recognitions.close(), fusions?.close()]);
    },
  };
}

async function drain(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const event of events) all.push(event);
  return all;
}
