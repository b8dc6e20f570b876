import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';

/** The known fields of a form by name, as sent. */
export type FormFields = ReadonlyMap<string, string>;

/** Called while a file arrives, with its length so far; throws to refuse the rest. */
export type FileGuard = (receivedBytes: number) => void;

/** A file on this disk. It may be moved away: disposing then does nothing. */
export type UploadedFile = { path: string; sizeBytes: number; sha256: string };

/** A complete form. `file` null: none had the expected name. Dispose of it to delete the file. */
export type Upload = AsyncDisposable & { fields: FormFields; file: UploadedFile | null };

export type UploadOptions = {
  incomingDir: string;
  maxFileBytes: number;
  /** Name of the file's field; files of other fields are discarded. */
  fileField: string;
  /** Other names of that field. */
  otherFileFields?: readonly string[];
  fieldNames: ReadonlySet<string>;
  /** Fields that may be sent several times; their values are joined with commas. */
  listFieldNames?: ReadonlySet<string>;
  /** Called when the file begins, with the fields before it; throws to refuse the file unread. */
  beforeFile(fields: FormFields): Promise<FileGuard | null>;
};

const MAX_FIELD_BYTES = 64 * 1024;
const LIMITS = { fields: 200, files: 20, parts: 220, fieldSize: MAX_FIELD_BYTES, headerPairs: 50 };
/** Size of a form without its file: fields, part headers, unexpected files. */
const MAX_OTHER_BYTES = 16 * 1024 ** 2;
/** An upload without data for this long is refused, to free its disk space. */
const STALL_MS = 60_000;

/**
 * Reads a multipart form. Writes the file to disk and hashes it while it arrives, so that memory
 * does not grow with it. Leaves nothing behind on failure. Throws `invalid_request` (malformed),
 * `payload_too_large`, `client_closed_request`, `service_unavailable` (disk full), and what
 * `beforeFile` and its guard throw.
 */
export async function receiveUpload(request: FastifyRequest, options: UploadOptions): Promise<Upload> {
  const maxTotalBytes = options.maxFileBytes + MAX_OTHER_BYTES;
  const fields = new Map<string, string>();
  const files: UploadedFile[] = [];
  const discard = () => Promise.all(files.map((file) => rm(file.path, { force: true })));
  const limits = watchRequest(request, maxTotalBytes, options.maxFileBytes);
  try {
    for await (const part of limits.parts) {
      if (part.type === 'field') keepField(fields, part, options);
      else if (isFileField(part.fieldname, options) && files.length === 0) {
        const guard = await limits.orStopped(options.beforeFile(fields));
        // Checked after `beforeFile`, so that an invalid key is reported first.
        if (Number(request.headers['content-length']) > maxTotalBytes) throw tooLarge(options.maxFileBytes);
        const file = { path: join(options.incomingDir, randomUUID()), sizeBytes: 0, sha256: '' };
        files.push(file);
        // The folder is deleted when this process was taken for dead, for example while suspended.
        await mkdir(options.incomingDir, { recursive: true, mode: 0o700 });
        await save(part, file, guard, options.maxFileBytes, limits.signal);
        // Browsers send this for an empty file input.
        if (part.filename === '' && file.sizeBytes === 0) await rm(files.pop()?.path ?? '', { force: true });
      } else part.file.resume();
    }
  } catch (thrown) {
    await discard();
    throw explain(thrown, request);
  } finally {
    limits.end();
  }
  return { fields, file: files[0] ?? null, [Symbol.asyncDispose]: async () => void (await discard()) };
}

function isFileField(name: string, { fileField, otherFileFields = [] }: UploadOptions): boolean {
  return name === fileField || otherFileFields.includes(name);
}

/**
 * Yields the parts of the form and stops when the request is too large or stalls. The parser limits
 * each part, but reads a part that exceeds its limit to its end.
 */
