import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { createStopSteps, STEP_LIMIT_MS } from './stop-steps.ts';

type Closing = { close(): Promise<unknown> };
type Draining = { drain(withinMs: number): Promise<void> };

/** Parts of the service that end in order. */
type Parts = {
  modelPulls: { stop(): Promise<unknown> };
  queue: Draining & Closing;
  speech: Draining;
  video: Draining & Closing;
  server: { close(): Promise<unknown>; server: { closeAllConnections(): void } };
  workers: Closing;
  incoming: { remove(): Promise<unknown> };
  lease: { release(): Promise<unknown> };
  store: Closing;
  tracing: Closing;
  /** Its signal ends the calls that still wait for a result. */
  closing: AbortController;
};

/**
 * Lets running work end within `drainMs`, then closes everything. Resolves to whether all of it
 * went well, after at most `drainMs` and a minute; failures are logged.
 */
export async function stopParts(
  logger: Pick<FastifyBaseLogger, 'error'>,
  drainMs: number,
  parts: Parts,
): Promise<boolean> {
  const { modelPulls, queue, speech, video, server, workers, incoming, lease, store, tracing } = parts;
  const { run, hasFailed } = createStopSteps(logger);
  await run('ending downloads of models', () => modelPulls.stop());
  // Jobs end first, because blocking calls wait for them.
  const drain = (what: string, part: Draining) =>
    run(`waiting for ${what}`, () => part.drain(drainMs), drainMs + STEP_LIMIT_MS);
  await Promise.all([drain('running jobs', queue), drain('running speech', speech), drain('running summaries', video)]);
  parts.closing.abort(new AppError('service_unavailable'));
  await run('closing connections', () => server.close());
  server.server.closeAllConnections();
  await run('closing video summaries', () => video.close());
  await run('closing worker processes', () => workers.close());
  await run('closing the queue', () => queue.close());
  await run('removing unfinished uploads', () => incoming.remove());
  await run('releasing the process lease', () => lease.release());
  await Promise.all([
    run('closing the database', () => store.close()),
    run('closing the export of traces', () => tracing.close()),
  ]);
  return !hasFailed();
}
