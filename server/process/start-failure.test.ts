import { describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { ConfigError } from '#config/config.ts';
import { describeStartFailure } from './start-failure.ts';

const ADDRESS = { host: '192.0.2.1', port: 80 };
const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);
const listening = (code: string) => failure(`listen ${code}`, { code, syscall: 'listen' });

describe('a failure at the start', () => {
  it.each([
    ['EADDRINUSE', 'Port 80 of 192.0.2.1 is in use by another program; set PORT to a free one.'],
    ['EACCES', 'This user may not listen on port 80; set PORT to 1024 or higher.'],
    ['EADDRNOTAVAIL', 'HOST 192.0.2.1 is not an address of this machine.'],
  ])('to listen: %s', (code, sentence) => {
    expect(describeStartFailure(listening(code), ADDRESS)).toBe(sentence);
  });

  it('to find the host to listen on is one of HOST, not of the database', () => {
    const error = failure('getaddrinfo ENOTFOUND nowhere', { code: 'ENOTFOUND', hostname: 'nowhere' });
    expect(describeStartFailure(error, { host: 'nowhere', port: 80 })).toContain('HOST nowhere');
    expect(describeStartFailure(error, ADDRESS)).toMatch(/^DATABASE_URL: .*ENOTFOUND/);
  });

  it.each([
    ['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.5:5432'],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND db'],
    ['ETIMEDOUT', 'connect ETIMEDOUT'],
  ])('to reach the database: %s', (code, message) => {
    expect(describeStartFailure(failure(message, { code }))).toBe(
      `DATABASE_URL: the database server does not answer (${code}).`,
    );
  });

  it.each(['timeout exceeded when trying to connect', 'Connection terminated unexpectedly'])(
    'of the client of the database: %s',
    (message) => {
      expect(describeStartFailure(failure(message))).toBe(
        `DATABASE_URL: the database server does not answer (${message}).`,
      );
    },
  );

  it('that the database server explains is told in its words', () => {
    const error = failure('password authentication failed for user "x"', { severity: 'FATAL', code: '28P01' });
    expect(describeStartFailure(error)).toBe(
      'DATABASE_URL: the server answered "password authentication failed for user "x"".',
    );
  });

  it('to reach the target of a move names its option', () => {
    const error = failure('connect ECONNREFUSED', { code: 'ECONNREFUSED' });
    expect(describeStartFailure(error, undefined, '--to')).toBe(
      '--to: the database server does not answer (ECONNREFUSED).',
    );
  });

  it('of the embedded database names its folder', () => {
    const error = failure('file is not a database', { code: 'SQLITE_NOTADB' });
    expect(describeStartFailure(error)).toBe('The database in DATA_DIR cannot be opened: file is not a database.');
  });

  it('of the configuration is its sentence', () => {
    expect(describeStartFailure(new ConfigError('PORT must be a number.'))).toBe('PORT must be a number.');
  });

  it('with a sentence for clients is told by its cause, where that says more', () => {
    const cause = failure('connect ECONNREFUSED', { code: 'ECONNREFUSED' });
    expect(describeStartFailure(new AppError('service_unavailable', 'Not now.', { cause }))).toContain('DATABASE_URL');
    expect(describeStartFailure(new AppError('service_unavailable', 'Not now.', { cause: 'x' }))).toBe('Not now.');
    const nested = new AppError('internal_error', undefined, {
      cause: new AppError('service_unavailable', 'Inner.', { cause: listening('EADDRINUSE') }),
    });
    expect(describeStartFailure(nested, ADDRESS)).toContain('in use by another program');
  });

  it.each([
    [new TypeError('x is not a function')],
    [failure('open', { code: 'ENOENT' })],
    ['text'],
    [null],
    [undefined],
    [{ code: 'ECONNREFUSED' }],
  ])('that is a defect of this program is none of these: %s', (thrown) => {
    expect(describeStartFailure(thrown, ADDRESS)).toBeNull();
  });
});
