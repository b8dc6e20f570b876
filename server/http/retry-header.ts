import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { replyWithError, toAnswer } from './errors.ts';

/**
 * For routes that OpenAI's client libraries call. They retry a 429 or 5xx twice unless this header
 * forbids it, which is useless for a used-up quota or a missing engine, and would do a request
 * of unknown outcome twice.
 */
export function replyWithRetryHeader(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // A thrown error may be retryable although its answer is not: `outcome_unknown`.
  const error = toAnswer(thrown);
  if (!error.retryable || error.code === 'engine_unavailable') reply.header('x-should-retry', 'false');
  replyWithError(error, request, reply);
}
