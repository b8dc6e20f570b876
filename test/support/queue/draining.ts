import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import type { JobHandler } from '#server/queue/queue.ts';
import { totalDepth, work, type QueueTest } from './test-queues.ts';

/** Tests of a queue that is drained. */
export function describeDraining(test: QueueTest): void {
  test('draining waits for running jobs and starts no new ones', async ({ expect, queues }) => {
    const queue = await queues.open();
    const started = Promise.withResolvers<void>();
    const ended: string[] = [];
    const handler: JobHandler<'transcribe'> = async ({ payload: { transcriptionId } }) => {
      started.resolve();
      await sleep(400);
      ended.push(transcriptionId);
    };
    await work(queue, handler);
    await queues.enqueue(queue, 'running');
    await started.promise;
    const drained = queue.drain(10_000);
    await queues.enqueue(queue, 'waiting');
    await drained;
    expect(ended).toEqual(['running']);
    expect(await totalDepth(queue)).toEqual({ waiting: 1, active: 0 });
    const next = await queues.open();
    await work(next, handler);
    await vi.waitFor(() => expect(ended).toEqual(['running', 'waiting']), 60_000);
  });

  test('a job still running after the grace period is aborted and runs again elsewhere', async ({ expect, queues }) => {
    const queue = await queues.open();
    const started = Promise.withResolvers<void>();
    let reason: unknown = null;
    await work(queue, async (_job, signal) => {
      started.resolve();
      await sleep(60_000, undefined, { signal }).catch(() => {});
      reason = signal.reason;
      signal.throwIfAborted();
    });
    await queues.enqueue(queue, 'long');
    await started.promise;
    const beforeMs = performance.now();
    await queue.drain(200);
    expect(performance.now() - beforeMs).toBeLessThan(30_000);
    expect(reason).toMatchObject({ code: 'service_unavailable' });
    const again: string[] = [];
    const next = await queues.open();
    await work(next, async (job) => void again.push(job.payload.transcriptionId));
    await vi.waitFor(() => expect(again).toEqual(['long']), 60_000);
    expect(queues.errors).toEqual([]);
  });

  test('a handler that ignores its abort does not delay the drain, and its job runs again', async ({
    expect,
    queues,
  }) => {
    const queue = await queues.open();
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    await work(queue, async () => {
      started.resolve();
      await release.promise;
    });
    await queues.enqueue(queue, 'unresponsive');
    await started.promise;
    const beforeMs = performance.now();
    await queue.drain(100);
    expect(performance.now() - beforeMs).toBeLessThan(30_000);
    const attempts: number[] = [];
    const next = await queues.open();
    await work(next, async (job) => void attempts.push(job.attempt));
    await vi.waitFor(() => expect(attempts).toEqual([2]), 60_000);
    release.resolve();
  });
}
