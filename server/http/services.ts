import type { AudioInfo } from '@jyutsing/contracts/audio';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import type {
  CueLimits,
  TranscriptionOptions,
  TranscriptionProgress,
  TranscriptionRecord,
} from '@jyutsing/contracts/transcription';
import type { Plans } from '#features/accounts/plans.ts';
import type { CorpusEditor, CorpusLibrary } from '#features/corpora/library.ts';
import type { ScoreCall, ScoredRecording } from '#features/pronunciation/score-recording.ts';
import type { SpeechService } from '#features/synthesis/speech.ts';
import type { VideoSummarizer } from '#features/video-summary/summarize-video.ts';
import type { VoiceEditor, VoiceLibrary } from '#features/voices/library.ts';
import type { Queue } from '#queue/queue.ts';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { Metrics } from '#telemetry/metrics.ts';

/** The part of the configuration that this room needs. Sizes are bytes, times milliseconds. */
export type HttpConfig = {
  version: string;
  plans: Plans;
  /** Where uploads lie until they are accepted; of this process alone, on the same disk as the blobs. */
  incomingDir: string;
  maxUploadBytes: number;
  maxDurationMs: number;
  /** POST /api/stt waits for the result unless told otherwise, for clients that read `.text` at once. */
  blockingByDefault: boolean;
  /** How long a timed block may be. */
  cues: CueLimits;
  /** Callbacks may go to private addresses and over plain http. */
  webhooksAllowPrivate: boolean;
  /** Believe X-Forwarded-For. */
  trustProxy: boolean;
  logRequests: boolean;
  /** Check every answer against its documented schema: tests do, a busy server has better uses for its time. */
  validateResponses: boolean;
};

/** One model found on this server, for people who ask what it can do. */
export type ModelSummary = {
  ability: string;
  name: string;
  /** The engine that runs it. */
  engine: string;
  version: string;
  capabilities: { languages: Readonly<Partial<Record<Language, number>>> };
  available: boolean;
};

/** All that the HTTP interface is handed; it makes nothing of this itself. */
export type HttpServices = {
  config: HttpConfig;
  store: Store;
  queue: Pick<Queue, 'enqueue'>;
  blobs: Pick<BlobStore, 'adopt' | 'delete'>;
  /** What a file is, by its content. Throws `unsupported_audio_format`, `corrupt_audio` or `empty_audio`. */
  probeAudio(path: string): Promise<AudioInfo>;
  /**
   * Who will do the work, and the versions of all that will take part, as one text for the cache key. Throws `model_not_found`, or
   * `engine_unavailable` when the model or an ability that was asked for is not there.
   */
  planTranscription(options: TranscriptionOptions): TranscriptionPlan;
  /** Corpora as an account sees and changes them. */
  corpora: CorpusLibrary & CorpusEditor;
  /** Voices as an account sees and changes them. */
  voices: VoiceLibrary & VoiceEditor;
  /** Who speaks, and how it becomes a stream or a file. */
  speech: Pick<SpeechService, 'chooseSpeaker' | 'stream' | 'makeFile'>;
  /** Scores the pronunciation of a recording; throws what `scoreRecording` throws. */
  scorePronunciation(call: ScoreCall, signal: AbortSignal): Promise<ScoredRecording>;
  videoSummarizer: VideoSummarizer;
  /** Resolves with the final record. Throws `not_found` when it is deleted meanwhile, or the signal's reason. */
  waitForTranscription(id: string, signal: AbortSignal): Promise<TranscriptionRecord>;
  /** Every segment once and in order, as early as it is known, then the final record. Throws what `waitForTranscription` throws. */
  followTranscription(id: string, signal: AbortSignal): AsyncGenerator<Segment, TranscriptionRecord>;
  /** How far it is, at once and then whenever it is further, then the final record. Throws what `waitForTranscription` throws. */
  followProgress(
    id: string,
    signal: AbortSignal,
  ): AsyncGenerator<TranscriptionProgress & { durationMs: number }, TranscriptionRecord>;
  metrics: Metrics;
  logger: Logger;
  /** False while the service starts or drains. */
  isReady(): boolean;
  models(): readonly ModelSummary[];
};
