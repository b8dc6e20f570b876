import { DatabaseError } from 'pg';
import { AppError, UncertainCommit } from '@jyutsing/contracts/errors';

/** States of a database in which requests cannot be served but may be served again later. */
export type Outage = 'unreachable' | 'locked' | 'full' | 'gone' | 'moved' | 'unwritable' | 'busy';

const SENTENCES: Readonly<Record<Outage, string>> = {
  unreachable: 'The database does not answer; try again shortly.',
  locked: 'The database is locked by another program; try again shortly.',
  full: 'The disk of the database is full; free some space on it.',
  gone: 'The file of the database was deleted or replaced while the service runs; restore it or restart the service.',
  moved:
    'The database was moved to PostgreSQL, or is being moved; the service must be started again with DATABASE_URL.',
  unwritable: 'The database cannot be read or written; check its disk and the permissions of its files.',
  busy: 'The database is busy; try again shortly.',
};

/** Beginnings of SQLite's error codes. */
const SQLITE_OUTAGES: readonly (readonly [prefix: string, outage: Outage])[] = [
  ['SQLITE_BUSY', 'locked'],
  ['SQLITE_LOCKED', 'locked'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_IOERR', 'unwritable'],
  ['SQLITE_READONLY', 'unwritable'],
  ['SQLITE_CANTOPEN', 'unwritable'],
  ['SQLITE_CORRUPT', 'unwritable'],
  ['SQLITE_NOTADB', 'unwritable'],
  ['SQLITE_NOMEM', 'busy'],
];

/** Classes and codes of PostgreSQL (SQLSTATE), and codes of sockets. */
const POSTGRES_OUTAGES: readonly (readonly [pattern: RegExp, outage: Outage])[] = [
  [/^53100$/, 'full'],
  // Refused connections, shutdown, crash recovery, a missing database, a changed password.
  [/^(?:08...|28...|3D000|57P0.)$/, 'unreachable'],
  [/^(?:E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_)\w*|ENOENT|ENOTFOUND)$/, 'unreachable'],
  // A standby, or a server that cannot write its files.
  [/^(?:25006|58...|XX00[12])$/, 'unwritable'],
  // Too many connections, no memory, a limit of time, a deadlock.
  [/^(?:53...|57014|25P03|55P03|40...)$/, 'busy'],
];

/** Messages of the PostgreSQL client, which have no code. */
const CLIENT_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:was closed|has encountered)|Query read timeout|Postgres connection has been discarded|Cannot use a pool)/;

/** The error of an outage, for users; `cause` is only logged. */
export function outageError(outage: Outage, cause?: unknown): AppError {
  return new AppError('service_unavailable', SENTENCES[outage], { cause });
}

/** The error of a transaction that an outage interrupted while it was committed. */
export function uncertainCommit(outage: Outage, cause?: unknown): UncertainCommit {
  return new UncertainCommit('service_unavailable', SENTENCES[outage], { cause });
}

/** The error of a failed change outside of a transaction: uncertain without an answer. */
export function changeError(error: unknown): unknown {
  const cause = error instanceof AppError ? error.cause : error;
  const outage = outageOf(cause);
  return outage === null || cause instanceof DatabaseError ? error : uncertainCommit(outage, cause);
}

/** Classes of PostgreSQL's answers to a COMMIT that was not done: a broken rule, a rollback. */
const NOT_COMMITTED = /^(?:23|40)/;

/** The error of a failed COMMIT: uncertain, unless the server says that it was not done. */
export function commitError(error: unknown): unknown {
  const cause = error instanceof AppError ? error.cause : error;
  if (cause instanceof DatabaseError && NOT_COMMITTED.test(cause.code ?? '')) return error;
  return uncertainCommit(outageOf(cause) ?? 'unreachable', cause);
}

/** The outage that an error of a database means; null: the error is a mistake of the program. */
export function outageOf(error: unknown): Outage | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('SQLITE_')) return SQLITE_OUTAGES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? null;
  if (CLIENT_MESSAGES.test(error.message)) return 'unreachable';
  return POSTGRES_OUTAGES.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** A broken foreign key; all of this service's own name an account, in PostgreSQL by this name. */
const [SQLITE_FOREIGN_KEY, POSTGRES_FOREIGN_KEY] = ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'];
const ACCOUNT_KEY = /_account_id_fkey$/;

/** The error of a request whose account was deleted after its key was accepted. */
export function accountGone(cause: unknown): AppError {
  return new AppError('invalid_api_key', 'The account of this API key was deleted.', { cause });
}

/**
 * Replaces the error of an outage by `service_unavailable`, and that of a row of a deleted account
 * by `invalid_api_key`; returns every other error as it is.
 */
export function translateError(error: unknown): unknown {
  if (isAccountGone(error)) return accountGone(error);
  const outage = outageOf(error);
  return outage === null ? error : outageError(outage, error);
}

function isAccountGone(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  if (error.code === SQLITE_FOREIGN_KEY) return true;
  return error.code === POSTGRES_FOREIGN_KEY && 'constraint' in error && ACCOUNT_KEY.test(String(error.constraint));
}
