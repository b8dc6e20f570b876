import multipart from '@fastify/multipart';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { openFormKeys } from './form-keys.ts';
import { readKeyedBody, type KeyedBody } from './json-body.ts';
import { HEADER_OR_FIELD_KEY } from './openapi.ts';
import type { BodyReader } from './route.ts';
import type { UploadedFile } from './save-upload.ts';
import { receiveUpload, type FormFields, type UploadOptions } from './upload.ts';
import type { UploadLimits } from './upload-limits.ts';

/** `file` is the first one, null when there is none. */
export type ReceivedForm = {
  fields: FormFields;
  file: UploadedFile | null;
  files: readonly UploadedFile[];
  attachments: readonly UploadedFile[];
  request: FastifyRequest;
};

/** The names of files and fields. */
export type FormParts = Omit<UploadOptions, 'incomingDir' | 'maxFileBytes' | 'pace' | 'beforeFile'>;

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
