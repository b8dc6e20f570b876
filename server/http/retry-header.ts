import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { replyWithError } from './errors.ts';

/**
 * For routes that OpenAI's client libraries call. They retry a 429 or 5xx twice unless this header
 * forbids it, which is useless for a used-up quota or a missing engine.
 */
export function replyWithRetryHeader(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof AppError && (!error.retryable || error.code === 'engine_unavailable')) {
    reply.header('x-should-retry', 'false');
  }
  replyWithError(error, request, reply);
}
