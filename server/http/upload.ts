import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';

/** The fields of a form by name, as sent; unknown ones are not kept. */
export type FormFields = ReadonlyMap<string, string>;

/** Called as a file arrives, with its length so far; throws to refuse the rest. */
export type FileGuard = (receivedBytes: number) => void;

/** A file on this disk. Whoever moves it away need not tell: disposing of what is gone does nothing. */
export type UploadedFile = { path: string; sizeBytes: number; sha256: string };

/** A form that was read to its end. Dispose of it to delete the file. `file` is null when none came under the expected name. */
export type Upload = AsyncDisposable & { fields: FormFields; file: UploadedFile | null };

export type UploadOptions = {
  incomingDir: string;
  maxFileBytes: number;
  /** The form field that carries the file; others are read and thrown away. */
  fileField: string;
  fieldNames: ReadonlySet<string>;
  /** Those of them that may come several times; their values are joined with commas. */
  listFieldNames?: ReadonlySet<string>;
  /** Called once, when the file begins, with the fields before it; throws to refuse the file unread. */
  beforeFile(fields: FormFields): Promise<FileGuard | null>;
};

const MAX_FIELD_BYTES = 64 * 1024;
const LIMITS = { fields: 200, files: 20, parts: 220, fieldSize: MAX_FIELD_BYTES, headerPairs: 50 };
/** What a form may weigh beside its file: fields, part headers, files that nobody asked for. */
const MAX_REST_BYTES = 16 * 1024 ** 2;
/** An upload that sends nothing for so long is given up; its place on the disk is wanted. */
const STALL_MS = 60_000;

/**
 * Reads a multipart form; the file goes to the disk as it arrives, hashed on the way, so memory does not grow with it.
 * On any failure nothing is left behind. Throws AppError: `invalid_request` (malformed), `payload_too_large`,
 * `client_closed_request`, `service_unavailable` (no room), and whatever `beforeFile` and its guard throw.
 */
export async function receiveUpload(request: FastifyRequest, options: UploadOptions): Promise<Upload> {
  const maxTotalBytes = options.maxFileBytes + MAX_REST_BYTES;
  const fields = new Map<string, string>();
  const files: UploadedFile[] = [];
  const discard = () => Promise.all(files.map((file) => rm(file.path, { force: true })));
  const limits = watchRequest(request, maxTotalBytes, options.maxFileBytes);
  try {
    for await (const part of limits.parts) {
      if (part.type === 'field') keepField(fields, part, options);
      else if (part.fieldname === options.fileField && files.length === 0) {
        const guard = await limits.orStopped(options.beforeFile(fields));
        // Only now, so that a bad key before the file is what the caller hears of first.
        if (Number(request.headers['content-length']) > maxTotalBytes) throw tooLarge(options.maxFileBytes);
        const file = { path: join(options.incomingDir, randomUUID()), sizeBytes: 0, sha256: '' };
        files.push(file);
        await save(part, file, guard, options.maxFileBytes, limits.signal);
        // What a browser sends for a file input that nobody used.
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

/** Makes the folder, and deletes what an earlier process left in it when it was killed. Call before the server listens. */
export async function cleanIncoming(incomingDir: string): Promise<void> {
  await mkdir(incomingDir, { recursive: true });
  const names = await readdir(incomingDir);
  await Promise.all(names.map((name) => rm(join(incomingDir, name), { recursive: true, force: true })));
}

/**
 * The parts of the form, ended early when the whole grows too long or stalls: the parser limits each part, but reads a part
 * that is over its limit to its end, however far that is.
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
    // Only now, because a listener sets the request flowing, and the parser must be there to catch the first bytes.
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
  // Without waiting for the end: who sends too much should hear of it now.
  part.file.once('limit', () => meter.destroy(tooLarge(maxFileBytes)));
  const sink = createWriteStream(file.path, { flags: 'wx', mode: 0o600 });
  await pipeline(part.file, meter, sink, { signal });
  // A small limit may have been passed before anybody listened.
  if (part.file.truncated) throw tooLarge(maxFileBytes);
  file.sha256 = hash.digest('hex');
}

function keepField(fields: Map<string, string>, part: Multipart, { fieldNames, listFieldNames }: UploadOptions): void {
  if (part.type !== 'field' || !fieldNames.has(part.fieldname)) return;
  // A part that declares itself JSON arrives parsed.
  const value = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
  const before = fields.get(part.fieldname);
  if (before !== undefined && listFieldNames?.has(part.fieldname)) {
    fields.set(part.fieldname, `${before},${value}`);
    return;
  }
  if (before !== undefined && before !== value) {
    throw new AppError('invalid_request', `The form field "${part.fieldname}" was sent twice with different values.`);
  }
  fields.set(part.fieldname, value);
}

function tooLarge(maxFileBytes: number): AppError {
  const mib = Math.floor(maxFileBytes / 1024 ** 2);
  const limit = mib >= 1 ? `${mib} MiB` : `${maxFileBytes} bytes`;
  return new AppError('payload_too_large', `The upload is larger than this service accepts, which is ${limit}.`);
}

/** The parser's errors are plain ones; only the state of the connection and the file system's codes tell them apart. */
function explain(thrown: unknown, { raw }: FastifyRequest): unknown {
  if (thrown instanceof AppError) return thrown;
  // `pipeline` reports the abort, and the reason is what the caller should hear.
  if (thrown instanceof Error && thrown.name === 'AbortError' && thrown.cause instanceof AppError) return thrown.cause;
  if (raw.destroyed && !raw.complete) return new AppError('client_closed_request', undefined, { cause: thrown });
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('service_unavailable', 'The server has no room for uploads at present.', { cause: thrown });
  }
  if (code.startsWith('E') || code.startsWith('FST_')) return thrown;
  return new AppError('invalid_request', 'The multipart body is malformed or cut off.', { cause: thrown });
}
