import { open, type FileHandle } from 'node:fs/promises';
import type { AudioLimit } from '@jyutsing/contracts/captions';
import { PlatformError } from './platform-error.ts';
import type { ByteResponse, PlatformFetch } from './platform-fetch.ts';
import type { VideoInfo, SoundFormat } from './player-answer.ts';

/** Size of a request in bytes: the platform throttles larger requests. */
const PIECE_BYTES = 10_000_000;
/** Only m4a is saved, which `checkFileType` verifies. The platform offers it beside WebM. */
const MIME_TYPE = 'audio/mp4';

type SoundDownload = { platform: PlatformFetch; userAgent: string; limit: AudioLimit; signal: AbortSignal };

/**
 * Writes the sound of a video to `path` as m4a. Throws `PlatformError`, a final one when the video
 * exceeds the limit; the caller removes an incomplete file.
 */
export async function saveSound(video: VideoInfo, path: string, download: SoundDownload): Promise<void> {
  const format = chooseSound(video, download.limit);
  let file: FileHandle;
  try {
    file = await open(path, 'w');
  } catch {
    throw new PlatformError('the file cannot be written', { isFinal: true });
  }
  try {
    await savePieces(format, file, download);
    await checkFileType(path);
  } finally {
    await file.close();
  }
}

/** Chooses the highest bitrate within the limit, in the original language if available. */
export function chooseSound({ sounds, durationMs }: VideoInfo, limit: AudioLimit): SoundFormat {
  if (sounds.length === 0) throw new PlatformError('no audio with a link');
  if (durationMs === null) throw new PlatformError('unknown duration', { isFinal: true });
  if (durationMs > limit.maxDurationMs) throw new PlatformError('longer than allowed', { isFinal: true });
  const readable = sounds.filter(({ mimeType }) => mimeType === MIME_TYPE);
  if (readable.length === 0) throw new PlatformError('no m4a audio');
  const original = readable.filter(({ isOriginal }) => isOriginal);
  const candidates = original.length > 0 ? original : readable;
  const [best] = candidates
    .filter(({ sizeBytes }) => sizeBytes === null || sizeBytes <= limit.maxBytes)
    .toSorted((a, b) => b.bitrate - a.bitrate);
  if (best === undefined) throw new PlatformError('larger than allowed', { isFinal: true });
  return best;
}

async function savePieces(format: SoundFormat, file: FileHandle, download: SoundDownload): Promise<void> {
  const { platform, userAgent, limit, signal } = download;
  let offset = 0;
  let totalBytes = format.sizeBytes ?? Number.POSITIVE_INFINITY;
  while (offset < totalBytes) {
    const range = `bytes=${offset}-${Math.min(offset + PIECE_BYTES, totalBytes) - 1}`;
    const headers = { 'user-agent': userAgent, range };
    const answer = await platform.bytes({ link: format.link, headers, body: null }, signal);
    try {
      const piece = readExtent(answer, offset);
      if (piece.totalBytes > limit.maxBytes) throw new PlatformError('larger than allowed', { isFinal: true });
      totalBytes = piece.totalBytes;
      const savedBytes = await savePiece(answer.bytes, file, piece.sizeBytes);
      offset += savedBytes;
    } catch (thrown) {
      await answer.cancel().catch(() => {});
      throw thrown;
    }
  }
}

/**
 * Reads the sizes of this part and of the file. Servers without range support send the whole file.
 */
function readExtent({ status, headers }: ByteResponse, offset: number): { sizeBytes: number; totalBytes: number } {
  if (status !== 200 && status !== 206) throw new PlatformError(`audio: status ${status}`);
  if (/^text\/|json/.test(headers.get('content-type') ?? '')) throw new PlatformError('HTML instead of audio');
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  if (status === 206 && Number(first) === offset && Number(last) >= offset && Number(total) > Number(last)) {
    return { sizeBytes: Number(last) - offset + 1, totalBytes: Number(total) };
  }
  const length = Number(headers.get('content-length') ?? 0);
  if (status === 200 && offset === 0 && length > 0) return { sizeBytes: length, totalBytes: length };
  throw new PlatformError('audio: unexpected byte range');
}

async function savePiece(bytes: AsyncIterable<Uint8Array>, file: FileHandle, sizeBytes: number): Promise<number> {
  let written = 0;
  for await (const chunk of bytes) {
    written += chunk.byteLength;
    if (written > sizeBytes) throw new PlatformError('audio: more bytes than announced');
    await write(file, chunk);
  }
  if (written < sizeBytes) throw new PlatformError('audio: truncated');
  return written;
}

async function write(file: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    await file.writeFile(chunk);
  } catch {
    throw new PlatformError('the file cannot be written', { isFinal: true });
  }
}

/** Checks the type: bytes 4 to 7 of MPEG-4 files are `ftyp` (ISO 14496-12, 4.3). */
async function checkFileType(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    if (buffer.toString('latin1', 4, 8) !== 'ftyp') throw new PlatformError('audio is not m4a');
  } finally {
    await file.close();
  }
}
