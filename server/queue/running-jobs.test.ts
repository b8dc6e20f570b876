import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { RetryLater, type Job, type JobDefinitions } from './queue.ts';
import { createRunningJobs, type Outcome, type RunningJobs } from './running-jobs.ts';

const JOB: Job = {
  id: '1',
  name: 'transcribe',
  payload: { transcriptionId: 'a' },
  attempt: 1,
  isLastAttempt: false,
};
const DELIVERY: Job = { ...JOB, id: '2', name: 'deliver' };

let handle: (signal: AbortSignal) => Promise<void>;
let errors: unknown[];
let outcomes: Outcome[];
let jobs: RunningJobs;

beforeEach(() => {
  handle = async () => {};
  errors = [];
  outcomes = [];
  const definition = {
    run: async (_job: Job, signal: AbortSignal) => handle(signal),
    concurrency: 1,
    onDeadLetter: async () => {},
  };
  const definitions = { transcribe: definition, deliver: definition } as unknown as JobDefinitions;
  jobs = createRunningJobs(definitions, (error) => errors.push(error));
});

const settle = async (outcome: Outcome) => void outcomes.push(outcome);
/** Ends with the reason when the job is told to stop. */
const untilStopped = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

describe('a job', () => {
  it('that succeeds is done', async () => {
    await jobs.run(JOB, settle);
    expect([outcomes, errors]).toEqual([[{ kind: 'done' }], []]);
  });

  it('that fails is reported and settled with its error', async () => {
    const error = new TypeError('broken');
    handle = () => Promise.reject(error);
    await jobs.run(JOB, settle);
    expect([outcomes, errors]).toEqual([[{ kind: 'failed', error }], [error]]);
  });

  it('that reported its failure itself is not reported again', async () => {
    handle = () => Promise.reject(new RetryLater('the receiver is busy'));
    await jobs.run(JOB, settle);
    expect(outcomes).toEqual([{ kind: 'failed', error: expect.any(RetryLater) }]);
    expect(errors).toEqual([]);
  });

  it('that is stopped was interrupted, which is no failure', async () => {
    handle = untilStopped;
    const stop = new AbortController();
    const running = jobs.run(JOB, settle, stop.signal);
    stop.abort(new AppError('service_unavailable'));
    await running;
    expect([outcomes, errors]).toEqual([[{ kind: 'interrupted' }], []]);
  });

  it('that succeeds although it was stopped is done', async () => {
    const stop = new AbortController();
    handle = async () => stop.abort();
    await jobs.run(JOB, settle, stop.signal);
    expect(outcomes).toEqual([{ kind: 'done' }]);
  });

  it('is counted by its name while it runs', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    handle = () => promise;
    const all = [jobs.run(JOB, settle), jobs.run({ ...JOB, id: '3' }, settle), jobs.run(DELIVERY, settle)];
    expect([jobs.count('transcribe'), jobs.count('deliver')]).toEqual([2, 1]);
    resolve();
    await Promise.all(all);
    expect([jobs.count('transcribe'), jobs.count('deliver')]).toEqual([0, 0]);
  });

  it('counts until its outcome is saved', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = jobs.run(JOB, () => promise);
    await Promise.resolve();
    expect(jobs.count('transcribe')).toBe(1);
    resolve();
    await running;
    expect(jobs.count('transcribe')).toBe(0);
  });

  it('whose outcome cannot be saved at once is saved later, and runs once', async () => {
    let runs = 0;
    handle = async () => void (runs += 1);
    const failures = [new Error('the database is away')];
    await jobs.run(JOB, async (outcome) => {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
      await settle(outcome);
    });
    expect([outcomes, runs]).toEqual([[{ kind: 'done' }], 1]);
    expect(errors).toEqual([new Error('the database is away')]);
  });
});

describe('the end of the process', () => {
  it('waits for jobs that end in time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    handle = () => promise;
    const running = jobs.run(JOB, settle);
    const drained = jobs.drain(60_000);
    resolve();
    await Promise.all([running, drained]);
    expect(outcomes).toEqual([{ kind: 'done' }]);
  });

  it('stops jobs that do not, and lets them save that they were interrupted', async () => {
    handle = untilStopped;
    const running = jobs.run(JOB, settle);
    await jobs.drain(0);
    await running;
    expect(outcomes).toEqual([{ kind: 'interrupted' }]);
  });

  it('gives up saving an outcome while the database is away', async () => {
    const running = jobs.run(JOB, () => Promise.reject(new Error('the database is away')));
    const ended = running.catch((thrown: unknown) => (thrown as Error).name);
    await jobs.drain(0);
    expect(await ended).toBe('AbortError');
    expect(jobs.count('transcribe')).toBe(0);
  });

  it('without jobs is at once', async () => {
    await jobs.drain(60_000);
    expect(errors).toEqual([]);
  });

  it('stops all jobs with one reason', async () => {
    const reasons: unknown[] = [];
    handle = async (signal) => {
      await untilStopped(signal).catch((reason: unknown) => reasons.push(reason));
      signal.throwIfAborted();
    };
    const all = [jobs.run(JOB, settle), jobs.run(DELIVERY, settle)];
    const reason = new AppError('service_unavailable', 'This process lost its lease.');
    jobs.abortAll(reason);
    await Promise.all(all);
    expect(reasons).toEqual([reason, reason]);
    expect(outcomes).toEqual([{ kind: 'interrupted' }, { kind: 'interrupted' }]);
  });
});
