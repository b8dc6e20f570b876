import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import type { BodyPace } from './body-pace.ts';
import { isJson, OCTETS, watchForm, type FormLimits } from './form-limits.ts';
import { deleteUpload, explain, saveStream, tooLarge, type FileGuard, type UploadedFile } from './save-upload.ts';
import { refusedBytes } from './throttle.ts';

/** The known fields of a form by name, as sent. */
export type FormFields = ReadonlyMap<string, string>;

/**
 * A complete form with the files of the expected name and the attachments. Dispose of it to delete
 * them.
 */
export type Upload = AsyncDisposable & {
  fields: FormFields;
  files: readonly UploadedFile[];
  attachments: readonly UploadedFile[];
};

export type UploadOptions = {
  incomingDir: string;
  /** The largest size of all files together, in bytes. */
  maxFileBytes: number;
  pace: BodyPace;
  /** Name of the file's field; files of other fields are discarded. */
  fileField: string;
  /** Other names of that field. */
  otherFileFields?: readonly string[];
  /** More are refused; absent: one, and others are discarded. */
  maxFiles?: number;
  fieldNames: ReadonlySet<string>;
  /** Fields whose text or file is too large for memory, and is saved like a file. */
  attachmentNames?: ReadonlySet<string>;
  /** Changes a file while it arrives. */
  convert?(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
  /** Fields that may be sent several times; their values are joined with line breaks. */
  listFieldNames?: ReadonlySet<string>;
  /** Whether the last value of a repeated field counts; absent: two values are refused. */
  isLastKept?: boolean;
  /**
   * Called when the first file begins, with the fields before it and the length that the rest of
   * the request announces; throws to refuse the files unread.
   */
  beforeFile(fields: FormFields, expectedBytes: number): Promise<FileGuard>;
};

/**
 * Reads a multipart form. Writes its files to disk and hashes them while they arrive, so that
 * memory does not grow with them. Leaves nothing behind on failure. Throws `invalid_request`
 * (malformed), `payload_too_large`, `request_timeout`, `client_closed_request`,
 * `service_unavailable` (disk full), and what `beforeFile` and its guard throw.
 */
export async function receiveUpload(request: FastifyRequest, options: UploadOptions): Promise<Upload> {
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  const fields = new Map<string, string>();
  const files: UploadedFile[] = [];
  const attachments: UploadedFile[] = [];
  const saved = () => [...files, ...attachments];
  let guard: FileGuard | null = null;
  const discard = () => Promise.all(saved().map(({ path }) => deleteUpload(path)));
  const receive = async (part: MultipartFile, into: UploadedFile[]): Promise<void> => {
    guard ??= await limits.orStopped(options.beforeFile(fields, announcedBytes));
    // Checked after `beforeFile`, so that an invalid key is reported first.
    if (announcedBytes > limits.maxTotalBytes) throw tooLarge(options.maxFileBytes);
    const name = nameOf(part);
    const file = { path: join(options.incomingDir, randomUUID()), name, sizeBytes: 0, sha256: '' };
    const beforeBytes = saved().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    into.push(file);
    const checkTotal = addedTo(beforeBytes, guard, options.maxFileBytes);
    await save(part, file, checkTotal, options, limits);
    // Browsers send this for an empty file input.
    if (name === '' && file.sizeBytes === 0) await deleteUpload((into.pop() ?? file).path);
  };
  const limits = watchForm(request, options);
  try {
    for await (const part of limits.parts) {
      if (part.type === 'field') {
        limits.countField(Buffer.byteLength(String(part.value)));
        keepField(fields, part.fieldname, String(part.value), options);
      } else if (isJson(part.mimetype) && options.fieldNames.has(part.fieldname))
        keepField(fields, part.fieldname, await readText(part, limits), options);
      else if (options.attachmentNames?.has(part.fieldname)) await receive(part, attachments);
      else if (isFile(part) && isExpected(part, files.length, options)) await receive(part, files);
      else await discardPart(part, limits);
    }
  } catch (thrown) {
    await discard();
    throw explain(thrown, request);
  } finally {
    limits.end();
  }
  return { fields, files, attachments, [Symbol.asyncDispose]: async () => void (await discard()) };
}

/** Whether a file is saved after `count` others. Throws `invalid_request` for one too many. */
function isExpected(
  part: MultipartFile,
  count: number,
  { fileField, otherFileFields = [], maxFiles = 1 }: UploadOptions,
): boolean {
  if (part.fieldname !== fileField && !otherFileFields.includes(part.fieldname)) return false;
  if (count < maxFiles) return true;
  // Browsers send an empty part without a name for an empty file input.
  if (nameOf(part) === '') return false;
  const limit = maxFiles === 1 ? 'This form takes one file' : `A form may have at most ${maxFiles} files`;
  throw new AppError('invalid_request', `${limit}; send the others separately.`);
}

/** The guard of a file after others: their length counts too. */
function addedTo(beforeBytes: number, guard: FileGuard, maxFileBytes: number): FileGuard {
  return (receivedBytes) => {
    if (beforeBytes + receivedBytes > maxFileBytes) throw tooLarge(maxFileBytes);
    return guard(beforeBytes + receivedBytes);
  };
}

const MAX_NAME_LENGTH = 255;

/** A part without a name may have none at all. */
function nameOf({ filename }: MultipartFile): string {
  return ((filename as string | undefined) ?? '').toWellFormed().slice(0, MAX_NAME_LENGTH);
}

/** Whether the client sent a part as a file. */
function isFile({ filename, mimetype }: MultipartFile): boolean {
  return (filename as string | undefined) !== undefined || mimetype === OCTETS;
}

/**
 * The text of a field that is declared as JSON, as generated clients send lists and objects. Throws
 * `payload_too_large`.
 */
async function readText({ file }: MultipartFile, { signal, countField }: FormLimits): Promise<string> {
  const read: Buffer[] = [];
  const sink = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      countField(chunk.length);
      read.push(chunk);
    }
  };
  await pipeline(file, sink, { signal });
  return Buffer.concat(read).toString();
}

