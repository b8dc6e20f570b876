import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const PROBE_TIMEOUT_MS = 5_000;

/**
 * Makes every mounted file system read-only, the folder $1 excepted, and gives up all privileges
 * before the command begins. Arguments: the folder, the mount points, `--` and the command. A file
 * system may be unmounted or covered by another one meanwhile, so none of them ends the command.
 */
const READ_ONLY_SCRIPT = `set -e
mount --bind "$1" "$1"; shift
while [ "$1" != -- ]; do mount -o remount,bind,ro "$1" 2>/dev/null || :; shift; done; shift
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all -- "$@"`;

/** A sandbox keeps processes from the network, from writing files, or from both. */
export type Sandbox = {
  isolatesNetwork: boolean;
  /** Whether processes can write in `writable` alone. */
  isReadOnly: boolean;
  /** The only folder in which processes may write. */
  writable: string;
  /** One clause that says why something is not kept from processes; null where all is. */
  refusal: string | null;
};

type Probe = { read: readonly string[]; environment: NodeJS.ProcessEnv };

/**
 * Finds out what this machine allows without privileges: user namespaces of Linux with the programs
 * unshare, mount and setpriv of util-linux. Containers usually refuse them. Makes the folder
 * `writable`. `read`: paths that must stay readable. `environment`: of the processes, with PATH.
 */
export async function openSandbox({ writable, ...probe }: Probe & { writable: string }): Promise<Sandbox> {
  const off: Sandbox = { isolatesNetwork: false, isReadOnly: false, writable, refusal: 'only Linux has namespaces' };
  if (process.platform !== 'linux') return off;
  await mkdir(writable, { recursive: true, mode: 0o700 });
  let refusal = '';
  for (const isReadOnly of [true, false]) {
    const sandbox: Sandbox = { ...off, isolatesNetwork: true, isReadOnly, refusal: refusal === '' ? null : refusal };
    const failure = await failureOf(sandbox, probe);
    if (failure === null) return sandbox;
    refusal ||= failure;
  }
  return { ...off, refusal };
}

/**
 * The words before a command that start it in the sandbox, with the same process id. The network is
 * kept from it unless `dials`.
 */
export function sandboxWords({ isolatesNetwork, isReadOnly, writable }: Sandbox, { dials = false } = {}): string[] {
  const network = isolatesNetwork && !dials ? ['--net'] : [];
  if (isReadOnly) {
    const script = ['sh', '-c', READ_ONLY_SCRIPT, 'sh', writable, ...writableMounts(writable), '--'];
    return ['unshare', '--user', '--map-root-user', '--mount', ...network, '--', ...script];
  }
  return network.length === 0 ? [] : ['unshare', '--user', '--map-current-user', ...network, '--'];
}

/** Tries the sandbox; returns one clause about the failure, or null. */
async function failureOf(sandbox: Sandbox, { read, environment }: Probe): Promise<string | null> {
  const [program = '', ...words] = sandboxWords(sandbox);
  const closed = sandbox.isReadOnly ? writableMounts(sandbox.writable) : [];
  const tests = [
    '-w',
    sandbox.writable,
    ...read.flatMap((path) => ['-a', '-r', path]),
    ...closed.flatMap((path) => ['-a', '!', '-w', path]),
  ];
  try {
    await promisify(execFile)(program, [...words, 'test', ...tests], {
      timeout: PROBE_TIMEOUT_MS,
      env: environment,
    });
    return null;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') return 'the program unshare is missing';
    const line = stderr.trim().split('\n')[0] ?? '';
    return line === '' ? 'files would not be readable in it, or could be written' : `the system refuses it (${line})`;
  }
}

/** The mount points with file systems that can be written, the folder itself excepted. */
function writableMounts(folder: string): string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const points = mounts
    .filter(([, , , , , options = '']) => !options.split(',').includes('ro'))
    .map(([, , , , point = '']) => point.replaceAll(/\\(\d{3})/g, (_, octal: string) => octalCharacter(octal)));
  return [...new Set(points)].filter((point) => point !== folder && point.startsWith('/'));
}

function octalCharacter(octal: string): string {
  return String.fromCodePoint(Number.parseInt(octal, 8));
}
