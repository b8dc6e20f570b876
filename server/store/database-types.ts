import type { CompiledQuery, Generated, Kysely } from 'kysely';
import type { Scope, QuotaUnit } from '@jyutsing/contracts/accounts';
import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import type { SerializedError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import type {
  TranscriptEdit,
  TranscriptionRequest,
  TranscriptionResult,
  TranscriptionStatus,
  WorkProgress,
} from '@jyutsing/contracts/transcription';
import type { VoiceGender, VoiceProfile } from '@jyutsing/contracts/voice';
import type { Columns, JsonText } from './columns.ts';
import type { FoundSegment } from './repositories/transcript-search.ts';

/** 0 or 1: SQLite has no booleans, and both databases share the queries. */
export type Flag = 0 | 1;

export function toJson<T>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>;
}

export function fromJson<T>(text: JsonText<T>): T {
  return JSON.parse(text) as T;
}

export function fromJsonOrNull<T>(text: JsonText<T> | null): T | null {
  return text === null ? null : fromJson(text);
}

type AccountsTable = { id: string; name: string; plan: string; blocked: Flag; created_at_ms: number };

type FirstAccountTable = { id: 1; account_id: string };

type DatabaseIdentityTable = { id: 1; database_id: string; since_ms: number; moved_from: string | null };

type ApiKeysTable = {
  id: string;
  account_id: string;
  name: string;
  prefix: string;
  sha256: string;
  scopes: JsonText<Scope[]>;
  revoked: Flag;
  created_at_ms: number;
};

type QuotaUsageTable = { account_id: string; unit: QuotaUnit; period: string; used: number };

/**
 * Settling or releasing deletes the row, so it happens once. `worker_id` is the process that holds
 * it (null: a record, or an unknown process). `given_back`: the units do not count at present,
 * because that process seemed dead.
 */
type QuotaReservationsTable = {
  request_id: string;
  id: string;
  account_id: string;
  unit: QuotaUnit;
  period: string;
  amount: number;
  created_at_ms: number;
  worker_id: string | null;
  given_back: Flag;
};

/** Every field that a record has in some status. */
export type TranscriptionFields = TranscriptionRequest &
  WorkProgress & {
    status: TranscriptionStatus;
    result: TranscriptionResult | null;
    edit: TranscriptEdit | null;
    error: SerializedError | null;
    processingSeconds: number | null;
    creditsUsed: number | null;
    finishedAtMs: number | null;
  };

/** The last four columns: see migrations/0008-joined-work.ts. */
type TranscriptionsTable = Columns<TranscriptionFields> & {
  work_key: string | null;
  joined_to: string | null;
  recognized_ms: number;
  handed_out_ms: number;
};

/** See stored-texts.ts. */
type StoredTextsTable = { transcription_id: string; account_id: string; bytes: number };

/** The sum of its rows for an account; triggers change it, see the migration. */
type StoredTextTotalsTable = { account_id: string; bytes: number };

/** Transcripts whose row in `transcript_texts` is missing or old; triggers note them. */
type UnindexedTranscriptsTable = { transcription_id: string; account_id: string };

/** See `SearchDocument`. `tokens` exists in PostgreSQL only. */
type TranscriptTextsTable = {
  number: Generated<number>;
  transcription_id: string;
  account_id: string;
  created_at_ms: number;
  title: string;
  text: string;
  syllables: string;
  jyutping: string;
  segments: JsonText<FoundSegment[]>;
  tokens: Generated<string[]>;
};

type TranscriptTagsTable = { transcription_id: string; account_id: string; tag: string };

type TranscriptTranslationsTable = {
  transcription_id: string;
  account_id: string;
  language: string;
  status: 'processing' | 'completed' | 'failed';
  source_sha256: string;
  texts: JsonText<string[]> | null;
  error: JsonText<SerializedError> | null;
  done: number;
  total: number;
  work_id: string;
  changed_at_ms: number;
};

type CorporaTable = {
  id: string;
  account_id: string;
  name: string;
  description: string;
  language: Language;
  version: number;
  entries: JsonText<CorpusEntry[]>;
  entries_count: number;
  created_at_ms: number;
  updated_at_ms: number;
};

type VoicesTable = {
  id: string;
  account_id: string;
  name: string;
  name_key: string;
  language: Language;
  gender: VoiceGender | null;
  description: string | null;
  transcript: string | null;
  engine: string | null;
  profile: JsonText<VoiceProfile>;
  sample_duration_ms: number;
  sample_bytes: number;
  created_at_ms: number;
  consented_at_ms: number;
};

