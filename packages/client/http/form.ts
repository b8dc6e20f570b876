import { sendsStreams } from '#platform';
import { randomId } from './random-id.ts';
import type { Upload, UploadProgress } from './upload.ts';

/** The fields of a form and its files. Absent and empty fields are not sent. */
export type Form = {
  fields: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Name of the field of every file. */
  fileField: string;
  files: readonly Upload[];
  onProgress?: ((progress: UploadProgress) => void) | undefined;
};

/** A body that `fetch` sends. */
type FetchBody = NonNullable<RequestInit['body']>;
export type EncodedForm = {
  body: FetchBody;
  headers: Record<string, string>;
  onSent?: (sentBytes: number) => void;
} & StreamInit;
/** Options that `fetch` needs to send a stream. */
type StreamInit = { duplex?: 'half'; redirect?: 'error'; window?: null };

/**
 * Encodes the body of a form. Its files are read while they are sent, so that memory does not grow
 * with them; browsers, which cannot send a stream over HTTP/1.1, do the same with Blobs. `onSent`
 * is called for every piece that the network took.
 */
export async function encodeForm(form: Form, onSent: () => void): Promise<EncodedForm> {
  if (!sendsStreams) return encodeAsFormData(form, onSent);
  const boundary = `jyutsing-${randomId()}`;
  const { fields, files, fileField, onProgress } = form;
  const text = new TextEncoder();
  const head = text.encode(
    sent(fields)
      .map(([name, value]) => fieldPart(boundary, name, value))
      .join(''),
  );
  const heads = files.map((file) => text.encode(filePart(boundary, fileField, file.name)));
  const tail = text.encode(`--${boundary}--\r\n`);
  const sizes = files.map(({ sizeBytes }) => sizeBytes);
  const totalBytes = sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  let sentBytes = 0;

  async function* parts(): AsyncGenerator<Uint8Array> {
    yield head;
    for (const [at, file] of files.entries()) {
      yield heads[at] ?? head;
      for await (const piece of file.open()) {
        yield piece;
        sentBytes += piece.length;
        onSent();
        onProgress?.({ sentBytes, totalBytes });
      }
      yield text.encode('\r\n');
    }
    yield tail;
  }
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  // Without the last two options Node keeps a copy of the whole stream, in case it has to be sent
  // again.
  return { body: streamOf(parts()) as FetchBody, headers, duplex: 'half', redirect: 'error', window: null };
}

async function encodeAsFormData(form: Form, touch: () => void): Promise<EncodedForm> {
  const { fields, files, fileField, onProgress } = form;
  const body = new FormData();
  for (const [name, value] of sent(fields)) body.append(name, value);
  let totalBytes = 0;
  for (const file of files) {
    const blob = file.blob ?? new Blob(await collect(file.open()));
    body.append(fileField, blob, file.name);
    totalBytes += blob.size;
  }
  const onSent = (bytes: number) => {
    touch();
    // The bytes include the fields and boundaries.
    onProgress?.({ sentBytes: Math.min(bytes, totalBytes), totalBytes });
  };
  return { body, headers: {}, onSent };
}

function sent(fields: Form['fields']): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>[]> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) all.push(piece as Uint8Array<ArrayBuffer>);
  return all;
}

function fieldPart(boundary: string, name: string, value: string): string {
  return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

function filePart(boundary: string, field: string, name: string): string {
  return (
    `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${escapeName(name)}"\r\n` +
    'content-type: application/octet-stream\r\n\r\n'
  );
}

/** Escapes a name by the HTML standard. */
function escapeName(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

/** Takes the next piece only when the network wants it. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
