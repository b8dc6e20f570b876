import type { Ability, ModelRef } from '@jyutsing/contracts/abilities';
import type { AudioInfo } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import type { TranscriptionModels } from '@jyutsing/contracts/transcription-plan';
import type { SpeechFileRequest, RenderedSpeechFile } from '@jyutsing/audio/encoding/render-speech-file';
import type { MeasuredSample } from '@jyutsing/audio/voice/measure-voice-sample';
import type { ScoreCall, ScoredRecording } from '#features/pronunciation/score-recording.ts';
import type { SpeakCall } from '#features/synthesis/stages.ts';
import type { FusionEvent, FileRecognitionEvent, FileRecognitionOptions } from '#features/transcription/stages.ts';
import type { AudioLimits } from '@jyutsing/audio/probe';
import { createWorkerPool, type WorkerPool, type WorkerTask } from './pool/worker-pool.ts';
import type { FuseCall } from './tasks/fuse.ts';
import type { ListenCall } from './tasks/listen.ts';
import type { EngineLocation } from './opened-engines.ts';
import type { PlacedScoreCall } from './tasks/score.ts';
import type { PlacedSpeakCall } from './tasks/speak.ts';

/** Tasks of worker.ts, as they cross the process boundary. */
export type ProbeCall = { path: string; limits: AudioLimits };
export type RecognizeWarmUpCall = EngineLocation & { language: Language; model: ModelRef<'recognizer'> };
export type SpeakWarmUpCall = EngineLocation & { language: Language; model: ModelRef<'synthesizer'> };
export type MeasureVoiceCall = { path: string };
/** A transcript and what biases its correction. */
export type FusionInput = Pick<FuseCall, 'segments' | 'entries' | 'entriesKey' | 'context' | 'correctors'>;

export type WorkerPoolsOptions = {
  /** Recognitions at a time, and pieces of speech made at a time; each is one process. */
  count: number;
  memoryLimitBytes: number;
  silenceTimeoutMs: number;
  /** Within which each chunk of a transcript must be corrected. */
  fusionChunkBudgetMs: number;
  /** Limits of a recording. */
  limits: AudioLimits;
  env: EngineEnv;
  /** Other than the shipped folder in tests only. */
  enginesDir: string;
  models: WarmUpModels;
  /** The work whose models are loaded at the start already, so that the first request does not wait for them. */
  warmUp: readonly ('listen' | 'speak' | 'score')[];
};

/**
 * Chooses the models that requests are likely to need: the first process of each kind loads them
 * before its first request. Null and empty: nothing is loaded.
 */
export type WarmUpModels = {
  recognizer(): ModelRef<'recognizer'> | null;
  synthesizer(): ModelRef<'synthesizer'> | null;
  assessor(): ModelRef<'pronunciation-assessor'> | null;
  correctors(): readonly ModelRef<'corrector'>[];
};

/** The language whose models are loaded ahead: the one that most requests use. */
const WARM_UP_LANGUAGE: Language = 'cantonese';

/** Decoding, recognition and synthesis in supervised processes: the only way in which the server touches uploaded sound. */
export type WorkerPools = {
  /** Resolves when work can be taken; the model may still be loading. */
  readonly ready: Promise<void>;
  /** What the file is. Throws `unsupported_audio_format`, `corrupt_audio`, `empty_audio`, `audio_too_long`. */
  probe(path: string, signal?: AbortSignal): Promise<AudioInfo>;
  /** Decodes and recognises one file with the given models. Throws AppError; an aborted signal throws its reason. */
  listen(
    path: string,
    models: TranscriptionModels,
    options: FileRecognitionOptions,
    signal: AbortSignal,
  ): AsyncIterable<FileRecognitionEvent>;
  /** Corrects a transcript; see `Fuse`. */
  fuse(input: FusionInput, signal: AbortSignal): AsyncIterable<FusionEvent>;
  /** Says the parts of a call; whoever listens slowly keeps a process from others, so that it is better read ahead of a client. */
  speak(call: SpeakCall, signal: AbortSignal): AsyncIterable<SynthesisEvent>;
  /** Scores the pronunciation of a recording; throws what `scoreRecording` throws. */
  score(call: ScoreCall, model: ModelRef<'pronunciation-assessor'>, signal: AbortSignal): Promise<ScoredRecording>;
  /** Whether a recording can be the sample of a voice, and what the voice sounds like. Throws `unsuitable_sample` and what `probe` throws. */
  measureVoice(path: string, signal?: AbortSignal): Promise<MeasuredSample>;
  /** Makes a file of raw sound. */
  renderSpeechFile(call: SpeechFileRequest, signal: AbortSignal): Promise<RenderedSpeechFile>;
  stats(): { processes: number; busy: number; queued: number; pids: number[] };
  close(): Promise<void>;
};

