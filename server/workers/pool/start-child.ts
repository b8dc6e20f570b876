import { fork, type ChildProcess } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import { WORKER_FLAGS } from '@jyutsing/system/v8-flags';

export type StartOptions = {
  entry: URL;
  /** The environment of the process; absent means that of this process. */
  environment?: NodeJS.ProcessEnv | undefined;
  /** A command that replaces itself by the words after it, such as a sandbox; absent: none. */
  words?: (() => string[]) | undefined;
  /**
   * How much nicer than this process, which answers all requests: with busy workers on every core,
   * probes and polls would otherwise wait for their time slices.
   */
  niceness?: number;
};

/** Starts a process with a channel for messages. */
export function startChild({ entry, environment, words = () => [], niceness = 0 }: StartOptions): ChildProcess {
  const [execPath = process.execPath, ...execArgv] = [...words(), process.execPath];
  const child = fork(entry, [], {
    execPath,
    // The same Node without the flags of this process, which may be an inspector port or a test
    // runner's loader.
    execArgv: [...execArgv, ...WORKER_FLAGS],
    env: environment,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  try {
    setPriority(child.pid!, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // It has ended, or the system does not allow it.
  }
  return child;
}
