import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Obstacle } from './platform-error.ts';

export type ProgramOptions = {
  /** The whole environment of the program, apart from the proxy. */
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  maxOutputBytes: number;
  /** Null: none. */
  proxyUrl: string | null;
};

const MAX_COMPLAINT_CHARS = 20_000;

/** The file of a program in the folders of `searchPath`, a PATH; null where it is not installed. */
export async function findOnPath(name: string, searchPath: string): Promise<string | null> {
  const files = process.platform === 'win32' ? [`${name}.exe`] : [name];
  for (const folder of searchPath.split(delimiter).filter((folder) => folder !== '')) {
    for (const file of files) {
      const path = join(folder, file);
      const isThere = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return path;
    }
  }
  return null;
}

/**
 * What a program writes to its output, started without a shell. Throws `Obstacle` where it fails, is late or says too much; it
 * and its children are then killed, as they are when the signal is aborted, which throws its reason.
 */
export async function runProgram(
  path: string,
  args: readonly string[],
  options: ProgramOptions,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const child = spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...options.env, ...proxyVariables(options.proxyUrl) },
    // A group of its own, which can be killed as a whole.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const stop = AbortSignal.any([signal, timeout]);
  const kill = (): void => killGroup(child.pid);
  stop.addEventListener('abort', kill, { once: true });
  try {
    const [output, complaint, exitCode] = await Promise.all([
      readOutput(child.stdout, options.maxOutputBytes),
      readComplaint(child.stderr),
      new Promise<number | null>((resolve, reject) => void child.once('error', reject).once('close', resolve)),
    ]);
    stop.throwIfAborted();
    if (exitCode !== 0) throw obstacleOfComplaint(complaint, exitCode);
    return output;
  } catch (thrown) {
    kill();
    signal.throwIfAborted();
    if (timeout.aborted) throw new Obstacle('no answer in time');
    if (thrown instanceof Obstacle) throw thrown;
    throw new Obstacle('cannot be started');
  } finally {
    stop.removeEventListener('abort', kill);
  }
}

/** Passes the proxy as a variable: its address may hold a password, and every user of the machine can read arguments. */
function proxyVariables(proxyUrl: string | null): Record<string, string> {
  return proxyUrl === null ? {} : { http_proxy: proxyUrl, https_proxy: proxyUrl };
}

async function readOutput(stream: NodeJS.ReadableStream, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new Obstacle('answer too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** The end of what it complains of; all is read, or it would wait for a reader. */
async function readComplaint(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text = `${text}${String(chunk)}`.slice(-MAX_COMPLAINT_CHARS);
  return text;
}

const COMPLAINTS: readonly [RegExp, string, boolean][] = [
  [/not a bot/i, 'asked to prove that it is not a bot', false],
  [/private video|video is private/i, 'private video', true],
  [/in your country|not made this video available/i, 'not for this place', false],
  [/video (?:is )?unavailable|has been removed|no longer available/i, 'video unavailable', true],
  [/confirm your age|age-restricted/i, 'age-restricted', false],
  [/HTTP Error 429|too many requests/i, 'status 429, too many requests', false],
  [/HTTP Error (\d{3})/i, 'an HTTP error', false],
  [/timed out|unable to connect|connection|resolve|proxy/i, 'connection failed', false],
  [/no such option|unrecognized arguments/i, 'too old for the options it is given', false],
];

/** Matched, but not repeated: the text may hold what is in the video. */
function obstacleOfComplaint(complaint: string, exitCode: number | null): Obstacle {
  const plain = complaint.replaceAll('’', "'");
  const known = COMPLAINTS.find(([pattern]) => pattern.test(plain));
  if (known === undefined) return new Obstacle(exitCode === null ? 'killed' : `failed with exit code ${exitCode}`);
  return new Obstacle(known[1], { isFinal: known[2] });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
