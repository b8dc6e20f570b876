import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { uncertainCommit } from '#store/database-errors.ts';
import { replyWithRetryHeader } from './retry-header.ts';

/** Returns whether and when the answer tells a client of OpenAI to send its request again. */
async function answerTo(thrown: unknown): Promise<unknown[]> {
  await using app = Fastify();
  app.post('/', { errorHandler: replyWithRetryHeader }, () => {
    throw thrown;
  });
  const { statusCode, headers } = await app.inject({ method: 'POST', url: '/' });
  return [statusCode, headers['x-should-retry'], headers['retry-after']];
}

test.each<[string, unknown, unknown[]]>([
  ['that may have been done is not repeated', uncertainCommit('unreachable'), [500, 'false', undefined]],
  ['that fails again is not repeated', new AppError('engine_unavailable'), [503, 'false', '60']],
  ['for which nothing was done is repeated', new AppError('service_unavailable'), [503, undefined, '5']],
  ['that failed for an unknown reason is repeated', new TypeError('x'), [500, undefined, undefined]],
])('a request %s', async (_behavior, thrown, expected) => {
  expect(await answerTo(thrown)).toEqual(expected);
});