function watchRequest(request: FastifyRequest, maxTotalBytes: number, maxFileBytes: number) {
  const stop = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  stopped.catch(() => {});
  const orStopped = <Value>(work: Promise<Value>) => Promise.race([work, stopped]);

  let totalBytes = 0;
  const stalled = setTimeout(
    () => stop.abort(new AppError('invalid_request', 'The upload stalled; send it again.')),
    STALL_MS,
  );
  const onData = (chunk: Buffer) => {
    stalled.refresh();
    totalBytes += chunk.length;
    if (totalBytes > maxTotalBytes) stop.abort(tooLarge(maxFileBytes));
  };

  async function* parts(): AsyncGenerator<Multipart> {
    const form = request.parts({ limits: { ...LIMITS, fileSize: maxFileBytes } });
    const first = form.next();
    // Attached after the parser: a listener starts the flow, and the first bytes would be lost.
    request.raw.on('data', onData);
    for (let next = await orStopped(first); !next.done; next = await orStopped(form.next())) yield next.value;
  }
  return {
    parts: parts(),
    orStopped,
    signal: stop.signal,
    end() {
      clearTimeout(stalled);
      request.raw.off('data', onData);
    },
  };
}

async function save(
  part: MultipartFile,
  file: UploadedFile,
  guard: FileGuard | null,
  maxFileBytes: number,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256');
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      file.sizeBytes += chunk.length;
      hash.update(chunk);
      try {
        guard?.(file.sizeBytes);
        done(null, chunk);
      } catch (refusal) {
        done(refusal as Error);
      }
    },
  });
  // Refuse at once instead of reading the file to its end.
  part.file.once('limit', () => meter.destroy(tooLarge(maxFileBytes)));
  const sink = createWriteStream(file.path, { flags: 'wx', mode: 0o600 });
  await pipeline(part.file, meter, sink, { signal });
  // A small file may have exceeded the limit before the listener was added.
  if (part.file.truncated) throw tooLarge(maxFileBytes);
  file.sha256 = hash.digest('hex');
}

function keepField(fields: Map<string, string>, part: Multipart, { fieldNames, listFieldNames }: UploadOptions): void {
  if (part.type !== 'field' || !fieldNames.has(part.fieldname)) return;
  // A part that is declared as JSON arrives parsed.
  const value = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
  const before = fields.get(part.fieldname);
  if (before !== undefined && listFieldNames?.has(part.fieldname)) {
    fields.set(part.fieldname, `${before},${value}`);
    return;
  }
  // Clients that send every field they know repeat some of them without a value.
  if (before !== undefined && value.trim() === '') return;
  if (before !== undefined && before.trim() !== '' && before !== value) {
    throw new AppError('invalid_request', `The form field "${part.fieldname}" was sent twice with different values.`);
  }
  fields.set(part.fieldname, value);
}

function tooLarge(maxFileBytes: number): AppError {
  const mib = Math.floor(maxFileBytes / 1024 ** 2);
  const limit = mib >= 1 ? `${mib} MiB` : `${maxFileBytes} bytes`;
  return new AppError('payload_too_large', `The upload is larger than the limit of ${limit}.`);
}

/**
 * Classifies errors by the connection's state and the code, because the parser throws bare errors.
 */
function explain(thrown: unknown, { raw }: FastifyRequest): unknown {
  if (thrown instanceof AppError) return thrown;
  // `pipeline` throws an AbortError whose cause is the reason.
  if (thrown instanceof Error && thrown.name === 'AbortError' && thrown.cause instanceof AppError) return thrown.cause;
  if (raw.destroyed && !raw.complete) return new AppError('client_closed_request', undefined, { cause: thrown });
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('service_unavailable', 'The disk of the server is full; try again later.', { cause: thrown });
  }
  if (code.startsWith('E') || code.startsWith('FST_')) return thrown;
  return new AppError('invalid_request', 'The multipart body is malformed or incomplete.', { cause: thrown });
}
