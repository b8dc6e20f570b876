// A thread that polls and measures, so that work of the soak's other clients does not count: posts
// the milliseconds of each answer to its parent, until that ends it. The polled record does not
// exist; the query costs the same.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { OWNER_KEY } from '#testbed/service/service.ts';

const POLL_EVERY_MS = 100;

const baseUrl = String(workerData);
for (;;) {
  const url = `${baseUrl}/api/speech-to-text/get-result?id=${crypto.randomUUID()}`;
  const sentMs = performance.now();
  const response = await fetch(url, { headers: { 'x-api-key': OWNER_KEY } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`a poll was answered ${response.status}`);
  // The rule is about windows of a browser.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(performance.now() - sentMs);
  await sleep(POLL_EVERY_MS);
}
