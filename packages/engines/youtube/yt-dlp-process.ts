import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { PlatformError } from './platform-error.ts';

type ProgramOptions = {
  /** Environment of the program, complete but for the proxy. */
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  maxOutputBytes: number;
  /** Proxy; null for none. */
  proxyUrl: string | null;
};

const MAX_STDERR_CHARS = 20_000;

/**
 * Finds the file of a program in the folders of `searchPath`, a PATH; null where it is not
 * installed.
 */
export async function findOnPath(name: string, searchPath: string): Promise<string | null> {
  const files = process.platform === 'win32' ? [`${name}.exe`] : [name];
  for (const folder of searchPath.split(delimiter).filter((folder) => folder !== '')) {
    for (const file of files) {
      const path = join(folder, file);
      const isExecutable = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isExecutable) return path;
    }
  }
  return null;
}

/**
 * Runs a program without a shell and returns its output. Throws `PlatformError` when it fails,
 * takes too long or writes too much, or the reason of an aborted signal; its process group is
 * killed.
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
    // Creates a process group, so that its children can be killed too.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const stop = AbortSignal.any([signal, timeout]);
  const kill = (): void => killGroup(child.pid);
  stop.addEventListener('abort', kill, { once: true });
  try {
    const [output, stderr, exitCode] = await Promise.all([
      readOutput(child.stdout, options.maxOutputBytes),
      readStderr(child.stderr),
      new Promise<number | null>((resolve, reject) => void child.once('error', reject).once('close', resolve)),
    ]);
    stop.throwIfAborted();
    if (exitCode !== 0) throw errorOfStderr(stderr, exitCode);
    return output;
  } catch (thrown) {
    kill();
    signal.throwIfAborted();
    if (timeout.aborted) throw new PlatformError('timed out');
    if (thrown instanceof PlatformError) throw thrown;
    throw new PlatformError('cannot be started');
  } finally {
    stop.removeEventListener('abort', kill);
  }
}

/**
 * Returns variables and not arguments, which every user of the machine can read: the URL may
 * contain a password.
 */
function proxyVariables(proxyUrl: string | null): Record<string, string> {
  return proxyUrl === null ? {} : { http_proxy: proxyUrl, https_proxy: proxyUrl };
}

async function readOutput(stream: NodeJS.ReadableStream, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new PlatformError('response too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the end of stderr. It reads all of it, because a full pipe would block the program. */
async function readStderr(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text = `${text}${String(chunk)}`.slice(-MAX_STDERR_CHARS);
  return text;
}

const KNOWN_ERRORS: readonly [RegExp, string, boolean][] = [
  [/not a bot/i, 'bot check', false],
  [/private video|video is private/i, 'private video', true],
  [/in your country|not made this video available/i, 'not available in this region', false],
  [/video (?:is )?unavailable|has been removed|no longer available/i, 'video unavailable', true],
  [/confirm your age|age-restricted/i, 'age-restricted', false],
  [/HTTP Error 429|too many requests/i, 'status 429, too many requests', false],
  [/HTTP Error (\d{3})/i, 'an HTTP error', false],
  [/timed out|unable to connect|connection|resolve|proxy/i, 'connection failed', false],
  [/no such option|unrecognized arguments/i, 'version too old for these options', false],
];

/** Finds the error in the text without repeating it: it may contain content of the video. */
function errorOfStderr(stderr: string, exitCode: number | null): PlatformError {
  const plain = stderr.replaceAll('’', "'");
  const knownError = KNOWN_ERRORS.find(([pattern]) => pattern.test(plain));
  if (knownError === undefined)
    return new PlatformError(exitCode === null ? 'killed' : `failed with exit code ${exitCode}`);
  return new PlatformError(knownError[1], { isFinal: knownError[2] });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}
