import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The reason of the signal of a command that was interrupted. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  override readonly message = 'Interrupted.';
  /** The exit status that shells give: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP. */
  readonly status: number;

  constructor(signal: (typeof SIGNALS)[number]) {
    super();
    this.status = 128 + constants.signals[signal];
  }
}

/** Calls `end` for signals that interrupt a command, until it is disposed of. */
export function onInterruption(end: (reason: Interrupted) => void): Disposable {
  const listeners = SIGNALS.map((name) => [name, () => end(new Interrupted(name))] as const);
  for (const [name, listener] of listeners) process.on(name, listener);
  return {
    [Symbol.dispose]() {
      for (const [name, listener] of listeners) process.off(name, listener);
    },
  };
}
