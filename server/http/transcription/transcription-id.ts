import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UUID } from '@jyutsing/contracts/uuid';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { REQUEST_ID } from '#http/request-id.ts';

/**
 * The id of a transcription from what a client sent: a UUID is the id itself; any other valid
 * `X-Request-Id` stands for the UUID derived from it and the account. Null for anything else.
 *
 * This lets a client find the record of a blocking call whose connection broke: without the answer
 * it knows only the request id that it sent.
 */
export function transcriptionIdFrom(requestId: string, accountId: string): string | null {
  const lower = requestId.toLowerCase();
  if (UUID.test(lower)) return lower;
  if (!REQUEST_ID.test(requestId)) return null;
  // Version 8 of RFC 9562: custom bits.
  const hex = createHash('sha256').update(`${accountId}\n${requestId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A new id, or the one that the client's `X-Request-Id` stands for. */
export function newTranscriptionId(callersId: string | null, accountId: string): string {
  return (callersId === null ? null : transcriptionIdFrom(callersId, accountId)) ?? randomUUID();
}

/**
 * Makes the `X-Request-Id` of the answer lead to the record, which it does not when the client's id
 * was taken already. Call before answering.
 */
export function answerUnderIdOf(record: TranscriptionRecord, request: FastifyRequest, reply: FastifyReply): void {
  if (transcriptionIdFrom(request.id, record.accountId) === record.id) return;
  request.id = record.id;
  reply.header('x-request-id', record.id);
}
