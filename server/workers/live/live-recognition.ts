import { AppError, deserializeError, toAppError } from '@jyutsing/contracts/errors';
import type { LiveRecognition } from '@jyutsing/contracts/live-recognition';
import { recognizeLive } from '#workers/tasks/recognize-live.ts';
import type { LiveMessage, LiveReport } from './live-messages.ts';
import type { WorkerPools } from '#workers/worker-pools.ts';
import type { CorrectLive } from './live-correction.ts';
import { createLiveSession, type SessionLink } from './live-session.ts';

/** A process and its sessions. */
type Host = { send(message: LiveMessage): void; readonly links: Map<number, SessionLink>; stop(): void };

/** A further process is started for more sessions than this: each one loads the models again. */
const SESSIONS_OF_FIRST = 4;

/** A process that was started for a client that then sends nothing ends after this time. */
const PREPARED_MS = 30_000;

/**
 * Live recognition in at most `maxProcesses` worker processes. A new session goes to the process
 * with the fewest; one that crashes ends its own sessions only. `correct` is asked for every
 * recognized piece of sessions with `correction`.
 */
export function createLiveRecognition(
  pools: Pick<WorkerPools, 'connect'>,
  maxProcesses: number,
  correct: CorrectLive = async () => null,
): LiveRecognition {
  const hosts = new Set<Host>();
  let nextSession = 0;

  const hostForNext = (): Host => {
    const [least] = [...hosts].toSorted((a, b) => a.links.size - b.links.size);
    const isFull = least === undefined || (least.links.size >= SESSIONS_OF_FIRST && hosts.size < maxProcesses);
    return isFull ? startHost() : least;
  };
  const startHost = (): Host => {
    const stopping = new AbortController();
    const connecting = pools.connect(recognizeLive, null, stopping.signal);
    const links = new Map<number, SessionLink>();
    const host: Host = {
      links,
      // In order: each waits for the same promise.
      send: (message) => void connecting.then((connection) => connection.send(message)).catch(() => {}),
      stop() {
        hosts.delete(host);
        stopping.abort(new AppError('client_closed_request'));
      },
    };
    hosts.add(host);
    const read = async () => {
      for await (const report of (await connecting).events) {
        if (report.type === 'correct') void answer(host, report);
        else receive(links, report);
      }
    };
    void read()
      .then(
        () => new AppError('engine_failed'),
        (thrown: unknown) => toAppError(thrown),
      )
      .then((reason) => {
        hosts.delete(host);
        // Each removes itself.
        Array.from(links.values(), (link) => link.fail(reason));
      });
    return host;
  };

  const answer = async (host: Host, { session, correction, call }: Extract<LiveReport, { type: 'correct' }>) =>
    host.send({ session, type: 'corrected', correction, segment: await correct(call) });

  const recognition: LiveRecognition = {
    prepare(request) {
      if (hosts.size > 0) return;
      const { events } = recognition.open(request, AbortSignal.timeout(PREPARED_MS));
      // It ends with its time; a failure shows in the session that follows.
      void Array.fromAsync(events).catch(() => {});
    },
    open(request, signal) {
      const session = nextSession;
      nextSession += 1;
      const host = hostForNext();
      const abort = () => {
        host.send({ session, type: 'abort' });
        link.fail(signal.reason);
      };
      const link = createLiveSession(
        (input) => host.send({ session, type: 'input', input }),
        () => {
          signal.removeEventListener('abort', abort);
          host.links.delete(session);
          if (host.links.size === 0) host.stop();
        },
      );
      host.links.set(session, link);
      host.send({ session, type: 'open', request });
      // Its dictionaries take a second to load, which the first words give.
      const { correction: models = null, context } = request;
      if (models !== null) void correct({ models, context, piece: null });
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      return link.session;
    },
    count: () => [...hosts].reduce((sum, { links }) => sum + links.size, 0),
  };
  return recognition;
}

function receive(links: ReadonlyMap<number, SessionLink>, report: Exclude<LiveReport, { type: 'correct' }>): void {
  if (report.type === 'alive') return;
  const link = links.get(report.session);
  if (report.type === 'event') link?.event(report.event);
  else if (report.type === 'taken') link?.taken(report.samples);
  else if (report.type === 'ended') link?.ended();
  else link?.fail(deserializeError(report.error));
}
