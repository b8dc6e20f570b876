import type { BlobStore } from '@jyutsing/contracts/blobs';
import type { LiveRecognition } from '@jyutsing/contracts/live-recognition';
import type { ModelCatalog, ModelPulls } from '@jyutsing/contracts/model-catalog';
import type { Role } from '@jyutsing/contracts/roles';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import type {
  CueLimits,
  TranscriptionOptions,
  TranscriptionProgress,
  TranscriptionRecord,
} from '@jyutsing/contracts/transcription';
import type { Plans } from '#features/accounts/plans.ts';
import type { CorpusEditor, CorpusLibrary } from '#features/corpora/library.ts';
import type { SpeechService } from '#features/synthesis/speech-service.ts';
import type { LanguageModels } from '#features/after-transcript/language-models.ts';
import type { VideoSummarizer } from '#features/video-summary/summarize-video.ts';
import type { VoiceEditor, VoiceLibrary } from '#features/voices/library.ts';
import type { HttpSettings } from '#config/http-variables.ts';
import type { Queue } from '#queue/queue.ts';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { Tracing } from '#telemetry/spans.ts';
import type { Metrics } from '#telemetry/metrics.ts';
import type { FairWorkers } from '#workers/fair-workers.ts';
import type { SoundDecoders } from '#workers/sound-decoders.ts';

/** The configuration of the HTTP interface. */
export type HttpConfig = Omit<HttpSettings, 'tls'> & {
  /** PEM; null: plain http. */
  tls: { cert: string; key: string } | null;
  version: string;
  /** The roles of this process; requests for other roles are refused. */
  roles: readonly Role[];
  plans: Plans;
  /** Folder of uploads until they are accepted; of this process only, on the disk of the blobs. */
  incomingDir: string;
  maxUploadBytes: number;
  maxDurationMs: number;
  /** Keeps every recording as long as its record. */
  keepAudio: boolean;
  /** Whether POST /api/stt waits for the result when `wait_for_completion` is absent. */
  blockingByDefault: boolean;
  cues: CueLimits;
  /** Ids of voices of other services, and the voices that speak for them. */
  voiceAliases: Readonly<Record<string, string>>;
  /** The language that `zh` means in transcription; `auto` identifies it from the audio. */
  zhMeans: 'auto' | 'cantonese' | 'mandarin';
  /** Whether Cantonese particles are spelt by their sound, or as most people type them. */
  hongKongStyle: 'spoken' | 'everyday';
  /** Allows callbacks to private addresses and over plain http. */
  webhooksAllowPrivate: boolean;
  /** The built web console. */
  consoleDir: string;
  /** Only this machine can reach the server. */
  isLocal: boolean;
  logRequests: boolean;
  /** Checks every answer against its documented schema; for tests, because it takes time. */
  validateResponses: boolean;
};

/** Dependencies of the whole HTTP interface; each route picks those that it needs. */
export type ServerDeps = {
  config: HttpConfig;
  store: Store;
  tracing: Tracing;
  queue: Pick<Queue, 'enqueue' | 'unattended'>;
  blobs: Pick<BlobStore, 'adopt' | 'delete' | 'localPath' | 'outageSince'>;
  models: ModelCatalog;
  modelPulls: ModelPulls;
  /** Runs the tasks of server/workers/tasks; accounts take turns. */
  workers: FairWorkers;
  /**
   * Selects the model and names the versions of everything that affects the result, for the cache
   * key. Throws `model_not_found`, or `engine_unavailable` when a model or ability is missing.
   */
  planTranscription(options: TranscriptionOptions): TranscriptionPlan;
  /** Recognizes speech while it arrives. */
  live: LiveRecognition;
  /** Decodes compressed sound while it arrives. */
  decoders: SoundDecoders;
  corpora: CorpusLibrary & CorpusEditor;
  voices: VoiceLibrary & VoiceEditor;
  speech: Pick<SpeechService, 'chooseModel' | 'stream' | 'makeFile'>;
  videoSummarizer: VideoSummarizer;
  languageModels: LanguageModels;
  /** Returns the final record. Throws `not_found` when it is deleted, or the signal's reason. */
  waitForTranscription(id: string, signal: AbortSignal): Promise<TranscriptionRecord>;
  /**
   * Yields every segment once and in order, as soon as it is known, and returns the final record.
   * Throws what `waitForTranscription` throws.
   */
  followTranscription(id: string, signal: AbortSignal): AsyncGenerator<Segment, TranscriptionRecord>;
  /**
   * Yields the progress at once and after every change, and returns the final record. Throws what
   * `waitForTranscription` throws.
   */
  followProgress(
    id: string,
    signal: AbortSignal,
  ): AsyncGenerator<TranscriptionProgress & { durationMs: number }, TranscriptionRecord>;
  metrics: Metrics;
  logger: Logger;
  /** False while the service starts or drains. */
  isReady(): boolean;
};
