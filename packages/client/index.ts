export {
  Jyutsing,
  type AlignmentFormat,
  type AlignOptions,
  type ClientOptions,
  type ScoreOptions,
} from './jyutsing.ts';
export * from './errors.ts';
export type { ErrorDetails } from './errors.ts';
export type { ApiPromise, WithResponse } from './http/api-promise.ts';
export type { Fetch } from './http/fetch.ts';
export { platformFetch } from './http/platform-fetch.ts';
export type { RequestOptions } from './http/transport.ts';
export type { UploadProgress, UploadSource } from './http/upload.ts';
export type { ListenOptions, LiveEvent, LiveSession, LiveTurn, LiveWord } from './live.ts';
export type { AccountChange } from './resources/accounts.ts';
export type { CorpusChange, CorpusContent, DeckOptions, NewCorpus } from './resources/corpora.ts';
export type { SummarizeOptions } from './resources/videos.ts';
export type { NewVoice } from './resources/voices.ts';
export { STREAM_SAMPLE_RATE, type SpeakOptions, type Speech, type SpeechFormat } from './speech.ts';
export type { FollowOptions, TranscriptionProgress } from './transcription/follow.ts';
export type {
  DocumentOptions,
  SaveOptions,
  SubtitleOptions,
  SummaryOptions,
  TextOptions,
  TranscriptCorrection,
  TranscriptionJob,
} from './transcription/job.ts';
export type { TranscribeOptions, Transcript } from './transcription/options.ts';
export type { Batch, ListOptions, SearchOptions } from './transcription/transcriptions.ts';
export type * from './types.ts';
export { unwrapWebhook, type WebhookEvent, type WebhookOptions } from './webhooks.ts';
export type { components, operations, paths } from './api.ts';
