import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that must never get requests of the service; it records them. */
type OtherHost = { url: string; calls: string[]; close(): Promise<void> };

export async function startOtherHost(): Promise<OtherHost> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    // The answer looks like valuable data in a transcript.
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"events":[{"tStartMs":0,"dDurationMs":1000,"segs":[{"utf8":"secret of the house network"}]}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
