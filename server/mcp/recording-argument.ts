import { InvalidRequestError } from '@jyutsing/client';
import type { UploadSource } from '@jyutsing/client';
import type { McpSurroundings } from './surroundings.ts';

type RecordingArguments = { file?: string | undefined; url?: string | undefined };

/**
 * Returns what `transcribe` of the client takes: an address that the service fetches, or a file.
 * Throws InvalidRequestError for none or both. An address of a file would be one of the server.
 */
export function recordingOf(
  { file, url }: RecordingArguments,
  { openFile }: Pick<McpSurroundings, 'openFile'>,
): string | AsyncIterable<Uint8Array> {
  if ((file === undefined) === (url === undefined)) {
    throw refusal('Give the recording either as "file" or as "url".');
  }
  if (url !== undefined) {
    if (!/^https?:\/\//i.test(url)) throw refusal('The address in "url" begins with http:// or https://.');
    return url;
  }
  const source = openFile(file ?? '');
  return typeof source === 'string' ? source : piecesOf(source);
}

function refusal(message: string): InvalidRequestError {
  return new InvalidRequestError(message, { code: 'invalid_argument' });
}

async function* piecesOf(source: UploadSource): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) yield source;
  else if (Symbol.asyncIterator in Object(source)) yield* source as AsyncIterable<Uint8Array>;
}
