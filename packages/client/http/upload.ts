/**
 * A recording: the path of a file (not in browsers), a `file:` URL, bytes, a Blob or File, or a
 * stream, which can be sent only once.
 */
export type UploadSource =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** A file to send. `open` returns its bytes, as often as it is called if `isRepeatable`. */
export type Upload = {
  name: string;
  /** Size in bytes; null for a stream. */
  sizeBytes: number | null;
  isRepeatable: boolean;
  /**
   * The bytes as a Blob, or null when they are not one: browsers send it without reading it into
   * memory.
   */
  blob: Blob | null;
  open(): AsyncIterable<Uint8Array>;
};

/** Progress of sending a form. */
export type UploadProgress = {
  sentBytes: number;
  /** Size of the form in bytes; null when a stream of unknown length is sent. */
  totalBytes: number | null;
};

/** Yields the chunks of a stream; not all browsers can iterate over one. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let isComplete = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        isComplete = true;
        return;
      }
      yield value;
    }
  } finally {
    if (!isComplete) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
