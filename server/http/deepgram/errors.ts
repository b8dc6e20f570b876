import type { FastifyReply, FastifyRequest } from 'fastify';
import { replyWithError, toAnswer } from '#http/errors.ts';

/** Answers an error as usual, and in the fields that Deepgram's clients read. */
export function replyForDeepgram(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, message } = toAnswer(thrown);
  return replyWithError(thrown, request, reply, { err_code: code.toUpperCase(), err_msg: message });
}
