import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** How a file is served. Default as on GitHub: a redirect, an ETag, ranges. */
export type ServedFile = {
  content: Buffer;
  /** Cuts each connection after this many bytes of the body. */
  cutAfterBytes?: number;
  /** Limits the number of cut answers. Default: all. */
  cuts?: number;
  /** Ignores Range headers and sends the whole file. */
  ignoresRanges?: boolean;
  /** Sends neither ETag nor Last-Modified. */
  withoutVersion?: boolean;
  /** Sends chunks without a Content-Length. */
  withoutLength?: boolean;
  /** Sends the content again and again. */
  endless?: boolean;
  /** States another length than the content has. */
  announcedBytes?: number;
  /** Pause between pieces of 64 kB, or of `pieceBytes`. */
  pieceDelayMs?: number;
  pieceBytes?: number;
  /** Sends the rest of this content where a range is asked for. */
  restOf?: Buffer;
  /** Answers every request with this status and this Content-Range. */
  claims?: [status: number, contentRange: string];
  /** Sends headers and this many bytes, then stalls with the connection open. */
  stallsAfterBytes?: number;
  /** Status codes of the first answers. */
  failsFirstWith?: number[];
  /** Replaces the content after the first answer. */
  becomes?: Buffer;
  /** Serves without a redirect. */
  direct?: boolean;
  /** Keeps connections open and loses those on which another request comes. */
  losesIdle?: boolean;
  /** The Content-Type. Default: none. */
  type?: string;
};

export type DownloadHost = {
  url: string;
  /** Files by path; may be changed while serving. */
  files: Map<string, ServedFile>;
  /** Path and Range of every request for a file, in order. */
  requests: { path: string; range: string | null }[];
  /** Bytes of bodies sent. */
  sentBytes(): number;
  close(): Promise<void>;
};

/** A local HTTP server with the behavior, or misbehavior, of a download host. */
export async function startDownloadHost(): Promise<DownloadHost> {
  const files = new Map<string, ServedFile>();
  const requests: DownloadHost['requests'] = [];
  const answered = new Map<string, number>();
  let sentBytes = 0;
  const used = new WeakSet<Socket>();

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://host');
    const stored = url.searchParams.get('stored') === '1';
    const file = files.get(url.pathname);
    if (file === undefined) return void response.writeHead(404).end('Not Found');
    if (file.losesIdle === true && used.has(request.socket)) return void request.socket.destroy();
    used.add(request.socket);
    if (!stored && file.direct !== true) {
      return void response.writeHead(302, { location: `${url.pathname}?stored=1` }).end();
    }
    const count = answered.get(url.pathname) ?? 0;
    answered.set(url.pathname, count + 1);
    requests.push({ path: url.pathname, range: request.headers.range ?? null });
    const failure = file.failsFirstWith?.[count];
    if (failure !== undefined) return void response.writeHead(failure).end();
    if (file.becomes !== undefined && count > 0) file.content = file.becomes;
    void serve(file, count, request, response, (bytes) => (sentBytes += bytes));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    requests,
    sentBytes: () => sentBytes,
    async close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
}

async function serve(
  file: ServedFile,
  count: number,
  request: IncomingMessage,
  response: ServerResponse,
  onSent: (bytes: number) => void,
): Promise<void> {
  const etag = `"${sha256(file.content).slice(0, 16)}"`;
  const ifRange = request.headers['if-range'];
  const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  const ranged = range !== null && file.ignoresRanges !== true && (ifRange === undefined || ifRange === etag);
  const start = ranged ? Number(range[1]) : 0;
  const total = file.content.length;
  if (start >= total && ranged) {
    response.writeHead(416, { 'content-range': `bytes */${total}` }).end();
    return;
  }
  if (file.claims !== undefined) {
    const [status, contentRange] = file.claims;
    return void response.writeHead(status, { 'content-range': contentRange }).end(file.content);
  }
  const body = (ranged ? (file.restOf ?? file.content) : file.content).subarray(start);
  response.writeHead(ranged ? 206 : 200, {
    ...(file.withoutLength ? {} : { 'content-length': file.announcedBytes ?? body.length }),
    ...(file.withoutVersion ? {} : { etag }),
    ...(file.type === undefined ? {} : { 'content-type': file.type }),
    ...(ranged ? { 'content-range': `bytes ${start}-${total - 1}/${total}` } : {}),
  });
  const cut = count < (file.cuts ?? Infinity) ? file.cutAfterBytes : undefined;
  const end = Math.min(body.length, cut ?? Infinity, file.stallsAfterBytes ?? Infinity);
  const { pieceBytes = 65_536 } = file;
  for (let at = 0; at < end && !response.destroyed; at += pieceBytes) {
    const piece = body.subarray(at, Math.min(end, at + pieceBytes));
    onSent(piece.length);
    const { promise, resolve } = Promise.withResolvers<void>();
    response.once('close', resolve);
    response.write(piece, () => resolve());
    await promise;
    response.off('close', resolve);
    if (file.pieceDelayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, file.pieceDelayMs));
  }
  while (file.endless === true && !response.destroyed) {
    onSent(body.length);
    await new Promise<void>((resolve) => {
      response.once('close', resolve);
      response.write(body, () => resolve());
    });
  }
  if (end === body.length) response.end();
  // destroySoon flushes written data first, so that a cut delivers exactly the given number of
  // bytes.
  else if (cut !== undefined) response.socket?.destroySoon();
}

/** SHA-256 in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
