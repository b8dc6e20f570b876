import { InvalidRequestError } from '#client/errors.ts';
import type { Fetch } from '#client/http/fetch.ts';
import type { Upload } from '#client/http/upload.ts';
import { fetchWithProgress, hasXhr } from './xhr.ts';

/** The abilities that browsers lack; node.ts is the counterpart. */
export const sendsStreams = false;

/** Service workers have no XMLHttpRequest, so their uploads report no progress. */
export const platformFetch: Fetch = (url, init) =>
  init.onSent === undefined || !hasXhr ? fetch(url, init) : fetchWithProgress(url, init);

export async function openFile(_source: string | URL): Promise<Upload> {
  throw noFiles();
}

export async function writeFile(_path: string, _pieces: AsyncIterable<Uint8Array>): Promise<void> {
  throw noFiles();
}

function noFiles(): InvalidRequestError {
  return new InvalidRequestError('A browser cannot open a path; use a File or a Blob.', { code: 'no_file_access' });
}
