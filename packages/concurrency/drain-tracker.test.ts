import { describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { createDrainTracker } from './drain-tracker.ts';

const never = () => new AbortController().signal;

/** Ends with the reason of the signal. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

describe('draining', () => {
  it('ends at once when nothing runs', async () => {
    const tracker = createDrainTracker();
    await tracker.run(never(), () => Promise.resolve());
    await tracker.drain(60_000);
    expect(tracker.until(never()).aborted).toBe(true);
  });

  it('waits for the work that runs, and does not abort it', async () => {
    const tracker = createDrainTracker();
    const work = Promise.withResolvers<string>();
    const running = tracker.run(never(), () => work.promise);
    let isDrained = false;
    const draining = tracker.drain(60_000).then(() => (isDrained = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isDrained).toBe(false);
    work.resolve('done');
    expect(await running).toBe('done');
    await draining;
  });

  it('aborts what is left when its time is over, with an error that clients may retry', async () => {
    const tracker = createDrainTracker();
    const running = tracker.run(never(), untilAborted);
    running.catch(() => {});
    await tracker.drain(0);
    const error = await running.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('service_unavailable');
    expect((error as AppError).retryable).toBe(true);
  });

  it('counts failed work and work that was ended twice as ended once', async () => {
    const tracker = createDrainTracker();
    await expect(tracker.run(never(), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const end = tracker.begin();
    const endOther = tracker.begin();
    end();
    end();
    let isDrained = false;
    const draining = tracker.drain(60_000).then(() => (isDrained = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isDrained).toBe(false);
    endOther();
    await draining;
  });
});

it('work ends when its own request is aborted, with the reason of the request', async () => {
  const tracker = createDrainTracker();
  const request = new AbortController();
  const running = tracker.run(request.signal, untilAborted);
  request.abort(new Error('the client hung up'));
  await expect(running).rejects.toThrow('the client hung up');
});
