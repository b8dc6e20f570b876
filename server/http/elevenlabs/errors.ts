import type { FastifyReply, FastifyRequest } from 'fastify';
import { replyWithError, toAnswer } from '#http/errors.ts';

/** Answers an error as usual, and in `detail` as ElevenLabs' clients read it. */
export function replyWithDetail(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, message } = toAnswer(thrown);
  return replyWithError(thrown, request, reply, { detail: { status: code, message } });
}
