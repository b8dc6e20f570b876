import { constants, setPriority } from 'node:os';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { AppError, serializeError, type SerializedError } from '@jyutsing/contracts/errors';
import { pullModel, type PullEvent, type PullOptions } from '@jyutsing/engines/runtime/model-files/install';
import { useProxyFromEnvironment } from '@jyutsing/engines/runtime/model-files/proxy';

/** The only message to this process. */
export type PullOrder = {
  packs: readonly ModelPackage[];
  options: Omit<PullOptions, 'signal' | 'onEvent' | 'acceptChange'>;
};
/** Messages of this process; the last one is `installed` or `failed`. */
export type PullReport = PullEvent | { type: 'installed' } | Failed;
type Failed = { type: 'failed'; names: string[]; error: SerializedError };

/** Every chunk of a download is an event; the parent needs far fewer. */
const REPORT_EVERY_MS = 250;

// Pulls packages in a process of its own: unpacking takes half a minute of computing, which must
// not delay the answers of the service.
setPriority(constants.priority.PRIORITY_LOW);
useProxyFromEnvironment();
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent stops this process.
process.on('SIGINT', () => {});
process.once('message', (order: PullOrder) => void pull(order));

async function pull({ packs, options }: PullOrder): Promise<void> {
  let last = { type: '', atMs: 0 };
  // Bytes of all packages together.
  const totalBytes = packs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let installedBytes = 0;
  // A package that fails does not keep the others from being pulled.
  const failures: Failure[] = [];
  const onEvent = (event: PullEvent) => {
    const nowMs = performance.now();
    if (event.type === last.type && nowMs - last.atMs < REPORT_EVERY_MS) return;
    last = { type: event.type, atMs: nowMs };
    report('doneBytes' in event ? { ...event, doneBytes: installedBytes + event.doneBytes, totalBytes } : event);
  };
  try {
    const signal = new AbortController().signal;
    for (const pack of packs) {
      await pullModel(pack, { ...options, acceptChange: false, signal, onEvent }).catch((thrown: unknown) => {
        failures.push({ name: pack.name, error: asAppError(thrown) });
      });
      installedBytes += pack.sizeBytes;
    }
    report(failures.length > 0 ? failed(failures, packs.length > 1) : { type: 'installed' });
  } finally {
    process.disconnect();
  }
}

type Failure = { name: string; error: AppError };

/** Only messages of AppErrors are made for users. */
function asAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new AppError('internal_error', undefined, { cause: thrown });
}

/** One report of all failures; each message names its packages where there are several. */
function failed(failures: readonly Failure[], isOneOfSeveral: boolean): Failed {
  const byMessage = Map.groupBy(failures, ({ error }) => error.message);
  const namesOf = (list: readonly Failure[]) => list.map(({ name }) => name);
  const sentences = [...byMessage].map(([message, group]) =>
    isOneOfSeveral ? `${namesOf(group).join(', ')}: ${message}` : message,
  );
  const code = failures[0]?.error.code ?? 'internal_error';
  return { type: 'failed', names: namesOf(failures), error: serializeError(new AppError(code, sentences.join('; '))) };
}

function report(message: PullReport): void {
  process.send?.(message, () => {});
}
