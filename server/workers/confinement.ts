import { join } from 'node:path';
import { openSandbox, sandboxWords, type Sandbox } from '@jyutsing/system/sandbox';
import type { WorkerProcessOptions } from './pool/worker-process.ts';

/** Limits for worker processes, beside those of memory and time. */
export type Confinement = {
  /** Environment variables of the processes that make requests to other servers, or do not. */
  environment: Readonly<Record<'dialing' | 'sealed', NodeJS.ProcessEnv>>;
  /** Whether tasks make requests to other servers; those that only decode never do. */
  dials: boolean;
  /** With null they reach the network and write files as this process does. */
  sandbox: Sandbox | null;
};

/** How processes are started that make requests to other servers, or do not. */
export function launch(
  confinement: Confinement | undefined,
  dials = confinement?.dials ?? false,
): Pick<WorkerProcessOptions, 'environment' | 'words'> {
  if (confinement === undefined) return {};
  const { environment, sandbox } = confinement;
  return {
    environment: environment[dials ? 'dialing' : 'sealed'],
    words: () => (sandbox === null ? [] : sandboxWords(sandbox, { dials })),
  };
}

/**
 * Keeps processes from the network and from writing, as far as the machine allows. They write their
 * files in the folder of uploads.
 */
export async function confine(
  { environment, dials }: Omit<Confinement, 'sandbox'>,
  { dataDir, read }: { dataDir: string; read: readonly string[] },
): Promise<Confinement & { sandbox: Sandbox }> {
  const sandbox = await openSandbox({
    writable: join(dataDir, 'incoming'),
    environment: environment.sealed,
    read: [dataDir, process.execPath, ...read],
  });
  if (!sandbox.isReadOnly) return { environment, dials, sandbox };
  const TMPDIR = sandbox.writable;
  const { dialing, sealed } = environment;
  return { environment: { dialing: { ...dialing, TMPDIR }, sealed: { ...sealed, TMPDIR } }, dials, sandbox };
}

/** The fields of a line of the log. */
export function describeConfinement({ sandbox, dials }: Confinement & { sandbox: Sandbox }) {
  const { isolatesNetwork, isReadOnly, refusal } = sandbox;
  const reached = dials ? 'reached by those that call other servers' : 'none';
  return {
    network: isolatesNetwork ? reached : 'reached',
    files: isReadOnly ? 'read-only' : 'as for the service',
    ...(refusal === null ? {} : { reason: refusal }),
  };
}
