import { describe, expect, it } from 'vitest';
import {
  AppError,
  deserializeError,
  ERROR_CATALOGUE,
  serializeError,
  summaryFailed,
  toAppError,
  type ErrorCode,
  type SerializedError,
} from './errors.ts';

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

describe('an error that is sent to another process', () => {
  it.each(CODES)('%s arrives as it was', (code) => {
    const sent = new AppError(code, 'A sentence of its own.', { retryAfterSeconds: 7, cause: new Error('a secret') });
    const arrived = deserializeError(JSON.parse(JSON.stringify(serializeError(sent))) as SerializedError);
    const { status, type, retryable, message, retryAfterSeconds } = arrived;
    expect({ status, type, retryable }).toEqual({
      status: sent.status,
      type: sent.type,
      retryable: sent.retryable,
    });
    expect([arrived.code, message, retryAfterSeconds]).toEqual([code, 'A sentence of its own.', 7]);
    // The cause is for the log and stays in the process.
    expect(arrived.cause).toBeUndefined();
  });

  it('has no time to wait where none was known', () => {
    expect(serializeError(new AppError('timed_out'))).not.toHaveProperty('retryAfterSeconds');
    expect(deserializeError({ code: 'timed_out', message: 'Too slow.' }).retryAfterSeconds).toBeNull();
    expect(
      deserializeError(serializeError(new AppError('timed_out', undefined, { retryAfterSeconds: 0 }))),
    ).toHaveProperty('retryAfterSeconds', 0);
  });

  it.each(['of_a_newer_version', 'toString', 'constructor', '__proto__', ''])(
    'of the unknown code "%s" is an internal error with its message',
    (code) => {
      const error = deserializeError({ code: code as ErrorCode, message: 'Something new.' });
      expect([error.code, error.status, error.type, error.message]).toEqual([
        'internal_error',
        500,
        'server_error',
        'Something new.',
      ]);
    },
  );

  it.each([
    ['a bug', new TypeError('x is not a function')],
    ['a string', 'oops'],
    ['nothing', undefined],
    ['null', null],
  ])('that was %s is an internal error that tells nothing', (_name, thrown) => {
    expect(serializeError(thrown)).toEqual({
      code: 'internal_error',
      message: ERROR_CATALOGUE.internal_error.message,
    });
  });
});

it('a bug keeps its cause for the log, and an error of ours is passed on unchanged', () => {
  const bug = new TypeError('x is not a function');
  expect(toAppError(bug).cause).toBe(bug);
  const own = new AppError('not_found');
  expect(toAppError(own)).toBe(own);
});

it('a failed summary has the sentence of the interface, and its reason beside it', () => {
  const error = summaryFailed('the answer was cut off');
  expect(error.message).toBe('Failed to summarize');
  expect((error.cause as AppError).message).toBe('the answer was cut off');
});

describe('the catalogue', () => {
  it.each(CODES)('%s has one sentence that a person can act on', (code) => {
    const { message, status } = ERROR_CATALOGUE[code];
    // The sentences of video summary are fixed by the interface.
    expect(message).toMatch(status === 200 ? /\S/ : /^[A-Z][^\n]+\.$/);
    expect(message).not.toMatch(/\/(?:home|tmp|var|usr)\/|select |undefined/i);
  });

  it('says of no error of the request that the same request may succeed later, except when it came too fast or too slowly', () => {
    const wrong = CODES.filter((code) => {
      const { status, retryable } = ERROR_CATALOGUE[code];
      // The same request is running, so it came too fast.
      if (code === 'request_in_progress') return false;
      return status >= 400 && status < 500 && retryable && ![408, 429, 499].includes(status);
    });
    expect(wrong).toEqual([]);
  });
});
