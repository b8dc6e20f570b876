import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { createGunzip } from 'node:zlib';

type Attributes = { key: string; value: { stringValue?: string; intValue?: number | string } }[];
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attributes;
};
type OtlpRequest = {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: OtlpSpan[] }[] }[];
};

export type CollectedSpan = Omit<OtlpSpan, 'attributes'> & { attributes: Record<string, string | number>; pid: number };

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

/** Receives OTLP/JSON over HTTP as a collector of OpenTelemetry does, and keeps the spans. */
export async function startOtlpCollector() {
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => {
    const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request;
    json(body).then(
      (content) => {
        const isSpans = request.method === 'POST' && request.url === '/v1/traces';
        if (isSpans) spans.push(...readSpans(content as OtlpRequest));
        response.writeHead(isSpans ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
      },
      () => response.writeHead(400).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    kindOf: ({ kind }: CollectedSpan) => KINDS[kind],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readSpans({ resourceSpans }: OtlpRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const pid = Number(readAttributes(resource.attributes)['process.pid']);
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({ ...span, attributes: readAttributes(span.attributes), pid }));
  });
}

function readAttributes(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? Number.NaN)]),
  );
}
