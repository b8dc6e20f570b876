import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { headerKey, nonBlank, type Admission, type Authenticator, type Caller } from './authentication.ts';
import type { FileGuard, FormFields } from './upload.ts';

/** What a file may send while the only key so far is a bad one: a good one may still follow the file, but not after a gigabyte. */
const BAD_KEY_BYTES = 1024 ** 2;

/** Bytes on this disk from callers who have not said who they are, all of them together. */
export type AnonymousUploads = { held: number; readonly limit: number };

/**
 * The key of a form: the field `api_key` wins over the headers, and may come after the file.
 * A key that is there before the file is checked before the file is read.
 */
export function createFormAuthentication(
  authenticator: Authenticator,
  admission: Admission,
  anonymous: AnonymousUploads,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  let admitted: { secret: string; caller: Caller } | null = null;
  let held = 0;

  const admit = async (secret: string | null): Promise<Caller> => {
    if (admitted !== null && admitted.secret === secret) return admitted.caller;
    const caller = await authenticator.admit(secret, admission, request, reply);
    if (secret !== null) admitted = { secret, caller };
    return caller;
  };

  const release = () => {
    anonymous.held -= held;
    held = 0;
  };

  /** Without any key the file may be as long as any other, as long as all of these together leave room on the disk. */
  const holdAnonymous: FileGuard = (receivedBytes) => {
    anonymous.held += receivedBytes - held;
    held = receivedBytes;
    if (anonymous.held <= anonymous.limit) return;
    // At once: until its file is deleted, every other such upload would be refused as well.
    release();
    throw new AppError(
      'service_unavailable',
      'Too much is being uploaded without a key; send "api_key" before the file.',
    );
  };

  return {
    /** Call when the file begins, with the fields before it. Throws what `admit` throws. */
    async beforeFile(fields: FormFields): Promise<FileGuard | null> {
      const fromField = nonBlank(fields.get('api_key'));
      const secret = fromField ?? headerKey(request);
      if (secret === null) return holdAnonymous;
      try {
        await admit(secret);
        return null;
      } catch (refusal) {
        if (fromField !== null || !(refusal instanceof AppError) || refusal.status !== 401) throw refusal;
        return (receivedBytes) => {
          if (receivedBytes > BAD_KEY_BYTES) throw refusal;
        };
      }
    },

    /** Call when the form has ended. */
    caller: (fields: FormFields): Promise<Caller> => admit(nonBlank(fields.get('api_key')) ?? headerKey(request)),

    /** Call when the upload is over, whatever came of it. */
    release,
  };
}
