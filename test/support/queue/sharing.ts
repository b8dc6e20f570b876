import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { JobHandler } from '#server/queue/queue.ts';
import { totalDepth, work, type QueueTest } from './test-queues.ts';

/** Tests of concurrency limits and fair order. */
export function describeSharing(test: QueueTest): void {
  test('exactly as many jobs run at a time as allowed', async ({ expect, queues }) => {
    const queue = await queues.open();
    const finish = Promise.withResolvers<void>();
    let running = 0;
    const handler: JobHandler<'transcribe'> = async () => {
      running++;
      await finish.promise;
      running--;
    };
    await work(queue, handler, 3);
    for (let index = 0; index < 8; index++) await queues.enqueue(queue, `bounded-${index}`, `account-${index}`);
    await vi.waitFor(() => expect(running).toBe(3), 60_000);
    await sleep(700);
    expect(running).toBe(3);
    expect(await totalDepth(queue)).toEqual({ waiting: 5, active: 3 });
    finish.resolve();
    await vi.waitFor(async () => expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 }), 60_000);
  });

  test('a hundred waiting jobs of one account do not delay the first ones of another', async ({ expect, queues }) => {
    const queue = await queues.open();
    for (let index = 0; index < 100; index++) await queues.enqueue(queue, `greedy-${index}`, 'greedy');
    for (let index = 0; index < 3; index++) await queues.enqueue(queue, `modest-${index}`, 'modest');
    expect(await totalDepth(queue)).toEqual({ waiting: 103, active: 0 });
    const order: string[] = [];
    await work(queue, async (job) => void order.push(job.payload.transcriptionId));
    await vi.waitFor(() => expect(order).toHaveLength(103), 60_000);
    expect(order.filter((id) => id.startsWith('modest'))).toEqual(['modest-0', 'modest-1', 'modest-2']);
    expect(order.indexOf('modest-0')).toBeLessThanOrEqual(1);
    expect(order.indexOf('modest-2')).toBeLessThanOrEqual(5);
    expect(order.filter((id) => id.startsWith('greedy')).slice(0, 3)).toEqual(['greedy-0', 'greedy-1', 'greedy-2']);
  });

  test('deliveries and transcriptions have separate concurrency limits', async ({ expect, queues }) => {
    const queue = await queues.open();
    const finish = Promise.withResolvers<void>();
    const running: string[] = [];
    const wait = (name: string) => async () => {
      running.push(name);
      await finish.promise;
    };
    await work(queue, wait('transcribe'), 2, [], wait('deliver'));
    for (let index = 0; index < 5; index++) await queues.enqueue(queue, `sent-${index}`, 'account', 'deliver');
    await vi.waitFor(() => expect(running).toEqual(['deliver', 'deliver']), 60_000);
    for (let index = 0; index < 5; index++) await queues.enqueue(queue, `transcribed-${index}`);
    await vi.waitFor(() => expect(running).toEqual(['deliver', 'deliver', 'transcribe', 'transcribe']), 60_000);
    expect(await queue.depth()).toEqual({
      transcribe: { waiting: 3, active: 2 },
      deliver: { waiting: 3, active: 2 },
    });
    finish.resolve();
    await vi.waitFor(async () => expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 }), 60_000);
    expect(running.filter((name) => name === 'deliver')).toHaveLength(5);
  });

  test('deliveries of an account with many jobs do not delay transcriptions of other accounts', async ({
    expect,
    queues,
  }) => {
    const queue = await queues.open();
    for (let index = 0; index < 30; index++) await queues.enqueue(queue, `greedy-${index}`, 'greedy');
    for (let index = 0; index < 30; index++) await queues.enqueue(queue, `sent-${index}`, 'greedy', 'deliver');
    const release = Promise.withResolvers<void>();
    const order: string[] = [];
    let deliveredCount = 0;
    const transcribe: JobHandler<'transcribe'> = async ({ payload }) => {
      await release.promise;
      order.push(payload.transcriptionId);
    };
    await work(queue, transcribe, 1, [], async () => void deliveredCount++);
    await vi.waitFor(() => expect(deliveredCount).toBe(30), 60_000);
    await queues.enqueue(queue, 'modest', 'modest');
    release.resolve();
    await vi.waitFor(() => expect(order).toHaveLength(31), 60_000);
    expect(order.indexOf('modest')).toBeLessThanOrEqual(3);
  });

  test('deliveries that failed are not tried again before the first ones of another account', async ({
    expect,
    queues,
  }) => {
    const queue = await queues.open();
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const order: string[] = [];
    const deliver: JobHandler<'deliver'> = async ({ payload: { transcriptionId }, attempt }) => {
      order.push(transcriptionId);
      if (transcriptionId.startsWith('failing') && attempt === 1) {
        throw new AppError('service_unavailable', 'the receiver is down', { retryAfterSeconds: 1 });
      }
      if (transcriptionId !== 'held') return;
      started.resolve();
      await release.promise;
    };
    const deliveries = ['failing-0', 'failing-1', 'failing-2', 'held'];
    for (const id of deliveries) await queues.enqueue(queue, id, 'greedy', 'deliver');
    await work(queue, async () => {}, 1, [], deliver);
    await started.promise;
    // All that failed are due again.
    await sleep(1_500);
    await queues.enqueue(queue, 'modest', 'modest', 'deliver');
    release.resolve();
    await vi.waitFor(() => expect(order).toHaveLength(8), 60_000);
    expect(order[order.indexOf('held') + 1]).toBe('modest');
  });

  test('two processes share the jobs and run none twice', async ({ expect, queues }) => {
    const queue = await queues.open();
    const pair = [queues.startProcess('run', 2), queues.startProcess('run', 2)];
    for (const process of pair) await process.printed('working');
    for (let index = 0; index < 60; index++) await queues.enqueue(queue, `shared-${index}`);
    await vi.waitFor(async () => expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 }), 60_000);
    const starts = pair.map((process) => process.lines.filter((line) => line.startsWith('start ')));
    expect(starts.flat()).toHaveLength(60);
    expect(new Set(starts.flat()).size).toBe(60);
    expect(Math.min(...starts.map((lines) => lines.length))).toBeGreaterThan(0);
  });
}
