import { describe, expect, it } from 'vitest';
import { createMetrics } from '#telemetry/metrics.ts';
import { createRequestMetrics } from './request-metrics.ts';

function open() {
  const metrics = createMetrics();
  const requests = createRequestMetrics(metrics);
  /** The lines of the page of metrics about requests, without help. */
  const lines = async () =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('jyutsing_http_request'));
  return { ...requests, lines };
}

describe('answers', () => {
  it('are counted by method, route and status', async () => {
    const { count, flush, lines } = open();
    count({ method: 'GET', route: '/a', status: 200, seconds: 0.25 });
    count({ method: 'GET', route: '/a', status: 200, seconds: 0.5 });
    count({ method: 'POST', route: '/a', status: 200, seconds: 1 });
    count({ method: 'GET', route: '/a', status: 404, seconds: 1 });
    flush();
    const all = await lines();
    expect(all).toContain('jyutsing_http_requests_total{method="GET",route="/a",status="200"} 2');
    expect(all).toContain('jyutsing_http_requests_total{method="POST",route="/a",status="200"} 1');
    expect(all).toContain('jyutsing_http_requests_total{method="GET",route="/a",status="404"} 1');
    expect(all).toContain('jyutsing_http_request_duration_seconds_count{route="/a"} 4');
    expect(all).toContain('jyutsing_http_request_duration_seconds_sum{route="/a"} 2.75');
    // A bucket has all durations up to its bound.
    expect(all).toContain('jyutsing_http_request_duration_seconds_bucket{le="0.1",route="/a"} 0');
    expect(all).toContain('jyutsing_http_request_duration_seconds_bucket{le="0.5",route="/a"} 2');
    expect(all).toContain('jyutsing_http_request_duration_seconds_bucket{le="2",route="/a"} 4');
  });

  it('are passed on once, however often', async () => {
    const { count, flush, lines } = open();
    count({ method: 'GET', route: '/a', status: 200, seconds: 1 });
    flush();
    flush();
    expect(await lines()).toContain('jyutsing_http_requests_total{method="GET",route="/a",status="200"} 1');
    count({ method: 'GET', route: '/a', status: 200, seconds: 1 });
    flush();
    expect(await lines()).toContain('jyutsing_http_request_duration_seconds_count{route="/a"} 2');
  });

  it('do not wait without end when the metrics are never read', async () => {
    const { count, lines } = open();
    for (let number = 0; number < 1_500; number += 1) count({ method: 'GET', route: '/a', status: 200, seconds: 1 });
    expect(await lines()).toContain('jyutsing_http_requests_total{method="GET",route="/a",status="200"} 1024');
  });
});
