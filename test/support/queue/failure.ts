import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { StorageUnavailable } from '@jyutsing/contracts/blobs';
import { AppError } from '@jyutsing/contracts/errors';
import { RetryLater, type Job, type JobHandler } from '#server/queue/queue.ts';
import { RETRY, totalDepth, work, type QueueTest } from './test-queues.ts';

/** Tests of handlers that throw. */
export function describeFailure(test: QueueTest): void {
  test('a job whose handler throws is retried after a delay, then dead-lettered once', async ({ expect, queues }) => {
    const queue = await queues.open();
    const attempts: number[] = [];
    const last: boolean[] = [];
    const startsMs: number[] = [];
    const dead: Job[] = [];
    const handler: JobHandler<'transcribe'> = async (job) => {
      startsMs.push(performance.now());
      attempts.push(job.attempt);
      last.push(job.isLastAttempt);
      throw new AppError('service_unavailable', 'the disk is full');
    };
    await work(queue, handler, 1, dead);
    await queues.enqueue(queue, 'doomed');
    await vi.waitFor(() => expect(dead).toHaveLength(1), 60_000);
    expect(dead[0]).toMatchObject({ name: 'transcribe', payload: { transcriptionId: 'doomed' }, attempt: 2 });
    expect(attempts).toEqual([1, 2]);
    expect(startsMs[1]! - startsMs[0]!).toBeGreaterThan(RETRY.transcribe.firstDelayMs - 50);
    expect(last).toEqual([false, true]);
    expect(queues.errors).toHaveLength(2);
    await sleep(700);
    expect(dead).toHaveLength(1);
  });

  test('a job waits for a storage of files that does not answer, however often it asks', async ({ expect, queues }) => {
    const queue = await queues.open();
    const last: boolean[] = [];
    const dead: Job[] = [];
    const outages = RETRY.transcribe.maxAttempts + 3;
    const handler: JobHandler<'transcribe'> = async ({ isLastAttempt }) => {
      last.push(isLastAttempt);
      if (last.length <= outages) throw new StorageUnavailable(new Error('connection refused'));
    };
    await work(queue, handler, 1, dead);
    await queues.enqueue(queue, 'patient');
    await vi.waitFor(() => expect(last).toHaveLength(outages + 1), 60_000);
    await vi.waitFor(async () => expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 }), 60_000);
    expect(last).toEqual(Array.from({ length: outages + 1 }, () => false));
    expect(dead).toEqual([]);
    expect(queues.errors).toHaveLength(outages);
  });

  test('each job name has its own retry policy, and `RetryLater` is not reported as an error', async ({
    expect,
    queues,
  }) => {
    const queue = await queues.open();
    const attempts: number[] = [];
    const dead: Job[] = [];
    const deliver: JobHandler<'deliver'> = async (job) => {
      attempts.push(job.attempt);
      throw new RetryLater('the receiver is down');
    };
    await work(queue, async () => {}, 1, dead, deliver);
    await queues.enqueue(queue, 'undeliverable', 'account', 'deliver');
    await vi.waitFor(() => expect(dead).toHaveLength(1), 60_000);
    expect(attempts).toEqual([1, 2, 3, 4]);
    expect(dead[0]).toMatchObject({ name: 'deliver', payload: { transcriptionId: 'undeliverable' }, attempt: 4 });
    expect(queues.errors).toEqual([]);
  });
}
