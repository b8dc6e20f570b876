import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { transcriptionIdFrom } from './transcription-id.ts';

/** The id of the answer must lead to the record; it does not where the caller's id was taken already. Call before answering. */
export function answerUnderIdOf(record: TranscriptionRecord, request: FastifyRequest, reply: FastifyReply): void {
  if (transcriptionIdFrom(request.id, record.accountId) === record.id) return;
  request.id = record.id;
  reply.header('x-request-id', record.id);
}

/** Aborts when the client is gone before its answer, so that nobody waits for nobody; the work goes on. */
export function whileConnected(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort(new AppError('client_closed_request'));
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) leave();
  });
  if (reply.raw.destroyed) leave();
  return gone.signal;
}
