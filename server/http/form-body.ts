import multipart from '@fastify/multipart';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { headerKey, nonBlank, type Caller } from './authentication.ts';
import type { HttpConfig } from './deps.ts';
import { tooMuchWithoutKey, type DiskSpace, type FileSpace } from './disk-space.ts';
import { readKeyedBody, type KeyedBody } from './json-body.ts';
import { HEADER_OR_FIELD_KEY } from './openapi.ts';
import type { Authorize, BodyReader } from './route.ts';
import { anonymousBytes } from './throttle.ts';
import { receiveUpload, type FileGuard, type FormFields, type UploadedFile, type UploadOptions } from './upload.ts';

/**
 * Bytes that a file may send when the key before it is invalid. A valid key may still follow the
 * file, but the sender must not fill the disk first.
 */
const INVALID_KEY_BYTES = 1024 ** 2;

/** Limits of uploads; routes that share it are limited together. */
export type UploadLimits = {
  incomingDir: string;
  maxFileBytes: number;
  disk: DiskSpace;
  /** Bytes on this disk from clients that have sent no key yet. */
  anonymous: { heldBytes: number; readonly maxBytes: number };
};

/** `anonymousFiles`: how many files of full size may be uploaded at once before their keys. */
export type LimitUploads = (maxFileBytes: number, anonymousFiles?: number) => UploadLimits;

export function createUploadLimits({ incomingDir }: HttpConfig, disk: DiskSpace): LimitUploads {
  return (maxFileBytes, anonymousFiles = 4) => ({
    incomingDir,
    maxFileBytes,
    disk,
    anonymous: { heldBytes: 0, maxBytes: anonymousFiles * maxFileBytes },
  });
}

/** `file` is the first one, null when there is none. */
export type ReceivedForm = {
  fields: FormFields;
  file: UploadedFile | null;
  files: readonly UploadedFile[];
  attachments: readonly UploadedFile[];
  request: FastifyRequest;
};

/** The names of files and fields. */
export type FormParts = Pick<
  UploadOptions,
  'fileField' | 'otherFileFields' | 'maxFiles' | 'fieldNames' | 'listFieldNames' | 'attachmentNames'
>;

type FormDeclaration<Input> = FormParts & {
  /** For the documentation: the fields of the form, or several bodies by type. */
  docs: Pick<FastifyContextConfig, 'form' | 'bodies'>;
  limits: UploadLimits;
  /** Makes the input of a complete form, after authorization. */
  parse(form: ReceivedForm): Input | Promise<Input>;
  /** Parses or refuses a body that is not a form, after authorization. */
  parseOther(request: FastifyRequest, body: KeyedBody): Input | Promise<Input>;
  /** Whether `parseOther` reads the type of a body beside JSON; without a key it is not parsed. */
  isOtherType?(request: FastifyRequest): boolean;
  /** The limits of a body that is not a form. Without them only its start is read, for the key. */
  otherLimits?: { maxBytes: number; maxValues: number; isStrict: true };
};

/** A multipart form, whose files are deleted after the route's `run`. */
export function formBody<Input>(form: FormDeclaration<Input>): BodyReader<Input> {
  const { docs, limits, parse, parseOther, isOtherType, otherLimits = { maxBytes: null } } = form;
  return {
    security: HEADER_OR_FIELD_KEY,
    config: docs,
    prepare(scope) {
      // In this scope only, because the plugin adds a hook to every request that it sees.
      scope.register(multipart, { throwFileSizeLimit: false });
    },
    async read(unread) {
      const { request, authorize, pace } = unread;
      if (!request.isMultipart()) {
        const refuse = (body: KeyedBody) => (isOtherType?.(request) ? null : parseOther(request, body));
        const { caller, ...body } = await readKeyedBody(unread, { ...otherLimits, refuse });
        return { caller, input: await parseOther(request, body) };
      }
      using keys = await openFormKeys(authorize, limits, request);
      const upload = await receiveUpload(request, { ...form, ...limits, pace, beforeFile: keys.beforeFile });
      const dispose = async () => upload[Symbol.asyncDispose]();
      try {
        const caller = await keys.callerOf(upload.fields);
        const input = await parse({ ...upload, file: upload.files[0] ?? null, request });
        return { caller, input, dispose };
      } catch (refusal) {
        await dispose();
        throw refusal;
      }
    },
  };
}

export function missingFile(what: string, field: string): AppError {
  return new AppError('missing_file', `Send the ${what} as a file in the form field "${field}".`);
}

/**
 * Finds the key of a form: the field `api_key` before the headers. The field may come after the
 * file, so until then a file without a valid key is read within narrow limits. A key in the header
 * is checked before the body, one in a field before the file is read.
 */
async function openFormKeys(authorize: Authorize, { anonymous, disk }: UploadLimits, request: FastifyRequest) {
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
