import type { Span, SpanOptions, TraceSettings, Tracing } from './spans.ts';

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
