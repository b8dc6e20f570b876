/**
 * A recording: the path of a file (not in browsers), a `file:` URL, bytes, a Blob or File, or a
 * stream, which can be sent only once.
 */
export type UploadSource =
  string | URL | Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file to be sent. `open` gives its bytes, as often as it is called if `isRepeatable`. */
export type Upload = {
  name: string;
  /** Null for a stream. */
  sizeBytes: number | null;
  isRepeatable: boolean;
  /** The bytes as a Blob, where they are one: browsers send it without reading it into memory. */
  blob: Blob | null;
  open(): AsyncIterable<Uint8Array>;
};

/** How far the sending of a form has come. */
export type UploadProgress = {
  sentBytes: number;
  /** Null when a stream is sent, whose length is not known. */
  totalBytes: number | null;
};

/** The chunks of a stream; not all browsers can iterate over one. */
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
