import type { FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { headerKey, nonBlank, type Authorize, type Caller } from './authentication.ts';
import { tooMuchWithoutKey, type FileSpace } from './disk-space.ts';
import type { FileGuard } from './save-upload.ts';
import { anonymousBytes } from './throttle.ts';
import type { FormFields } from './upload.ts';
import type { UploadLimits } from './upload-limits.ts';

/**
 * Bytes that a file may send when the key before it is invalid. A valid key may still follow the
 * file, but the sender must not fill the disk first.
 */
const INVALID_KEY_BYTES = 1024 ** 2;

/**
 * Finds the key of a form: the field `api_key` before the headers. The field may come after the
 * file, so until then a file without a valid key is read within narrow limits. A key in the header
 * is checked before the body, one in a field before the file is read.
 */
export async function openFormKeys(authorize: Authorize, { anonymous, disk }: UploadLimits, request: FastifyRequest) {
  const inHeader = headerKey(request);
  const headerCaller = inHeader === null ? null : await callerOrRefusal(authorize(inHeader));
  let space: FileSpace | null = null;
  let heldBytes = 0;
  const release = () => {
    space?.[Symbol.dispose]();
    anonymous.heldBytes -= heldBytes;
    heldBytes = 0;
  };

  /** Limits the files without a key together rather than each. */
  const holdAnonymous: FileGuard = async (receivedBytes) => {
    const addedBytes = receivedBytes - heldBytes;
    anonymous.heldBytes += addedBytes;
    heldBytes = receivedBytes;
    if (anonymous.heldBytes > anonymous.maxBytes) throw tooMuchWithoutKey();
    await anonymousBytes.take(addedBytes);
  };
  /** The limit of a file after these fields, or the account of its key. */
  const limitOf = async (fields: FormFields): Promise<FileGuard | { accountId: string }> => {
    const fromField = nonBlank(fields.get('api_key'));
    const caller = fromField === null ? headerCaller : await authorize(fromField);
    if (caller === null) return holdAnonymous;
    return caller instanceof AppError ? refuseLater(caller) : { accountId: caller.account.id };
  };

  return {
    /** Call when the first file begins, with the fields before it. */
    async beforeFile(fields: FormFields, expectedBytes: number): Promise<FileGuard> {
      const fieldLimit = await limitOf(fields);
      const limit = typeof fieldLimit === 'function' ? fieldLimit : null;
      const accountId = typeof fieldLimit === 'function' ? null : fieldLimit.accountId;
      const opened = await disk.open({ expectedBytes, accountId });
      space = opened;
      return async (receivedBytes) => {
        try {
          await limit?.(receivedBytes);
          opened.grow(receivedBytes);
        } catch (refusal) {
          // Now: until the file is deleted, every other upload without a key would be refused.
          release();
          throw refusal;
        }
      };
    },
    callerOf: (fields: FormFields) => authorize(nonBlank(fields.get('api_key')) ?? inHeader),
    [Symbol.dispose]: release,
  };
}

/** The limit of a file with a bad key in the header: a field after it may have a valid one. */
function refuseLater(refusal: AppError): FileGuard {
  if (refusal.status !== 401) throw refusal;
  return (receivedBytes) => {
    if (receivedBytes > INVALID_KEY_BYTES) throw refusal;
  };
}

/** The owner of a key, or why it is not accepted. */
async function callerOrRefusal(authorized: Promise<Caller>): Promise<Caller | AppError> {
  try {
    return await authorized;
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
}
