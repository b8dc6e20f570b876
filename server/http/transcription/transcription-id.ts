import { createHash, randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * The id under which a transcription can be polled, from what the caller sent: a UUID is that id itself; any other sane
 * `X-Request-Id` stands for the UUID made from it and the account. Null for what can be no id at all.
 *
 * This is how a blocking call that lost its connection is found again: its answer never arrived, so the only id that the
 * caller knows is the one it sent.
 */
export function transcriptionIdFrom(sent: string, accountId: string): string | null {
  const lower = sent.toLowerCase();
  if (UUID.test(lower)) return lower;
  if (!SANE.test(sent)) return null;
  // Version 8 of RFC 9562: a UUID whose bits are one's own affair.
  const hex = createHash('sha256').update(`${accountId}\n${sent}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A new id, or the one that the caller's `X-Request-Id` stands for. */
export function newTranscriptionId(callersId: string | null, accountId: string): string {
  return (callersId === null ? null : transcriptionIdFrom(callersId, accountId)) ?? randomUUID();
}
