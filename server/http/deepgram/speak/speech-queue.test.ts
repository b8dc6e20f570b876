import { expect, test } from 'vitest';
import { createSpeechQueue } from './speech-queue.ts';

test('no further message is read while many steps wait that speak nothing', async () => {
  const unused = {} as never;
  const queue = createSpeechQueue(
    unused,
    { query: { encoding: 'linear16' }, confirm: async () => {} } as never,
    unused,
  );
  for (let step = 0; step < 3_000; step += 1) queue.after(() => {});
  let isReady = false;
  const ready = queue.ready().then(() => (isReady = true));
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  expect(isReady).toBe(false);
  await queue.finish();
  expect(await ready).toBe(true);
});
