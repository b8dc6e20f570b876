import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#testbed/service/service.ts';
import { openProcessorWait } from './process-usage.ts';

const SECOND_NS = 1e9;

/** A folder as Linux has it, with a process whose threads have waited for these seconds. */
async function writeWaits(proc: string, waitSeconds: Record<string, number>): Promise<void> {
  for (const [thread, seconds] of Object.entries(waitSeconds)) {
    const folder = join(proc, '7/task', thread);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'schedstat'), `123456789 ${seconds * SECOND_NS} 42\n`);
  }
}

it('the wait is that of the thread which has waited longest since the last event', async () => {
  await using proc = await temporaryFolder();
  await writeWaits(proc.path, { 7: 100, 8: 3 });
  const waitSince = openProcessorWait(7, proc.path);
  const eventMs = performance.now() - 2_000;
  expect(waitSince(eventMs)).toBe(0);
  await writeWaits(proc.path, { 7: 101, 8: 33, 9: 5 });
  expect(waitSince(eventMs)).toBe(30_000);
  expect(waitSince(performance.now())).toBe(0);
  expect(waitSince(eventMs + 1)).toBe(0);
});

it('the wait is 0 where the system does not count it', async () => {
  await using proc = await temporaryFolder();
  expect(openProcessorWait(7, proc.path)(performance.now() - 2_000)).toBe(0);
});
