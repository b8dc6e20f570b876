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
