import { createHash, randomUUID } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile, MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { createFile } from '@jyutsing/system/create-file';
import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { AppError } from '@jyutsing/contracts/errors';
import { watchPace, type BodyPace } from './body-pace.ts';
import { diskFull, isDiskFull } from './disk-space.ts';
import { refusedBytes } from './throttle.ts';

/** The known fields of a form by name, as sent. */
export type FormFields = ReadonlyMap<string, string>;

/**
 * Called while files arrive, with their length so far; throws to refuse the rest, and reading waits
 * until it resolves.
 */
export type FileGuard = (receivedBytes: number) => void | Promise<void>;

/**
 * A file on this disk, and its name as sent. It may be moved away: disposing then does nothing.
 */
export type UploadedFile = { path: string; name: string; sizeBytes: number; sha256: string };

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
  /** Fields that may be sent several times; their values are joined with line breaks. */
  listFieldNames?: ReadonlySet<string>;
  /**
   * Called when the first file begins, with the fields before it and the length that the rest of
   * the request announces; throws to refuse the files unread.
   */
  beforeFile(fields: FormFields, expectedBytes: number): Promise<FileGuard>;
};

const MAX_PARTS = 40;
const LIMITS = {
  fields: MAX_PARTS,
  files: MAX_PARTS,
  parts: MAX_PARTS,
  fieldSize: 64 * 1024,
  headerPairs: 50,
  headerSize: 16 * 1024,
};
/**
 * The parser goes on to the next part while a file holds less than this, so a form with small files
 * may hold this much for each.
 */
const FILE_BUFFER_BYTES = 16 * 1024;
/** Size of all fields together, which are held in memory. */
const MAX_FIELDS_BYTES = 256 * 1024;
/** The most that the parser reads before a part ends or is read as a file; headers count. */
const MAX_PARSED_BYTES = 2 * 1024 ** 2;
/** Size of all files and unknown fields that are discarded. */
const MAX_DISCARDED_BYTES = 16 * 1024 ** 2;

/**
 * Reads a multipart form. Writes its files to disk and hashes them while they arrive, so that
 * memory does not grow with them. Leaves nothing behind on failure. Throws `invalid_request`
 * (malformed), `payload_too_large`, `request_timeout`, `client_closed_request`,
 * `service_unavailable` (disk full), and what `beforeFile` and its guard throw.
 */
