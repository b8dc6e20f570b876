import { createHash, randomUUID } from 'node:crypto';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@jyutsing/contracts/errors';
import { hostOf, type CallbackPolicy } from '#features/webhooks/callback-url.ts';
import { isPublicAddress } from '#features/webhooks/public-address.ts';
import { addressesOf, chooseResolver, lookupAmong } from '#features/webhooks/resolve-host.ts';
import { diskFull, isDiskFull } from '#http/disk-space.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import { createUpload, deleteUpload, type UploadedFile } from '#http/save-upload.ts';

/** Until the first byte of the answer. */
const ANSWER_MS = 15_000;
/** For the whole file; the client waits for it. */
const WHOLE_MS = 5 * 60_000;

type DownloadPolicy = CallbackPolicy &
  Pick<UploadLimits, 'disk' | 'incomingDir' | 'maxFileBytes'> & {
    accountId: string;
    /** The name of the field with the address, for refusals. */
    field: string;
  };

/** The name of the file at an address. */
function nameIn(address: string): string {
  try {
    return decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '');
  } catch {
    return '';
  }
}

/**
 * Downloads a recording from a URL that `checkCallbackUrl` accepted. Resolves the name once, checks
 * every address and connects to exactly these; follows no redirects and uses no proxy. Throws
 * `invalid_parameter` with the reason, `payload_too_large`, `service_unavailable` (disk full), or
 * the reason of the signal. Dispose of the file to delete it.
 */
export async function download(
  address: string,
  { disk, incomingDir, maxFileBytes, allowPrivate, accountId, field }: DownloadPolicy,
  signal: AbortSignal,
): Promise<UploadedFile & AsyncDisposable> {
  const refuse = (why: string, cause?: unknown) =>
    new AppError('invalid_parameter', `The address in the field "${field}" ${why}.`, { cause });
  /** The resolver reports names that do not exist like an unreachable receiver of a webhook. */
  const unreachable = (cause: unknown): never => {
    throw refuse('cannot be reached', cause);
  };
  const file: UploadedFile = { path: join(incomingDir, randomUUID()), name: nameIn(address), sizeBytes: 0, sha256: '' };
  const late = new AbortController();
  const end = () => late.abort(refuse('did not answer in time'));
  const answering = setTimeout(end, ANSWER_MS);
  const whole = setTimeout(end, WHOLE_MS);
  const stop = AbortSignal.any([signal, late.signal]);
  try {
    const url = new URL(address);
    const addresses = await addressesOf(hostOf(url), chooseResolver({ allowPrivate }), stop).catch(unreachable);
    if (!allowPrivate && !addresses.every(isPublicAddress)) throw refuse('leads to an address that is not public');
    const response = await open(url, addresses, stop);
    clearTimeout(answering);
    const { statusCode = 0 } = response;
    if (statusCode !== 200) {
      response.destroy();
      throw refuse(`was answered with the status ${statusCode}; redirects are not followed`);
    }
    await save(response, file, { disk, maxFileBytes, accountId, field }, stop);
    return { ...file, [Symbol.asyncDispose]: () => deleteUpload(file.path) };
  } catch (failure) {
    await deleteUpload(file.path);
    stop.throwIfAborted();
    // Ends the connection of a file that is refused unread.
    late.abort(failure);
    if (failure instanceof AppError) throw failure;
    if (isDiskFull(failure)) throw diskFull(failure);
    return unreachable(failure);
  } finally {
    clearTimeout(answering);
    clearTimeout(whole);
  }
}

function open(url: URL, addresses: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const host = hostOf(url);
  // A new agent: the global one may use a proxy of the environment or an earlier connection.
  const options = { agent: false, lookup: lookupAmong(addresses), signal } as const;
  const tls = { rejectUnauthorized: true, servername: isIP(host) === 0 ? host : '' };
  const request = url.protocol === 'http:' ? getHttp(url, options) : getHttps(url, { ...options, ...tls });
  request.once('response', resolve);
  // Stays registered: an error after the answer has no other listener and would end the process.
  request.on('error', reject);
  return promise;
}

async function save(
  response: IncomingMessage,
  file: UploadedFile,
  { disk, maxFileBytes, accountId, field }: Pick<DownloadPolicy, 'disk' | 'maxFileBytes' | 'accountId' | 'field'>,
  signal: AbortSignal,
): Promise<void> {
  const expectedBytes = Number(response.headers['content-length'] ?? 0);
  if (expectedBytes > maxFileBytes) throw tooLarge(field);
  using space = await disk.open({ expectedBytes, accountId });
  const hash = createHash('sha256');
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      file.sizeBytes += chunk.length;
      hash.update(chunk);
      try {
        if (file.sizeBytes > maxFileBytes) throw tooLarge(field);
        space.grow(file.sizeBytes);
        done(null, chunk);
      } catch (refusal) {
        done(refusal as Error);
      }
    },
  });
  await pipeline(response, meter, await createUpload(file.path), { signal });
  file.sha256 = hash.digest('hex');
}

function tooLarge(field: string): AppError {
  return new AppError('payload_too_large', `The file of "${field}" is larger than this service accepts.`);
}
