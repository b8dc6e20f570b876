import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { replyWithError } from './errors.ts';

/**
 * For routes that clients of OpenAI call. They send a request twice more after a 429 or 5xx, unless this header says that it is no use:
 * the quota stays used up, and an engine that is missing is not there a minute later.
 */
export function replyWithAdvice(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof AppError && (!error.retryable || error.code === 'engine_unavailable')) {
    reply.header('x-should-retry', 'false');
  }
  replyWithError(error, request, reply);
}
