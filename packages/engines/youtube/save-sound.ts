import { open, type FileHandle } from 'node:fs/promises';
import type { AudioLimit } from '@jyutsing/contracts/captions';
import { Obstacle } from './platform-error.ts';
import type { ByteAnswer, PlatformFetch } from './platform-fetch.ts';
import type { PlayedVideo, SoundFormat } from './player-answer.ts';

/** What is asked for at once: the platform slows down whoever asks for more. */
const PIECE_BYTES = 10_000_000;
/** WebM, in which most of the platform's sound comes, is none of the formats that this service reads. */
const MIME_TYPE = 'audio/mp4';

export type SoundDownload = { platform: PlatformFetch; userAgent: string; limit: AudioLimit; signal: AbortSignal };

/**
 * Writes the sound of a played video to `path` as m4a, in pieces, never more than is allowed. Throws `Obstacle`, a final one where the video is
 * too long or too large; what was written until then stays for the caller to remove.
 */
export async function saveSound(video: PlayedVideo, path: string, download: SoundDownload): Promise<void> {
  const format = chooseSound(video, download.limit);
  let file: FileHandle;
  try {
    file = await open(path, 'w');
  } catch {
    throw new Obstacle('the file cannot be written', { isFinal: true });
  }
  try {
    await savePieces(format, file, download);
    await checkBeginning(path);
  } finally {
    await file.close();
  }
}

/** The best that is allowed, in the language that was spoken. */
export function chooseSound({ sounds, durationMs }: PlayedVideo, limit: AudioLimit): SoundFormat {
  if (sounds.length === 0) throw new Obstacle('no sound with a link');
  if (durationMs === null) throw new Obstacle('of unknown length', { isFinal: true });
  if (durationMs > limit.maxDurationMs) throw new Obstacle('longer than allowed', { isFinal: true });
  const readable = sounds.filter(({ mimeType }) => mimeType === MIME_TYPE);
  if (readable.length === 0) throw new Obstacle('no sound as m4a');
  const original = readable.filter(({ isOriginal }) => isOriginal);
  const spoken = original.length > 0 ? original : readable;
  const [best] = spoken
    .filter(({ sizeBytes }) => sizeBytes === null || sizeBytes <= limit.maxBytes)
    .toSorted((a, b) => b.bitrate - a.bitrate);
  if (best === undefined) throw new Obstacle('larger than allowed', { isFinal: true });
  return best;
}

async function savePieces(format: SoundFormat, file: FileHandle, download: SoundDownload): Promise<void> {
  const { platform, userAgent, limit, signal } = download;
  let at = 0;
  let totalBytes = format.sizeBytes ?? Number.POSITIVE_INFINITY;
  while (at < totalBytes) {
    const range = `bytes=${at}-${Math.min(at + PIECE_BYTES, totalBytes) - 1}`;
    const headers = { 'user-agent': userAgent, range };
    const answer = await platform.bytes({ link: format.link, headers, body: null }, signal);
    try {
      const piece = readExtent(answer, at);
      if (piece.totalBytes > limit.maxBytes) throw new Obstacle('larger than allowed', { isFinal: true });
      totalBytes = piece.totalBytes;
      at += await savePiece(answer.bytes, file, piece.sizeBytes);
    } catch (thrown) {
      await answer.cancel().catch(() => {});
      throw thrown;
    }
  }
}

/** How much an answer has, and of how much; a server may send the whole where it does not know ranges. */
function readExtent({ status, headers }: ByteAnswer, at: number): { sizeBytes: number; totalBytes: number } {
  if (status !== 200 && status !== 206) throw new Obstacle(`sound: status ${status}`);
  if (/^text\/|json/.test(headers.get('content-type') ?? '')) throw new Obstacle('HTML instead of sound');
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  if (status === 206 && Number(first) === at && Number(last) >= at && Number(total) > Number(last)) {
    return { sizeBytes: Number(last) - at + 1, totalBytes: Number(total) };
  }
  const length = Number(headers.get('content-length') ?? 0);
  if (status === 200 && at === 0 && length > 0) return { sizeBytes: length, totalBytes: length };
  throw new Obstacle('sound: another part than was asked for');
}

async function savePiece(bytes: AsyncIterable<Uint8Array>, file: FileHandle, sizeBytes: number): Promise<number> {
  let written = 0;
  for await (const chunk of bytes) {
    written += chunk.byteLength;
    if (written > sizeBytes) throw new Obstacle('sound: more than was announced');
    await write(file, chunk);
  }
  if (written < sizeBytes) throw new Obstacle('sound: cut short');
  return written;
}

async function write(file: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    await file.writeFile(chunk);
  } catch {
    throw new Obstacle('the file cannot be written', { isFinal: true });
  }
}

/** MPEG-4 files say so in their fifth to eighth byte (ISO 14496-12, 4.3). */
async function checkBeginning(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    if (buffer.toString('latin1', 4, 8) !== 'ftyp') throw new Obstacle('sound that is no m4a');
  } finally {
    await file.close();
  }
}
