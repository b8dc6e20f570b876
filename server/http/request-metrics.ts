import type { Metrics } from '#telemetry/metrics.ts';

/** Durations that are buffered per route. */
const MAX_WAITING = 1_024;

export type RequestMetrics = {
  count(request: { method: string; route: string; status: number; seconds: number }): void;
  /** Passes the buffered counts to the metrics library. Call before the metrics are read. */
  flush(): void;
};

/** Counts answers in batches: one call of the metrics library per answer costs more than a poll. */
export function createRequestMetrics({ httpRequests, httpSeconds }: Metrics): RequestMetrics {
  const series = new Map<string, { requests: number; seconds: number[]; flush: () => void }>();

  const open = (method: string, route: string, status: number) => {
    const counter = httpRequests.labels({ method, route, status });
    const histogram = httpSeconds.labels({ route });
    const waiting = {
      requests: 0,
      seconds: [] as number[],
      flush() {
        counter.inc(waiting.requests);
        for (const seconds of waiting.seconds) histogram.observe(seconds);
        waiting.requests = 0;
        waiting.seconds = [];
      },
    };
    return waiting;
  };

  return {
    count({ method, route, status, seconds }) {
      const key = `${method} ${route} ${status}`;
      let waiting = series.get(key);
      if (waiting === undefined) {
        waiting = open(method, route, status);
        series.set(key, waiting);
      }
      waiting.requests += 1;
      waiting.seconds.push(seconds);
      if (waiting.seconds.length >= MAX_WAITING) waiting.flush();
    },
    flush() {
      for (const waiting of series.values()) waiting.flush();
    },
  };
}
