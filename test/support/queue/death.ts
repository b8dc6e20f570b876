import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Job } from '#server/queue/queue.ts';
import { RETRY, stopBetweenWrites, work, type TestQueues } from './test-queues.ts';

/** Tests of processes that are killed, suspended or crash. */
export function describeDeath(queues: TestQueues): void {
  it('a job whose process was killed runs again at once, without waiting for its lease to expire', async () => {
    const queue = await queues.open({ heartbeatMs: 200, leaseMs: 60_000 });
    const holder = queues.startProcess('hang');
    await holder.printed('working');
    await queues.enqueue(queue, 'orphan');
    await holder.printed('start orphan 1');
    await holder.kill();
    const attempts: number[] = [];
    await work(queue, async (job) => void attempts.push(job.attempt));
    await vi.waitFor(() => expect(attempts).toEqual([2]), { timeout: 5_000, interval: 20 });
  });

  it('a suspended process loses its job, aborts it when it resumes, and settles nothing', async () => {
    const queue = await queues.open();
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
    await vi.waitFor(() => expect(attempts).toEqual([2]), 8_000);
    suspended.signal('SIGCONT');
    await suspended.printed('aborted held');
    await sleep(300);
    expect(await queue.depth()).toEqual({ waiting: 0, active: 1 });
    finish.resolve();
    await vi.waitFor(async () => expect(await queue.depth()).toEqual({ waiting: 0, active: 0 }), 5_000);
    expect(attempts).toEqual([2]);
  });

  it('a job that crashes its process every time is dead after its last start', async () => {
    const queue = await queues.open();
    await queues.enqueue(queue, 'poison');
    for (let start = 1; start <= RETRY.transcribe.maxStarts; start++) {
      const victim = queues.startProcess('crash');
      await victim.printed(`start poison ${start}`);
      await victim.ended;
    }
    const ran: string[] = [];
    const dead: Job[] = [];
    await work(queue, async (job) => void ran.push(job.payload.transcriptionId), 1, dead);
    await vi.waitFor(() => expect(dead.map((job) => job.payload.transcriptionId)).toEqual(['poison']), 8_000);
    expect(ran).toEqual([]);
  });
}
