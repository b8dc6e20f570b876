/** The receiver of spans, and the share of requests that are traced. */
export type TraceSettings = {
  /** Address of an OTLP receiver over HTTP, without `/v1/traces`. */
  endpoint: string;
  serviceName: string;
  version: string;
  /** The share of traces that begin here and are kept, from 0 to 1. */
  sampledShare: number;
};

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
export type SpanAttributes = Readonly<Record<string, string | number>>;
export type SpanOptions = {
  kind?: SpanKind;
  /** W3C `traceparent` of the parent; absent or invalid: the current span, or none. */
  parent?: string | null | undefined;
  attributes?: SpanAttributes;
};

export type Span = {
  /** W3C `traceparent` of this span. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Runs `work` with this as the current span. */
  within<Result>(work: () => Result): Result;
  /** `error`: the reason of the failure, of which only the code is kept. */
  end(error?: unknown): void;
};

/**
 * Spans of OpenTelemetry. They hold ids, codes and numbers, never content, addresses or keys of
 * users.
 */
export type Tracing = {
  /** The `traceparent` of the current span; null without one. */
  current(): string | null;
  /** Starts a span, which the caller ends; null when tracing is off. */
  start(name: string, options?: SpanOptions): Span | null;
  /** Sends all ended spans. Never throws. */
  flush(): Promise<void>;
  /** Sends all ended spans and stops. Never throws. */
  close(): Promise<void>;
};

export const NO_TRACING: Tracing = {
  current: () => null,
  start: () => null,
  async flush() {},
  async close() {},
};

/** Loads OpenTelemetry only when it is used: it takes memory and a tenth of a second. */
export async function openTracing(
  settings: TraceSettings | null,
  onError: (error: unknown) => void = () => {},
): Promise<Tracing> {
  if (settings === null) return NO_TRACING;
  const { createOtlpTracing } = await import('./otlp-tracing.ts');
  return createOtlpTracing(settings, onError);
}

/** Runs `work` in a span of its own, which ends with it. */
export async function inSpan<Result>(
  tracing: Tracing,
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  const span = tracing.start(name, options);
  if (span === null) return work(null);
  try {
    const result = await span.within(() => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
