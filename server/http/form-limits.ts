import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { AppError } from '@jyutsing/contracts/errors';
import { watchPace, type BodyPace } from './body-pace.ts';
import { tooLarge } from './save-upload.ts';

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

type WatchedForm = {
  /** The largest size of all files together, in bytes. */
  maxFileBytes: number;
  pace: BodyPace;
  fieldNames: ReadonlySet<string>;
  /** Fields whose text or file is saved like a file. */
  attachmentNames?: ReadonlySet<string>;
};

/**
 * Yields the parts of the form and stops when the request is too large or too slow. The parser
 * limits each part, but reads a part that exceeds its limit to its end.
 */
export function watchForm(
  request: FastifyRequest,
  { maxFileBytes, fieldNames, attachmentNames, pace: bodyPace }: WatchedForm,
) {
  const maxTotalBytes = maxFileBytes + MAX_DISCARDED_BYTES + MAX_PARSED_BYTES;
  const pace = watchPace(request.raw, bodyPace);
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
  let fieldBytes = 0;
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
    /** The most bytes that a request may have. */
    maxTotalBytes,
    parts: parts(),
    orStopped,
    signal,
    countFile: (bytes: number) => void (filesBytes += bytes),
    countDiscarded,
    /** Counts repeated fields each time, because the parser holds them all. */
    countField(bytes: number) {
      fieldBytes += bytes;
      if (fieldBytes > MAX_FIELDS_BYTES) throw tooManyFields();
    },
    end() {
      pace[Symbol.dispose]();
      request.raw.off('data', onData);
    },
  };
}

export type FormLimits = ReturnType<typeof watchForm>;

export const OCTETS = 'application/octet-stream';
export const isJson = (type: string) => type.startsWith('application/json');

function tooManyFields(): AppError {
  return new AppError('payload_too_large', `The fields of the form have more than ${MAX_FIELDS_BYTES / 1024} KiB.`);
}

function tooMuchDiscarded(): AppError {
  const mib = MAX_DISCARDED_BYTES / 1024 ** 2;
  return new AppError('payload_too_large', `The unknown fields and files of the form have more than ${mib} MiB.`);
}
