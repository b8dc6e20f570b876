import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { identifyMagic, MAGIC_BYTES } from '@jyutsing/audio/magic';
import { wavHeader } from '@jyutsing/audio/wav';
import { raceAbort } from '@jyutsing/concurrency/race-abort';
import type { SoundFormat } from '#features/live/sound-input.ts';
import { watchPace, type BodyPace } from './body-pace.ts';
import type { UploadLimits } from './upload-limits.ts';
import { deleteUpload, explain, saveStream, tooLarge, type UploadedFile } from './save-upload.ts';

type RawUploadOptions = Pick<UploadLimits, 'incomingDir' | 'maxFileBytes' | 'disk'> & {
  accountId: string;
  pace: BodyPace;
  /** How bare samples are written; they are saved as a WAV file. Null: the body is a file. */
  samples?: SoundFormat | null;
};

/**
 * Saves a body that is nothing but a file. Dispose of it to delete it. Throws `payload_too_large`,
 * `request_timeout`, `client_closed_request` and `service_unavailable` (disk full), and leaves
 * nothing behind then.
 */
export async function receiveRawFile(
  { raw }: Pick<FastifyRequest, 'raw'>,
  { incomingDir, maxFileBytes, disk, accountId, pace, samples = null }: RawUploadOptions,
): Promise<UploadedFile & AsyncDisposable> {
  const expectedBytes = Number(raw.headers['content-length'] ?? 0);
  if (expectedBytes > maxFileBytes) throw tooLarge(maxFileBytes);
  const file: UploadedFile = { path: join(incomingDir, randomUUID()), name: '', sizeBytes: 0, sha256: '' };
  using space = await disk.open({ expectedBytes, accountId });
  using watched = watchPace(raw, pace);
  const guard = (receivedBytes: number) => {
    if (receivedBytes > maxFileBytes) throw tooLarge(maxFileBytes);
    space.grow(receivedBytes);
  };
  try {
    const body = chunksOf(raw, watched.signal);
    await saveStream(samples === null ? body : asWav(body, samples), file, guard, watched.signal);
  } catch (thrown) {
    await deleteUpload(file.path);
    throw explain(thrown, { raw });
  }
  return { ...file, [Symbol.asyncDispose]: () => deleteUpload(file.path) };
}

/** Leaves the connection open when it ends early, so that the refusal reaches the client. */
async function* chunksOf(raw: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  const chunks = raw.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = (await raceAbort(chunks.next(), signal)) as IteratorResult<Buffer, undefined>;
    if (next.done === true) return;
    yield next.value;
  }
}

/** Puts a header before bare samples; a body that is a file stays as it is. */
export async function* asWav(
  chunks: AsyncIterable<Buffer>,
  { encoding, sampleRateHz, channels }: SoundFormat,
): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  const start = (bytes: Buffer): Buffer => {
    const container = identifyMagic(bytes.toString('latin1', 0, MAGIC_BYTES))?.container ?? null;
    if (container !== null || bytes.length === 0) return bytes;
    return Buffer.concat([wavHeader(sampleRateHz, null, { encoding, channels }), bytes]);
  };
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < MAGIC_BYTES) continue;
    yield start(head);
    head = null;
  }
  if (head !== null) yield start(head);
}
