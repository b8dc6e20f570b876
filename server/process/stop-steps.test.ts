import { describe, expect, it, vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { createStopSteps } from './stop-steps.ts';

const logging = () => {
  const lines: [object, string][] = [];
  return { lines, logger: { error: (details: object, line: string) => lines.push([details, line]) } as never };
};

describe('createStopSteps', () => {
  it('runs steps whatever became of those before them, and names those that failed', async () => {
    const { lines, logger } = logging();
    const steps = createStopSteps(logger);
    const cause = new AppError('service_unavailable');
    const last = vi.fn(() => Promise.resolve());
    await steps.run('the first', () => Promise.reject(cause));
    await steps.run('the second', () => {
      throw cause;
    });
    await steps.run('the last', last);
    expect(last).toHaveBeenCalledOnce();
    expect(steps.hasFailed()).toBe(true);
    expect(lines).toEqual([
      [{ cause }, 'stopping: the first failed'],
      [{ cause }, 'stopping: the second failed'],
    ]);
  });

  it('leaves a step that does not end', async () => {
    const { lines, logger } = logging();
    const steps = createStopSteps(logger);
    await steps.run('a step that hangs', () => new Promise(() => {}), 1);
    expect(lines).toEqual([[{ limitMs: 1 }, 'stopping: a step that hangs failed']]);
  });

  it('is in order when all steps end', async () => {
    const { lines, logger } = logging();
    const steps = createStopSteps(logger);
    await steps.run('a step', () => Promise.resolve());
    expect([lines, steps.hasFailed()]).toEqual([[], false]);
  });
});
