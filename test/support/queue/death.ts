import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { Job } from '#server/queue/queue.ts';
import { RETRY, SHORT_LEASE, stopBetweenWrites, totalDepth, work, type QueueTest } from './test-queues.ts';

/** Tests of processes that are killed, suspended or crash. */
export function describeDeath(test: QueueTest): void {
  test('a job whose process was killed runs again at once, without waiting for its lease to expire', async ({
    expect,
    queues,
  }) => {
    const queue = await queues.open();
    const holder = queues.startProcess('hang');
    await holder.printed('working');
    await queues.enqueue(queue, 'orphan');
    await holder.printed('start orphan 1');
    await holder.kill();
    const attempts: number[] = [];
    await work(queue, async (job) => void attempts.push(job.attempt));
    await vi.waitFor(() => expect(attempts).toEqual([2]), { timeout: 60_000, interval: 20 });
  });

  test('a suspended process loses its job, aborts it when it resumes, and settles nothing', async ({
    expect,
    queues,
  }) => {
    const queue = await queues.open(SHORT_LEASE);
    const suspended = queues.startProcess('hang');
    await suspended.printed('working');
    await queues.enqueue(queue, 'held');
    await suspended.printed('start held 1');
    await stopBetweenWrites(suspended, queues.store);
    const attempts: number[] = [];
    const finish = Promise.withResolvers<void>();
    await work(queue, async (job) => {
      attempts.push(job.attempt);
      await finish.promise;
    });
    await vi.waitFor(() => expect(attempts).toEqual([2]), 60_000);
    suspended.signal('SIGCONT');
    await suspended.printed('aborted held');
    await sleep(300);
    expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 1 });
    finish.resolve();
    await vi.waitFor(async () => expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 }), 60_000);
    expect(attempts).toEqual([2]);
  });

  test('a job that crashes its process every time is dead at last', async ({ expect, queues }) => {
    const queue = await queues.open();
    await queues.enqueue(queue, 'poison');
    for (let start = 1; start <= RETRY.transcribe.maxDeaths; start++) {
      const victim = queues.startProcess('crash');
      await victim.printed(`start poison ${start}`);
      await victim.ended;
    }
    const ran: string[] = [];
    const dead: Job[] = [];
    await work(queue, async (job) => void ran.push(job.payload.transcriptionId), 1, dead);
    await vi.waitFor(() => expect(dead.map((job) => job.payload.transcriptionId)).toEqual(['poison']), 60_000);
    expect(ran).toEqual([]);
  });

  test('deaths of the process do not count as failures of the handler', async ({ expect, queues }) => {
    await queues.enqueue(await queues.open(), 'unlucky');
    for (let start = 1; start < RETRY.transcribe.maxDeaths; start++) {
      const victim = queues.startProcess('crash');
      await victim.printed(`start unlucky ${start}`);
      await victim.ended;
    }
    const attempts: number[] = [];
    const dead: Job[] = [];
    // A job without deaths survives as many failures.
    const failures = RETRY.transcribe.maxAttempts - 1;
    const handler = async ({ attempt }: Job) => {
      attempts.push(attempt);
      if (attempts.length <= failures) throw new AppError('service_unavailable', 'the disk is full');
    };
    const queue = await queues.open();
    await work(queue, handler, 1, dead);
    await vi.waitFor(() => expect(attempts).toHaveLength(failures + 1), 60_000);
    await vi.waitFor(async () => expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 }), 60_000);
    expect(attempts).toEqual([RETRY.transcribe.maxDeaths, RETRY.transcribe.maxDeaths + 1]);
    expect(dead).toEqual([]);
  });

  test('failures of the handler do not count as deaths, and both end the job in the end', async ({
    expect,
    queues,
  }) => {
    const first = await queues.open();
    await queues.enqueue(first, 'doomed');
    const dead: Job[] = [];
    let failed = 0;
    await work(first, async (_job, signal) => {
      // The second start may come before `drain`, which interrupts it: that is no failure.
      if (failed === 1) await once(signal, 'abort');
      signal.throwIfAborted();
      failed += 1;
      throw new AppError('service_unavailable', 'the disk is full');
    });
    await vi.waitFor(async () => expect(queues.errors).toHaveLength(1), 60_000);
    await first.drain(0);
    const victim = queues.startProcess('crash');
    await victim.printed(/^start doomed \d$/m);
    await victim.ended;
    const last = await queues.open();
    const handler = async () => {
      failed += 1;
      throw new AppError('service_unavailable', 'the disk is full');
    };
    await work(last, handler, 1, dead);
    await vi.waitFor(() => expect(dead).toHaveLength(1), 60_000);
    expect(failed).toBe(RETRY.transcribe.maxAttempts);
  });
}