/** A piece of a text, or a whole one where an outside server speaks. */
const SPEAK_TIME_LIMIT_MS = 10 * 60_000;
/** A probe reads packets at most, which is quick even for hours; a sample of a voice has seconds. */
const PROBE_TIME_LIMIT_MS = 60_000;
/** The longest text makes half an hour of sound, which takes seconds. */
const FINISH_TIME_LIMIT_MS = 5 * 60_000;
/** A minute of sound takes a second. */
const SCORE_TIME_LIMIT_MS = 60_000;
/** Recordings that waited for the start are heard first; loading what speaks takes a processor for a second. */
const SPEAKING_WARM_UP_AFTER_MS = 3_000;
const SCORING_WARM_UP_AFTER_MS = 6_000;
/** Slower than this against the longest allowed recording is a hang, not work. */
const MIN_WORK_TIME_LIMIT_MS = 10 * 60_000;

export function createWorkerPools(options: WorkerPoolsOptions): WorkerPools {
  const { env, enginesDir, limits, silenceTimeoutMs, memoryLimitBytes, models, warmUp } = options;
  const common = {
    entry: new URL('./worker-main.ts', import.meta.url),
    memoryLimitBytes,
    startTimeoutMs: 30_000,
    idleTimeoutMs: 10 * 60_000,
  };
  // Apart, because a submission must not wait behind recordings of hours to learn that its file is no audio.
  const files = createWorkerPool({ ...common, size: 2 });
  const recognitions = createWorkerPool({ ...common, size: options.count });
  const shutdown = new AbortController();
  // Apart as well: a correction may wait for an outside model, and must not keep a recording waiting, nor wait behind one; and who
  // listens to speech must not wait for recordings. Both pools are made later: they cost the start nothing.
  const place: EngineLocation = { enginesDir, env };
  const prepare = (pool: WorkerPool, kind: string, payload: EngineLocation) => {
    const limits = { signal: shutdown.signal, silenceTimeoutMs, timeLimitMs: silenceTimeoutMs };
    // A model that cannot be loaded fails its requests with a reason; nothing else must fail for it.
    void drain(pool.run({ kind, payload }, limits)).catch(() => {});
  };
  /** Processes that are made when they are first needed; the first loads its models at once. */
  const later = (kind: string, chooseModel: () => object | null) =>
    lazyPool(() => {
      const pool = createWorkerPool({ ...common, size: options.count });
      const chosen = chooseModel();
      if (chosen !== null) prepare(pool, kind, { ...place, ...chosen });
      return pool;
    });
  const fusions = later('prepare-fusion', () => ({ correctors: models.correctors() }));
  const syntheses = later('prepare-to-speak', () => warmUpCall(models.synthesizer()));
  // Whoever waits for a score sits in front of a screen, so that no recording of hours may come before it.
  const scorings = later('prepare-to-score', () => warmUpCall(models.assessor()));
  const recognizer = warmUp.includes('listen') ? warmUpCall(models.recognizer()) : null;
  if (recognizer !== null) prepare(recognitions, 'warm-up', { ...place, ...recognizer });

  const timeLimitMs = Math.max(MIN_WORK_TIME_LIMIT_MS, limits.maxDurationMs);
  const ready = Promise.all([files.ready, recognitions.ready]).then(() => {});
  // Closed before they were ready, the processes say so; whoever closes them need not have waited.
  ready.catch(() => {});
  if (warmUp.includes('speak')) syntheses.getAfter(SPEAKING_WARM_UP_AFTER_MS);
  if (warmUp.includes('score')) scorings.getAfter(SCORING_WARM_UP_AFTER_MS);

  return {
    ready,
    async probe(path, signal = shutdown.signal) {
      const payload: ProbeCall = { path, limits };
      return (await runOnce(files, { kind: 'probe', payload }, PROBE_TIME_LIMIT_MS, signal)) as AudioInfo;
    },
    listen(path, chosen, listening, signal) {
      if (listening.romanize) fusions.get();
      const payload: ListenCall = { path, limits, enginesDir, env, models: chosen, options: listening };
      const events = recognitions.run({ kind: 'listen', payload }, { signal, silenceTimeoutMs, timeLimitMs });
      return events as AsyncIterable<FileRecognitionEvent>;
    },
    fuse(input, signal) {
      const payload: FuseCall = { ...input, enginesDir, env, chunkBudgetMs: options.fusionChunkBudgetMs };
      // A chunk keeps its own time; a process that does not even do that is hung.
      const patienceMs = silenceTimeoutMs + options.fusionChunkBudgetMs;
      const limits = { signal, silenceTimeoutMs: patienceMs, timeLimitMs };
      return fusions.get().run({ kind: 'fuse', payload }, limits) as AsyncIterable<FusionEvent>;
    },
    speak(call, signal) {
      const payload: PlacedSpeakCall = { ...place, call };
      const limits = { signal, silenceTimeoutMs, timeLimitMs: SPEAK_TIME_LIMIT_MS };
      return syntheses.get().run({ kind: 'speak', payload }, limits) as AsyncIterable<SynthesisEvent>;
    },
    async score(call, model, signal) {
      const payload: PlacedScoreCall = { ...place, call, model };
      const task = { kind: 'score', payload };
      return (await runOnce(scorings.get(), task, SCORE_TIME_LIMIT_MS, signal)) as ScoredRecording;
    },
    async measureVoice(path, signal = shutdown.signal) {
      const payload: MeasureVoiceCall = { path };
      return (await runOnce(files, { kind: 'measure-voice', payload }, PROBE_TIME_LIMIT_MS, signal)) as MeasuredSample;
    },
    async renderSpeechFile(payload, signal) {
      return (await runOnce(
        files,
        { kind: 'render-speech-file', payload },
        FINISH_TIME_LIMIT_MS,
        signal,
      )) as RenderedSpeechFile;
    },
    stats: () => recognitions.stats(),
    async close() {
      shutdown.abort(new AppError('service_unavailable'));
      await Promise.all([files.close(), recognitions.close(), fusions.close(), syntheses.close(), scorings.close()]);
    },
  };
}

function warmUpCall<A extends Ability>(model: ModelRef<A> | null): { language: Language; model: ModelRef<A> } | null {
  return model === null ? null : { language: WARM_UP_LANGUAGE, model };
}

/** Short work with one result. */
async function runOnce(pool: WorkerPool, task: WorkerTask, timeLimitMs: number, signal: AbortSignal): Promise<unknown> {
  const [result] = await drain(pool.run(task, { signal, silenceTimeoutMs: timeLimitMs, timeLimitMs }));
  return result;
}

type LazyPool = {
  get(): WorkerPool;
  /** Makes it after a while in any case. */
  getAfter(ms: number): void;
  close(): Promise<void>;
};

/** A pool that is made when it is first needed. */
function lazyPool(make: () => WorkerPool): LazyPool {
  let pool: WorkerPool | null = null;
  let timer: NodeJS.Timeout | undefined;
  const get = () => (pool ??= make());
  return {
    get,
    getAfter(ms) {
      timer = setTimeout(get, ms).unref();
    },
    async close() {
      clearTimeout(timer);
      await pool?.close();
    },
  };
}

async function drain(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const event of events) all.push(event);
  return all;
}