export async function receiveUpload(request: FastifyRequest, options: UploadOptions): Promise<Upload> {
  const maxTotalBytes = options.maxFileBytes + MAX_DISCARDED_BYTES + MAX_PARSED_BYTES;
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  const fields = new Map<string, string>();
  let fieldBytes = 0;
  const files: UploadedFile[] = [];
  const attachments: UploadedFile[] = [];
  const saved = () => [...files, ...attachments];
  let guard: FileGuard | null = null;
  const discard = () => Promise.all(saved().map(({ path }) => deleteUpload(path)));
  const receive = async (part: MultipartFile, into: UploadedFile[]): Promise<void> => {
    guard ??= await limits.orStopped(options.beforeFile(fields, announcedBytes));
    // Checked after `beforeFile`, so that an invalid key is reported first.
    if (announcedBytes > maxTotalBytes) throw tooLarge(options.maxFileBytes);
    const name = nameOf(part);
    const file = { path: join(options.incomingDir, randomUUID()), name, sizeBytes: 0, sha256: '' };
    const beforeBytes = saved().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    into.push(file);
    const checkTotal = addedTo(beforeBytes, guard, options.maxFileBytes);
    await save(part, file, checkTotal, options.maxFileBytes, limits);
    // Browsers send this for an empty file input.
    if (name === '' && file.sizeBytes === 0) await deleteUpload((into.pop() ?? file).path);
  };
  const limits = watchRequest(request, maxTotalBytes, options);
  try {
    for await (const part of limits.parts) {
      if (part.type === 'field') {
        // Repeated fields count each time, because the parser holds them all.
        fieldBytes += Buffer.byteLength(String(part.value));
        if (fieldBytes > MAX_FIELDS_BYTES) throw tooManyFields();
        keepField(fields, part, options);
      } else if (options.attachmentNames?.has(part.fieldname)) await receive(part, attachments);
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

/**
 * Yields the parts of the form and stops when the request is too large or too slow. The parser
 * limits each part, but reads a part that exceeds its limit to its end.
 */
function watchRequest(request: FastifyRequest, maxTotalBytes: number, options: UploadOptions) {
  const { maxFileBytes, fieldNames, attachmentNames } = options;
  const pace = watchPace(request.raw, options.pace);
  const large = new AbortController();
  const signal = AbortSignal.any([pace.signal, large.signal]);
  const orStopped = <Value>(work: Promise<Value>) => raceAbort(work, signal);

  let totalBytes = 0;
  let filesBytes = 0;
  const onData = (chunk: Buffer) => {
    totalBytes += chunk.length;
    if (totalBytes > maxTotalBytes) large.abort(tooLarge(maxFileBytes));
    else if (totalBytes - filesBytes > MAX_PARSED_BYTES) large.abort(tooManyFields());
  };
  let discardedBytes = 0;
  const countDiscarded = (bytes: number) => {
    discardedBytes += bytes;
    if (discardedBytes > MAX_DISCARDED_BYTES) throw tooMuchDiscarded();
  };

  // As a file, a part is a stream that can be discarded; as a field the parser would hold it in
  // memory and parse it when it is declared as JSON.
  const isPartAFile = (name = '', type = '', fileName?: string) =>
    fileName !== undefined ||
    type === OCTETS ||
    isJson(type) ||
    !fieldNames.has(name) ||
    attachmentNames?.has(name) === true;

  async function* parts(): AsyncGenerator<Multipart> {
    const form = request.parts({
      isPartAFile,
      limits: { ...LIMITS, fileSize: maxFileBytes },
      fileHwm: FILE_BUFFER_BYTES,
    });
    const first = form.next();
    // Attached after the parser: a listener starts the flow, and the first bytes would be lost.
    request.raw.on('data', onData);
    for (let next = await orStopped(first); !next.done; next = await orStopped(form.next())) yield next.value;
  }
  return {
    parts: parts(),
    orStopped,
    signal,
    countFile: (bytes: number) => void (filesBytes += bytes),
    countDiscarded,
    end() {
      pace[Symbol.dispose]();
      request.raw.off('data', onData);
    },
  };
}

type RequestLimits = ReturnType<typeof watchRequest>;

const OCTETS = 'application/octet-stream';
const isJson = (type: string) => type.startsWith('application/json');

/** Whether the client sent a part as a file. */
function isFile({ filename, mimetype }: MultipartFile): boolean {
  return (filename as string | undefined) !== undefined || mimetype === OCTETS;
}

/**
 * Reads a part that is not kept, no faster than the throttle allows. Throws `invalid_request` for a
 * field that is declared as JSON, `payload_too_large`.
 */
async function discardPart(part: MultipartFile, { signal, countFile, countDiscarded }: RequestLimits): Promise<void> {
  const { fieldname, mimetype, file } = part;
  if (!isFile(part) && isJson(mimetype)) {
    file.resume();
    throw new AppError('invalid_request', `Send the form field "${fieldname}" as text, not as application/json.`);
  }
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
  maxFileBytes: number,
  { signal, countFile }: RequestLimits,
): Promise<void> {
  // Refuse at once instead of reading the file to its end.
  part.file.once('limit', () => part.file.destroy(tooLarge(maxFileBytes)));
  let countedBytes = 0;
  const countAndGuard = (receivedBytes: number) => {
    countFile(receivedBytes - countedBytes);
    countedBytes = receivedBytes;
    return guard(receivedBytes);
  };
  await saveStream(part.file, file, countAndGuard, signal);
  // A small file may have exceeded the limit before the listener was added.
  if (part.file.truncated) throw tooLarge(maxFileBytes);
}

/** Deletes a file unless it was moved away. `rm` would also look up the type of the file. */
export async function deleteUpload(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** The stream that writes an upload, which other users of the machine cannot read. */
export function createUpload(path: string): Promise<Writable> {
  return createFile(path, { mode: 0o600 });
}

/** Writes a stream to a file, which it measures and hashes. */
export async function saveStream(
  source: AsyncIterable<Buffer>,
  file: UploadedFile,
  guard: FileGuard,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256');
  const measured = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      file.sizeBytes += chunk.length;
      hash.update(chunk);
      await guard(file.sizeBytes);
      yield chunk;
    }
  };
  await pipeline(source, measured, await createUpload(file.path), { signal });
  file.sha256 = hash.digest('hex');
}

function keepField(
  fields: Map<string, string>,
  { fieldname: name, value }: MultipartValue,
  { listFieldNames }: UploadOptions,
): void {
  const text = String(value);
  const before = fields.get(name);
  if (before !== undefined && listFieldNames?.has(name)) fields.set(name, `${before}\n${text}`);
  // Clients that send every field they know repeat some of them without a value.
  else if (before === undefined || before.trim() === '' || before === text) fields.set(name, text);
  else if (text.trim() !== '') {
    throw new AppError('invalid_request', `The form field "${name}" was sent twice with different values.`);
  }
}

function tooManyFields(): AppError {
  return new AppError('payload_too_large', `The fields of the form have more than ${MAX_FIELDS_BYTES / 1024} KiB.`);
}

function tooMuchDiscarded(): AppError {
  const mib = MAX_DISCARDED_BYTES / 1024 ** 2;
  return new AppError('payload_too_large', `The unknown fields and files of the form have more than ${mib} MiB.`);
}

export function tooLarge(maxFileBytes: number): AppError {
  const mib = Math.floor(maxFileBytes / 1024 ** 2);
  const limit = mib >= 1 ? `${mib} MiB` : `${maxFileBytes} bytes`;
  return new AppError('payload_too_large', `The upload is larger than the limit of ${limit}.`);
}

/**
 * Classifies errors by the connection's state and the code, because the parser throws bare errors.
 */
export function explain(thrown: unknown, { raw }: Pick<FastifyRequest, 'raw'>): unknown {
  if (thrown instanceof AppError) return thrown;
  // `pipeline` throws an AbortError whose cause is the reason.
  if (thrown instanceof Error && thrown.name === 'AbortError' && thrown.cause instanceof AppError) return thrown.cause;
  if (raw.destroyed && !raw.complete) return new AppError('client_closed_request', undefined, { cause: thrown });
  if (isDiskFull(thrown)) return diskFull(thrown);
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code.startsWith('E') || code.startsWith('FST_')) return thrown;
  return new AppError('invalid_request', 'The multipart body is malformed or incomplete.', { cause: thrown });
}
