import type { FairQueueRepository } from './repositories/fair-queue.ts';
import type { JobClaimRepository } from './repositories/job-claims.ts';
import type { JobRepository } from './repositories/jobs.ts';
import type { WorkerRepository } from './repositories/workers.ts';
import type { SharedRateLimiter } from '@jyutsing/contracts/rate-limit';
import type { VideoCacheRepository } from './repositories/video-cache.ts';
import type { SharedUseCounter } from '@jyutsing/contracts/use-counter';
import type { AccountRepository } from './repositories/accounts.ts';
import type { ApiKeyRepository } from './repositories/keys.ts';
import type { ChargedRequestRepository } from './repositories/charged-requests.ts';
import type { CorpusRepository } from './repositories/corpora.ts';
import type { IdempotencyKeyRepository } from './repositories/idempotency-keys.ts';
import type { QuotaRepository } from './repositories/quotas.ts';
import type { SpeakerRegisterRepository } from './repositories/speaker-registers.ts';
import type { StoredTextRepository } from './repositories/stored-texts.ts';
import type { TranscriptSearchRepository } from './repositories/transcript-search.ts';
import type { TranscriptionRepository } from './repositories/transcriptions.ts';
import type { TranslationRepository } from './repositories/translations.ts';
import type { VoiceRepository } from './repositories/voices.ts';
import type { WebhookSecretRepository } from './repositories/webhook-secrets.ts';
import type { IdentityRepository } from './identity.ts';

/** All repositories, on one connection or inside one transaction. */
export type Repositories = {
  accounts: AccountRepository;
  keys: ApiKeyRepository;
  quotas: QuotaRepository;
  transcriptions: TranscriptionRepository;
  transcriptSearch: TranscriptSearchRepository;
  translations: TranslationRepository;
  storedText: StoredTextRepository;
  idempotencyKeys: IdempotencyKeyRepository;
  chargedRequests: ChargedRequestRepository;
  webhookSecrets: WebhookSecretRepository;
  corpora: CorpusRepository;
  voices: VoiceRepository;
  videoCache: VideoCacheRepository;
  speakerRegisters: SpeakerRegisterRepository;
  jobs: JobRepository;
  claims: JobClaimRepository;
  fairQueue: FairQueueRepository;
  workers: WorkerRepository;
  identity: IdentityRepository;
};

/**
 * The driver's transaction, with which the queue enqueues jobs; all other code only passes it on.
 */
export type RawTransaction = {
  /** Runs a statement of the queue library with `$1` parameters inside this transaction. */
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
  /** Called once after the commit, never after a rollback. */
  afterCommit(action: () => void): void;
};

export type Transaction = Repositories & { readonly raw: RawTransaction };

/** The database: SQLite in a file, or PostgreSQL. No other module contains SQL. */
export type Store = Repositories & {
  readonly dialect: 'sqlite' | 'postgres';
  /** Random, made with the database: no other has it, except a copy or a restored backup. */
  readonly databaseId: string;
  /**
   * The address of PostgreSQL, or null for SQLite. The queue library opens its own connections to
   * the same database.
   */
  readonly databaseUrl: string | null;
  /**
   * Identifies this process as the holder of quota reservations; the process lease registers it.
   */
  readonly processId: string;
  /** The rate limits that all processes share, or null for SQLite. */
  readonly sharedRates: SharedRateLimiter | null;
  /** The use counts that all processes share, or null for SQLite. */
  readonly sharedUses: SharedUseCounter | null;
  /**
   * Runs `work` atomically and rethrows its error. Inside, use only the given transaction: a call
   * on the store itself would wait for the transaction to end, forever.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Throws `service_unavailable` with a sentence when the database does not answer, is locked or
   * full, or its file is gone; within two seconds.
   */
  check(): Promise<void>;
  close(): Promise<void>;
};
