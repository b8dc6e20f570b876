import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { ROOT_CONTEXT, SpanKind as OtelKind, SpanStatusCode, trace, type Span as OtelSpan } from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Span, SpanKind, TraceSettings, Tracing } from './spans.ts';

const EXPORT_EVERY_MS = 1_000;
const EXPORT_WITHIN_MS = 5_000;

const KINDS: Record<SpanKind, OtelKind> = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  consumer: OtelKind.CONSUMER,
};

/**
 * Sends spans as OTLP/JSON over HTTP. The exporter also reads OTEL_EXPORTER_OTLP_HEADERS and the
 * like.
 */
export function createOtlpTracing(settings: TraceSettings, onError: (error: unknown) => void): Tracing {
  setGlobalErrorHandler(onError);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': settings.version,
      'service.instance.id': randomUUID(),
      'process.pid': process.pid,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.sampledShare) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${settings.endpoint.replace(/\/+$/, '')}/v1/traces` }),
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_WITHIN_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('jyutsing', settings.version);
  const active = new AsyncLocalStorage<OtelSpan>();

  return {
    current() {
      const span = active.getStore();
      return span === undefined ? null : traceparentOf(span);
    },
    start(name, { kind = 'internal', parent, attributes = {} } = {}) {
      const remote = parent === undefined || parent === null ? null : parseTraceParent(parent);
      const current = active.getStore();
      const context =
        remote !== null
          ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
          : current !== undefined
            ? trace.setSpan(ROOT_CONTEXT, current)
            : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, context);
      return wrap(span, active);
    },
    flush: () => provider.forceFlush().catch(onError),
    close: () => provider.shutdown().catch(onError),
  };
}

function wrap(span: OtelSpan, active: AsyncLocalStorage<OtelSpan>): Span {
  return {
    traceparent: traceparentOf(span),
    set: (attributes) => void span.setAttributes(attributes),
    within: (work) => active.run(span, work),
    end(error) {
      if (error !== undefined) {
        // Messages may quote names of files or what a user sent.
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
        span.setAttribute('error.type', code);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function traceparentOf(span: OtelSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