/** Reads a part that is not kept, as the throttle allows. Throws `payload_too_large`. */
async function discardPart({ file }: MultipartFile, { signal, countFile, countDiscarded }: FormLimits): Promise<void> {
  const sink = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      countFile(chunk.length);
      countDiscarded(chunk.length);
      await refusedBytes.take(chunk.length);
    }
  };
  await pipeline(file, sink, { signal });
}

async function save(
  part: MultipartFile,
  file: UploadedFile,
  guard: FileGuard,
  { maxFileBytes, convert }: UploadOptions,
  { signal, countFile }: FormLimits,
): Promise<void> {
  // Refuse at once instead of reading the file to its end.
  part.file.once('limit', () => part.file.destroy(tooLarge(maxFileBytes)));
  let countedBytes = 0;
  const countAndGuard = (receivedBytes: number) => {
    countFile(receivedBytes - countedBytes);
    countedBytes = receivedBytes;
    return guard(receivedBytes);
  };
  await saveStream(convert?.(part.file) ?? part.file, file, countAndGuard, signal);
  // A small file may have exceeded the limit before the listener was added.
  if (part.file.truncated) throw tooLarge(maxFileBytes);
}

function keepField(
  fields: Map<string, string>,
  name: string,
  text: string,
  { listFieldNames, isLastKept = false }: UploadOptions,
): void {
  const before = fields.get(name);
  if (before !== undefined && listFieldNames?.has(name)) fields.set(name, `${before}\n${text}`);
  // Clients that send every field they know repeat some of them without a value.
  else if (before === undefined || before.trim() === '' || before === text) fields.set(name, text);
  else if (text.trim() !== '') {
    if (isLastKept) return void fields.set(name, text);
    throw new AppError('invalid_request', `The form field "${name}" was sent twice with different values.`);
  }
}
