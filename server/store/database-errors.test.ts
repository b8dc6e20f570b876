import { describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { outageError, outageOf, translateError, type Outage } from './database-errors.ts';

const withCode = (code: unknown, message = 'x') => Object.assign(new Error(message), { code });

describe('the outage that an error means', () => {
  // Result codes of SQLite: https://www.sqlite.org/rescode.html
  it.each<[string, Outage | null]>([
    ['SQLITE_BUSY', 'locked'],
    ['SQLITE_BUSY_SNAPSHOT', 'locked'],
    ['SQLITE_LOCKED_SHAREDCACHE', 'locked'],
    ['SQLITE_FULL', 'full'],
    ['SQLITE_IOERR_WRITE', 'unwritable'],
    ['SQLITE_READONLY_DBMOVED', 'unwritable'],
    ['SQLITE_CANTOPEN_ISDIR', 'unwritable'],
    ['SQLITE_CORRUPT_VTAB', 'unwritable'],
    ['SQLITE_NOTADB', 'unwritable'],
    ['SQLITE_NOMEM', 'busy'],
    ['SQLITE_CONSTRAINT_UNIQUE', null],
    ['SQLITE_ERROR', null],
    ['SQLITE_MISUSE', null],
  ])('%s of SQLite: %s', (code, outage) => {
    expect(outageOf(withCode(code))).toBe(outage);
  });

  // Appendix A of the manual of PostgreSQL, and errno.h.
  it.each<[code: string, meaning: string, Outage | null]>([
    ['53100', 'disk_full', 'full'],
    ['53200', 'out_of_memory', 'busy'],
    ['53300', 'too_many_connections', 'busy'],
    ['57014', 'query_canceled', 'busy'],
    ['57P01', 'admin_shutdown', 'unreachable'],
    ['57P03', 'cannot_connect_now', 'unreachable'],
    ['08006', 'connection_failure', 'unreachable'],
    ['28P01', 'invalid_password', 'unreachable'],
    ['3D000', 'invalid_catalog_name', 'unreachable'],
    ['25006', 'read_only_sql_transaction', 'unwritable'],
    ['58030', 'io_error', 'unwritable'],
    ['XX001', 'data_corrupted', 'unwritable'],
    ['XX002', 'index_corrupted', 'unwritable'],
    ['40001', 'serialization_failure', 'busy'],
    ['40P01', 'deadlock_detected', 'busy'],
    ['55P03', 'lock_not_available', 'busy'],
    ['25P03', 'idle_in_transaction_session_timeout', 'busy'],
    ['ECONNREFUSED', 'refused', 'unreachable'],
    ['ECONNRESET', 'reset', 'unreachable'],
    ['EPIPE', 'broken pipe', 'unreachable'],
    ['ETIMEDOUT', 'timed out', 'unreachable'],
    ['EHOSTUNREACH', 'no route', 'unreachable'],
    ['ENETUNREACH', 'no network', 'unreachable'],
    ['ENOTFOUND', 'no such name', 'unreachable'],
    ['EAI_AGAIN', 'no name server', 'unreachable'],
    ['23505', 'unique_violation', null],
    ['42601', 'syntax_error', null],
    ['42P01', 'undefined_table', null],
    ['22021', 'character_not_in_repertoire', null],
    ['XX000', 'internal_error', null],
    ['0800', 'too short', null],
    ['080066', 'too long', null],
    ['EINVAL', 'bad argument', null],
    ['', 'no code', null],
  ])('%s (%s): %s', (code, _meaning, outage) => {
    expect(outageOf(withCode(code))).toBe(outage);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client was closed and is not queryable',
    'Client has encountered a connection error and is not queryable',
    'Query read timeout',
    'Cannot use a pool after calling end on the pool',
  ])('of the client of PostgreSQL: %s', (message) => {
    expect(outageOf(new Error(message))).toBe('unreachable');
  });

  it.each([
    null,
    undefined,
    'ECONNREFUSED',
    { code: 'ECONNREFUSED' },
    withCode(53_100),
    new Error('told: Query read timeout'),
  ])('is none for %s', (error) => {
    expect(outageOf(error)).toBeNull();
  });
});

describe('the error of an outage', () => {
  it.each<Outage>(['unreachable', 'locked', 'full', 'gone', 'unwritable', 'busy'])('%s is one sentence', (outage) => {
    const cause = new Error('/var/lib/secret SELECT');
    const error = outageError(outage, cause);
    expect([error.code, error.status, error.cause]).toEqual(['service_unavailable', 503, cause]);
    expect(error.message).toMatch(/^The (?:database|disk|file) [^.]+; [^.]+\.$/);
  });

  it('replaces an error that means one, and no other', () => {
    const refused = withCode('ECONNREFUSED', 'connect ECONNREFUSED 10.1.2.3:5432');
    const translated = translateError(refused);
    expect(translated).toBeInstanceOf(AppError);
    expect(translated).toMatchObject({ code: 'service_unavailable', cause: refused });
    expect((translated as AppError).message).not.toContain('10.1.2.3');
    const ofAccount = Object.assign(withCode('23503'), { constraint: 'api_keys_account_id_fkey' });
    for (const gone of [ofAccount, withCode('SQLITE_CONSTRAINT_FOREIGNKEY')]) {
      expect(translateError(gone)).toMatchObject({ code: 'invalid_api_key' });
    }
    const ofAnother = Object.assign(withCode('23503'), { constraint: 'job_queue_fkey' });
    for (const other of [withCode('23505'), ofAnother, new TypeError('x'), new AppError('conflict'), 'text', null]) {
      expect(translateError(other)).toBe(other);
    }
  });
});
