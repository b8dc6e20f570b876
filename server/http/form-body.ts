import multipart from '@fastify/multipart';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { bodyKey, headerKey, nonBlank, type Caller } from './authentication.ts';
import { HEADER_OR_FIELD_KEY } from './openapi.ts';
import type { Authorize, BodyReader } from './route.ts';
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
  /** Bytes on this disk from clients that have sent no key yet. */
  anonymous: { heldBytes: number; readonly maxBytes: number };
};

/** `anonymousFiles`: how many files of full size may be uploaded at once before their keys. */
export function uploadLimits(incomingDir: string, maxFileBytes: number, anonymousFiles = 4): UploadLimits {
  return { incomingDir, maxFileBytes, anonymous: { heldBytes: 0, maxBytes: anonymousFiles * maxFileBytes } };
}

export type ReceivedForm = { fields: FormFields; file: UploadedFile | null; request: FastifyRequest };

type FormDeclaration<Input> = Pick<UploadOptions, 'fileField' | 'otherFileFields' | 'fieldNames' | 'listFieldNames'> & {
  /** For the documentation: the fields of the form, or several bodies by type. */
  docs: Pick<FastifyContextConfig, 'form' | 'bodies'>;
  limits: UploadLimits;
  /** Makes the input of a complete form, after authorization. */
  parse(form: ReceivedForm): Input | Promise<Input>;
  /** Reads or refuses a body that is not a form, after authorization. */
  parseOther(request: FastifyRequest): Input | Promise<Input>;
  /** The key of a body that is not a form; absent: the field `api_key`, else a header. */
  keyOfOther?(request: FastifyRequest): string | null | Promise<string | null>;
  bodyLimit?: number;
  /** Registers parsers of other bodies; absent: only JSON is read, for its key. */
  prepareOther?(scope: FastifyInstance): void;
};

/** A multipart form with at most one file, which is deleted after the route's `run`. */
export function formBody<Input>(form: FormDeclaration<Input>): BodyReader<Input> {
  const { docs, limits, parse, parseOther, bodyLimit } = form;
  const { keyOfOther = (request) => bodyKey(request) ?? headerKey(request), prepareOther = ignoreOther } = form;
  return {
    security: HEADER_OR_FIELD_KEY,
    config: docs,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    prepare(scope) {
      prepareOther(scope);
      // In this scope only, because the plugin adds a hook to every request that it sees.
      scope.register(multipart, { throwFileSizeLimit: false });
    },
    async read(request, _reply: FastifyReply, authorize) {
      if (!request.isMultipart()) {
        const caller = await authorize(await keyOfOther(request));
        return { caller, input: await parseOther(request) };
      }
      const keys = createFormKeys(authorize, limits, request);
      try {
        const upload = await receiveUpload(request, { ...form, ...limits, beforeFile: keys.beforeFile });
        const dispose = async () => upload[Symbol.asyncDispose]();
        try {
          const caller = await keys.callerOf(upload.fields);
          return { caller, input: await parse({ ...upload, request }), dispose };
        } catch (refusal) {
          await dispose();
          throw refusal;
        }
      } finally {
        keys.release();
      }
    },
  };
}

/** Leaves other bodies unread, so that a request without a key is refused for that first. */
function ignoreOther(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

export function missingFile(what: string, field: string): AppError {
  return new AppError('missing_file', `Send the ${what} as a file in the form field "${field}".`);
}

/**
 * Finds the key of a form: the field `api_key` before the headers. The field may come after the
 * file; a key that comes before it is checked before the file is read.
 */
function createFormKeys(authorize: Authorize, { anonymous }: UploadLimits, request: FastifyRequest) {
  let authorized: { secret: string; caller: Caller } | null = null;
  let heldBytes = 0;

  const authorizeOnce = async (secret: string | null): Promise<Caller> => {
    if (authorized !== null && authorized.secret === secret) return authorized.caller;
    const caller = await authorize(secret);
    if (secret !== null) authorized = { secret, caller };
    return caller;
  };

  const release = () => {
    anonymous.heldBytes -= heldBytes;
    heldBytes = 0;
  };

  /** Limits the files without a key together rather than each. */
  const holdAnonymous: FileGuard = (receivedBytes) => {
    anonymous.heldBytes += receivedBytes - heldBytes;
    heldBytes = receivedBytes;
    if (anonymous.heldBytes <= anonymous.maxBytes) return;
    // Released now: until the file is deleted, every other upload without a key would be refused.
    release();
    throw new AppError(
      'service_unavailable',
      'Too much is being uploaded without a key; send "api_key" before the file.',
    );
  };

  return {
    /** Call when the file begins, with the fields before it. */
    async beforeFile(fields: FormFields): Promise<FileGuard | null> {
      const fromField = nonBlank(fields.get('api_key'));
      const secret = fromField ?? headerKey(request);
      if (secret === null) return holdAnonymous;
      try {
        await authorizeOnce(secret);
        return null;
      } catch (refusal) {
        if (fromField !== null || !(refusal instanceof AppError) || refusal.status !== 401) throw refusal;
        return (receivedBytes) => {
          if (receivedBytes > INVALID_KEY_BYTES) throw refusal;
        };
      }
    },
    callerOf: (fields: FormFields) => authorizeOnce(nonBlank(fields.get('api_key')) ?? headerKey(request)),
    release,
  };
}
