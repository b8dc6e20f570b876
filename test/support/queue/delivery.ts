import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { JobHandler } from '#server/queue/queue.ts';
import { totalDepth, work, type QueueTest } from './test-queues.ts';

/** Tests that jobs run only if committed, soon, and once. */
export function describeDelivery(test: QueueTest): void {
  test('a job enqueued in a transaction that rolls back never runs', async ({ expect, queues }) => {
    const queue = await queues.open();
    const ran: string[] = [];
    await work(queue, async (job) => void ran.push(job.payload.transcriptionId));
    const failing = queues.store.transaction(async (transaction) => {
      await queue.enqueue(transaction, {
        name: 'transcribe',
        payload: { transcriptionId: 'never' },
        accountId: 'account',
      });
      throw new AppError('conflict');
    });
    await expect(failing).rejects.toMatchObject({ code: 'conflict' });
    await queues.enqueue(queue, 'later');
    await vi.waitFor(() => expect(ran).toEqual(['later']), 60_000);
    await sleep(700);
    expect(ran).toEqual(['later']);
  });

  test('a job in an idle queue starts long before the next poll', async ({ expect, queues }) => {
    const queue = await queues.open();
    const waitsMs: number[] = [];
    let committedMs = 0;
    await work(queue, async () => void waitsMs.push(performance.now() - committedMs));
    for (let count = 1; count <= 21; count++) {
      committedMs = performance.now();
      await queues.enqueue(queue, `quick-${count}`);
      await vi.waitFor(() => expect(waitsMs).toHaveLength(count), { timeout: 60_000, interval: 5 });
      await sleep(20);
    }
    // The queue polls every 500 ms, and a job comes 20 ms after a poll: polls alone would be late
    // every time. The benchmark measures the latency.
    expect(Math.min(...waitsMs)).toBeLessThan(250);
  });

  test('500 jobs each run once', async ({ expect, queues }) => {
    const queue = await queues.open();
    const runs = new Map<string, number>();
    const handler: JobHandler<'transcribe'> = async ({ payload: { transcriptionId } }) => {
      runs.set(transcriptionId, (runs.get(transcriptionId) ?? 0) + 1);
      await sleep(Math.random() * 4);
    };
    await work(queue, handler, 5);
    await queues.store.transaction(async (transaction) => {
      for (let index = 0; index < 500; index++) {
        const payload = { transcriptionId: `many-${index}` };
        await queue.enqueue(transaction, { name: 'transcribe', payload, accountId: `account-${index % 7}` });
      }
    });
    await vi.waitFor(() => expect(runs.size).toBe(500), 60_000);
    await vi.waitFor(async () => expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 }), 60_000);
    expect(Math.max(...runs.values())).toBe(1);
  });
}
