import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Job } from '#server/queue/queue.ts';
import { RETRY, stopBetweenWrites, work, type TestQueues } from './test-queues.ts';

/** What happens when a process is killed, falls silent or crashes. */
export function describeDeath(queues: TestQueues): void {
  it('a job whose process was killed runs again at once, without waiting for the end of its lease', async () => {
    const queue = await queues.open({ heartbeatMs: 200, leaseMs: 60_000 });
    const holder = queues.startProcess('hang');
    await holder.said('working');
    await queues.enqueue(queue, 'orphan');
    await holder.said('start orphan 1');
    await holder.kill();
    const attempts: number[] = [];
    await work(queue, async (job) => void attempts.push(job.attempt));
    await vi.waitFor(() => expect(attempts).toEqual([2]), { timeout: 5_000, interval: 20 });
  });

  it('a process that falls silent loses its job, stops it when it wakes, and settles nothing', async () => {
    const queue = await queues.open();
    const sleeper = queues.startProcess('hang');
    await sleeper.said('working');
    await queues.enqueue(queue, 'held');
    await sleeper.said('start held 1');
    await stopBetweenWrites(sleeper, queues.store);
    const attempts: number[] = [];
    const finish = Promise.withResolvers<void>();
    await work(queue, async (job) => {
      attempts.push(job.attempt);
      await finish.promise;
    });
    await vi.waitFor(() => expect(attempts).toEqual([2]), 8_000);
    sleeper.signal('SIGCONT');
    await sleeper.said('aborted held');
    await sleep(300);
    expect(await queue.depth()).toEqual({ waiting: 0, active: 1 });
    finish.resolve();
    await vi.waitFor(async () => expect(await queue.depth()).toEqual({ waiting: 0, active: 0 }), 5_000);
    expect(attempts).toEqual([2]);
  });

  it('a job that takes its process down every time is dead after its last start', async () => {
    const queue = await queues.open();
    await queues.enqueue(queue, 'poison');
    for (let start = 1; start <= RETRY.transcribe.maxStarts; start++) {
      const victim = queues.startProcess('crash');
      await victim.said(`start poison ${start}`);
      await victim.ended;
    }
    const ran: string[] = [];
    const dead: Job[] = [];
    await work(queue, async (job) => void ran.push(job.payload.transcriptionId), 1, dead);
    await vi.waitFor(() => expect(dead.map((job) => job.payload.transcriptionId)).toEqual(['poison']), 8_000);
    expect(ran).toEqual([]);
  });
}
