import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One fault that happens to a request on its way. */
export type Fault =
  /** Answered without asking the server, as a proxy or a draining server does. */
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The connection is cut before the server hears of the request. */
  | 'cut-request'
  /** The server does the work, and its answer is lost. */
  | 'lose-answer'
  /** The answer ends after this many bytes, without its end. */
  | { cutAfterBytes: number }
  /** The answer arrives later. */
  | { heldUntil: Promise<void> }
  /** No answer ever comes back. */
  | 'hang';

/** A proxy in front of a server that has the faults of networks. */
export type FaultyProxy = AsyncDisposable & {
  baseUrl: string;
  /** `METHOD /path` of every request so far. */
  requests: string[];
  /** The headers of every request so far. */
  headers: IncomingMessage['headers'][];
  /** Faults for the next requests whose `METHOD /path` matches, one each. */
  fail(pattern: RegExp, ...faults: Fault[]): void;
};

export async function openFaultyProxy(target: string): Promise<FaultyProxy> {
  const waiting: { pattern: RegExp; fault: Fault }[] = [];
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const proxy = createServer((request, response) => {
    const name = `${request.method} ${request.url}`;
    requests.push(name);
    headers.push(request.headers);
    const at = waiting.findIndex(({ pattern }) => pattern.test(name));
    const fault = at === -1 ? null : (waiting.splice(at, 1)[0]?.fault ?? null);
    serve(target, request, response, fault);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    requests,
    headers,
    fail: (pattern, ...faults) => void waiting.push(...faults.map((fault) => ({ pattern, fault }))),
    async [Symbol.asyncDispose]() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

function serve(target: string, request: IncomingMessage, response: ServerResponse, fault: Fault | null): void {
  if (fault === 'cut-request') {
    request.socket.destroy();
    return;
  }
  if (fault === 'hang') return;
  if (fault !== null && typeof fault === 'object' && 'status' in fault) {
    request.resume();
    request.once('end', () => response.writeHead(fault.status, fault.headers).end(fault.body));
    return;
  }
  const { method = 'GET', headers } = request;
  const forwarded = forward(target + (request.url ?? ''), { method, headers, agent: false }, async (answer) => {
    if (fault !== null && fault !== 'lose-answer' && 'heldUntil' in fault) await fault.heldUntil;
    if (fault === 'lose-answer') {
      answer.resume();
      answer.once('end', () => response.destroy());
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    const cutAfterBytes = fault !== null && 'cutAfterBytes' in fault ? fault.cutAfterBytes : Infinity;
    if (cutAfterBytes === 0) {
      answer.resume();
      answer.once('end', () => response.destroy());
      return;
    }
    let left = cutAfterBytes;
    answer.on('data', (piece: Buffer) => {
      if (left <= 0) return;
      const taken = piece.subarray(0, left);
      left -= piece.length;
      response.write(taken, () => {
        if (left <= 0) response.destroy();
      });
    });
    answer.on('end', () => left > 0 && response.end());
    answer.on('error', () => response.destroy());
  });
  forwarded.on('error', () => response.destroy());
  response.on('close', () => forwarded.destroy());
  request.pipe(forwarded);
}
