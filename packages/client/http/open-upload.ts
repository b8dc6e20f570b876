import { InvalidRequestError } from '#client/errors.ts';
import { openFile } from '#platform';
import { chunksOf, type Upload, type UploadSource } from './upload.ts';

const PIECE_BYTES = 64 * 1024;

/**
 * Opens a recording. Throws InvalidRequestError for anything that is no recording, and for a path
 * without a file.
 */
export async function openUpload(source: UploadSource, name?: string): Promise<Upload> {
  if (typeof source === 'string' || source instanceof URL) {
    const file = await openFile(source);
    return { ...file, name: name ?? file.name };
  }
  if (source instanceof Blob) return blobUpload(source, name ?? (source as { name?: string }).name);
  if (source instanceof ArrayBuffer) return bytesUpload(new Uint8Array(source), name);
  if (source instanceof Uint8Array) return bytesUpload(source, name);
  if (source instanceof ReadableStream || Symbol.asyncIterator in Object(source)) {
    const open = () => (source instanceof ReadableStream ? chunksOf(source) : source);
    return { name: name ?? 'recording', sizeBytes: null, isRepeatable: false, blob: null, open };
  }
  throw new InvalidRequestError('A recording is a path, a URL, bytes, a Blob or a stream.', { code: 'invalid_source' });
}

function blobUpload(blob: Blob, name = 'recording'): Upload {
  const open = () => chunksOf(blob.stream() as ReadableStream<Uint8Array>);
  return { name, sizeBytes: blob.size, isRepeatable: true, blob, open };
}

function bytesUpload(bytes: Uint8Array, name = 'recording'): Upload {
  async function* open() {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
  }
  return { name, sizeBytes: bytes.length, isRepeatable: true, blob: null, open };
}