type VideoCacheTable = { key: string; value: string; expires_at_ms: number };

type WebhookSecretsTable = { account_id: string; secret: string; created_at_ms: number };

type IdempotencyKeysTable = {
  account_id: string;
  key: string;
  request_sha256: string;
  transcription_id: string;
  created_at_ms: number;
};

/**
 * `paid`: its reservation was settled, so the same request is not charged again. `repeats`: how
 * often that happened. Without either, and without its reservation, the key counts as unused.
 */
type DeletedTranscriptionsTable = { id: string; deleted_at_ms: number };

type ChargedRequestsTable = {
  account_id: string;
  key: string;
  request_sha256: string;
  reservation_id: string;
  paid: Flag;
  repeats: number;
  created_at_ms: number;
};

type JobsTable = {
  id: string;
  name: string;
  payload: JsonText<unknown>;
  turn: number;
  state: 'waiting' | 'active' | 'dead';
  attempt: number;
  deaths: number;
  run_at_ms: number;
  worker_id: string | null;
};

type JobClaimsTable = { job_id: string; attempt: number; name: string; worker_id: string };

type JobTurnsTable = { name: string; account_id: string; turn: number };

type PresentTurnsTable = { name: string; turn: number };

type WorkersTable = { id: string; host: string; pid: number; beat_at_ms: number; queue_class: string | null };

type SpeakerRegistersTable = {
  account_id: string;
  speaker: string;
  language: string;
  semitones: number;
  deviation: number;
  used_at_ms: number;
};

/** Every table, as created by the migrations. */
export type Database = {
  accounts: AccountsTable;
  first_account: FirstAccountTable;
  database_identity: DatabaseIdentityTable;
  api_keys: ApiKeysTable;
  quota_usage: QuotaUsageTable;
  quota_reservations: QuotaReservationsTable;
  transcriptions: TranscriptionsTable;
  stored_texts: StoredTextsTable;
  stored_text_totals: StoredTextTotalsTable;
  unindexed_transcripts: UnindexedTranscriptsTable;
  transcript_texts: TranscriptTextsTable;
  transcript_tags: TranscriptTagsTable;
  transcript_translations: TranscriptTranslationsTable;
  corpora: CorporaTable;
  voices: VoicesTable;
  video_cache: VideoCacheTable;
  webhook_secrets: WebhookSecretsTable;
  idempotency_keys: IdempotencyKeysTable;
  charged_requests: ChargedRequestsTable;
  deleted_transcriptions: DeletedTranscriptionsTable;
  jobs: JobsTable;
  job_claims: JobClaimsTable;
  job_turns: JobTurnsTable;
  present_turns: PresentTurnsTable;
  workers: WorkersTable;
  speaker_registers: SpeakerRegistersTable;
};

export type Dialect = 'sqlite' | 'postgres';

/**
 * The connection of the repositories. Inside a transaction `writer` and `reader` are both that
 * transaction.
 */
export type Connection = {
  readonly dialect: Dialect;
  readonly writer: Kysely<Database>;
  /**
   * Separate in SQLite, whose writer is held for a whole transaction: polls must not wait for it.
   */
  readonly reader: Kysely<Database>;
  /**
   * Prepares a compiled read of one parameter on `reader`. In SQLite it bypasses kysely's queue
   * for the connection, which reads do not need.
   */
  readonly prepareRead: PrepareRead;
};

/** A connection that its opener closes. */
export type OpenedConnection = Connection & {
  /** Begins to limit the time of statements; migrations before it may take longer. */
  enforceLimits(): void;
  /** Throws `service_unavailable` with a sentence for `/health`, within two seconds. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Runs a prepared read and returns its first row; synchronously when the database is in this
 * process.
 */
export type ReadFirst<Row> = (parameter: string) => Row | undefined | Promise<Row | undefined>;

type PrepareRead = <Row>(query: CompiledQuery<Row>) => ReadFirst<Row>;

/** Implements `prepareRead` with kysely. */
export function prepareReadWith(reader: Kysely<Database>): PrepareRead {
  return <Row>(query: CompiledQuery<Row>): ReadFirst<Row> =>
    async (parameter) =>
      (await reader.executeQuery<Row>({ ...query, parameters: [parameter] })).rows[0];
}

/** Runs `work` in the current transaction, or in a new one. */
export async function atomically<T>(
  connection: Connection,
  work: (transaction: Kysely<Database>) => Promise<T>,
): Promise<T> {
  if (connection.writer.isTransaction) return work(connection.writer);
  return connection.writer.transaction().execute(work);
}
