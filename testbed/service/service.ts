import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import manifest from '../../package.json' with { type: 'json' };
import { baseEnvironment } from './environment.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Node arguments of `npm start`, without the installation step. */
const START_ARGUMENTS = manifest.scripts.start.replace('node scripts/run.js ', '').split(' ');
const ENTRY = 'testbed/service/service-entry.ts';
const START_TIMEOUT_MS = 60_000;
const LEAST_BETWEEN_POLLS_MS = 20;
const MOST_BETWEEN_POLLS_MS = 500;
export const OWNER_KEY = 'jyut_owner_key_for_tests_0123456789';

export type Service = {
  baseUrl: string;
  process: ChildProcess;
  /** Output printed so far. */
  output(): string;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
};

/**
 * Starts the service as `npm start` does, on a free port; resolves once /health answers 200.
 * `launcher` is a command that runs it, such as `unshare` with its options; TEST_ENGINES_DIR has
 * other engines; `root` is the folder of another build.
 */
export async function startService(
  dataDir: string,
  env: Record<string, string> = {},
  launcher: readonly string[] = [],
  root = ROOT,
): Promise<Service> {
  const hasOwnEngines = env['TEST_ENGINES_DIR'] !== undefined;
  const start = START_ARGUMENTS.map((argument) => (hasOwnEngines && argument === 'server/main.ts' ? ENTRY : argument));
  const [program, ...programArguments] = [...launcher, process.execPath, ...start] as [string, ...string[]];
  const child = spawn(program, programArguments, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...baseEnvironment(),
      PORT: '0',
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: OWNER_KEY,
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  // A failing test must not leave a running service behind.
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  let output = '';
  const listening = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const address = /listening on (https?:\/\/\S+)/.exec(output)?.[1];
      if (address) listening.resolve(address);
    });
  }
  const ended = once(child, 'exit');
  ended.then(
    ([status, signal]) =>
      listening.reject(new Error(`the service ended (${status ?? signal}) before it listened:\n${output}`)),
    () => {},
  );
  const baseUrl = await listening.promise;
  if (baseUrl.startsWith('https:')) await trustCertificate(dataDir);
  // A service that starts while others use the processors may need many seconds.
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while ((await fetch(`${baseUrl}/health`)).status !== 200) {
    if (performance.now() > deadlineMs) throw new Error(`the service never became ready:\n${output}`);
    await sleep(25);
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  };
  return {
    baseUrl,
    process: child,
    output: () => output,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

let shared: Promise<SharedService> | null = null;

export type SharedService = Omit<Service, 'stop' | 'kill'> & { dataDir: string };

/**
 * The service of this test process with one worker and the default settings, for the files whose
 * tests look only at what they sent. It ends with the process.
 */
export function sharedService(): Promise<SharedService> {
  return (shared ??= startShared());
}

async function startShared(): Promise<SharedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-shared-'));
  // Each worker loads its models.
  const service = await startService(dataDir, { WORKERS: '1' });
  // The shell reads what only this process holds open: it goes on when this process has ended,
  // even by a signal.
  const script = 'cat >/dev/null; kill -KILL "$1"; rm -rf "$2"';
  const cleaner = spawn('/bin/sh', ['-c', script, 'sh', String(service.process.pid), dataDir], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  cleaner.unref();
  // The next file gets another service. Its number may soon be that of any process.
  service.process.once('exit', () => {
    shared = null;
    cleaner.kill('SIGKILL');
    void rm(dataDir, { recursive: true, force: true });
  });
  return { ...service, dataDir };
}

/** Lets the clients of this process trust a service started with TLS=self-signed. */
async function trustCertificate(dataDir: string): Promise<void> {
  const certificate = await readFile(join(dataDir, 'self-signed-cert.pem'), 'utf8');
  setDefaultCACertificates([...getCACertificates('default'), certificate]);
}

/**
 * A temporary folder that is deleted afterwards: `await using folder = await temporaryFolder()`.
 */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'jyutsing-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

export type Answer<Body = Record<string, unknown>> = { status: number; headers: Headers; body: Body };

/** Sends a request and parses a JSON body. */
export async function request(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
}

/** Multipart submission of `audio` with these fields and the owner's key. */
export function submission(audio: Uint8Array, fields: Record<string, string> = {}, part = 'data'): RequestInit {
  const form = new FormData();
  for (const [name, value] of Object.entries({ api_key: OWNER_KEY, ...fields })) form.append(name, value);
  form.append(part, new Blob([new Uint8Array(audio)]), 'recording');
  return { method: 'POST', body: form };
}

/** Request id of a submission's response. */
export function requestIdOf({ body }: Answer): string {
  return (body['data'] as { request_id: string }).request_id;
}

/** Polls until the transcription is final and returns its record. */
export async function waitForResult(
  baseUrl: string,
  id: string,
  { key = OWNER_KEY, timeoutMs = 120_000 } = {},
): Promise<Record<string, unknown>> {
  const startedMs = performance.now();
  for (;;) {
    const { body } = await request(`${baseUrl}/api/speech-to-text/get-result?id=${id}`, {
      headers: { 'x-api-key': key },
    });
    const record = body['transcription'] as Record<string, unknown> | undefined;
    if (record === undefined) throw new Error(`no record: ${JSON.stringify(body)}`);
    if (record['status'] === 'completed' || record['status'] === 'failed') return record;
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > timeoutMs) throw new Error(`still ${String(record['status'])} after ${timeoutMs} ms`);
    // Asking costs processor time, which the work needs.
    await sleep(Math.min(MOST_BETWEEN_POLLS_MS, LEAST_BETWEEN_POLLS_MS + waitedMs / 10));
  }
}
