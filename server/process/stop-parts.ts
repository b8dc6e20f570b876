import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { createStopSteps, STEP_LIMIT_MS } from './stop-steps.ts';

type Closing = { close(): Promise<unknown> };
type Draining = { drain(withinMs: number): Promise<void> };

/** Parts of the service that end in order. */
type Parts = {
  /** The announcement by which commands find the service. */
  address: { withdraw(): Promise<unknown> };
  modelPulls: { stop(): Promise<unknown> };
  queue: Draining & Closing;
  speech: Draining;
  video: Draining & Closing;
  languageModels: Draining & Closing;
  server: { close(): Promise<unknown>; server: { closeAllConnections(): void } };
  pools: Closing;
  incoming: { remove(): Promise<unknown> };
  lease: { release(): Promise<unknown> };
  store: Closing;
  tracing: Closing;
  /** Its signal ends the calls that still wait for a result. */
  closing: AbortController;
};

/** Time after the drain for the answers of requests, as of those that waited for a result. */
const ANSWERING_MS = 4_000;

/**
 * Lets running work end within `drainMs`, then closes everything. Resolves to whether all of it
 * went well, after at most `drainMs` and a minute; failures are logged.
 */
export async function stopParts(
  logger: Pick<FastifyBaseLogger, 'error'>,
  drainMs: number,
  parts: Parts,
): Promise<boolean> {
  const { address, modelPulls, queue, speech, video, languageModels, server, pools, incoming, lease, store, tracing } =
    parts;
  const { run, hasFailed } = createStopSteps(logger);
  await run('withdrawing the address', () => address.withdraw());
  await run('ending downloads of models', () => modelPulls.stop());
  const drainUntilMs = performance.now() + drainMs;
  // Jobs end first, because blocking calls wait for them.
  const drain = (what: string, part: Draining) =>
    run(`waiting for ${what}`, () => part.drain(drainMs), drainMs + STEP_LIMIT_MS);
  await Promise.all([
    drain('running jobs', queue),
    drain('running speech', speech),
    drain('running summaries', video),
    drain('running translations', languageModels),
  ]);
  parts.closing.abort(new AppError('service_unavailable'));
  const leftMs = Math.max(ANSWERING_MS, drainUntilMs - performance.now());
  await run('closing connections', () => closeConnections(server, leftMs), leftMs + STEP_LIMIT_MS);
  await run('closing video summaries', () => video.close());
  await run('closing the language model', () => languageModels.close());
  await run('closing worker processes', () => pools.close());
  await run('closing the queue', () => queue.close());
  await run('removing unfinished uploads', () => incoming.remove());
  await run('releasing the process lease', () => lease.release());
  await Promise.all([
    run('closing the database', () => store.close()),
    run('closing the export of traces', () => tracing.close()),
  ]);
  return !hasFailed();
}

/**
 * Ends connections when their requests have ended, and all of them after a time: half a request may
 * never be completed, which is the fault of its client.
 */
async function closeConnections(server: Parts['server'], withinMs: number): Promise<void> {
  const cutOff = setTimeout(() => server.server.closeAllConnections(), withinMs);
  try {
    await server.close();
  } finally {
    clearTimeout(cutOff);
  }
}
