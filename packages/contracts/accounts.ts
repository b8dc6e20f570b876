export const SCOPES = ['stt', 'tts', 'pronunciation', 'video', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export type Account = {
  id: string;
  name: string;
  plan: string;
  blocked: boolean;
  createdAtMs: number;
};

/**
 * A stored key: only the SHA-256 (hex) of the secret and a short prefix that people can recognize
 * it by.
 */
export type ApiKey = {
  id: string;
  accountId: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  revoked: boolean;
  createdAtMs: number;
};

/** Units of monthly quotas. One credit of speech-to-text is one second of audio, rounded up. */
export const QUOTA_UNITS = ['stt_seconds', 'tts_characters', 'video_summaries'] as const;
export type QuotaUnit = (typeof QUOTA_UNITS)[number];

/**
 * Requests that occupy the server while they run: speech, pronunciation scores, calls that wait for
 * a transcription, streams of progress events, and live sessions.
 */
export const CONCURRENT_USES = ['speech', 'scores', 'waits', 'eventStreams', 'live'] as const;
export type ConcurrentUse = (typeof CONCURRENT_USES)[number];

/** Limits of a plan; null means unlimited. */
export type Plan = {
  name: string;
  quotas: Record<QuotaUnit, number | null>;
  requestsPerMinute: number;
  /** Separate from requests, so polling never uses up the right to submit. */
  pollsPerMinute: number;
  streamingTts: boolean;
  /** Megabytes (10^6 bytes) of recordings that `keep_audio` may keep for an account. */
  keptAudioMb: number | null;
  /** Megabytes (10^6 bytes) of text that the transcriptions and corpora of an account may have. */
  storedTextMb: number | null;
  /** How many requests of each use an account may have at a time. */
  concurrent: Record<ConcurrentUse, number | null>;
};
