import { readFile } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Command } from 'commander';
import { AuthenticationError, ConnectionError, Jyutsing } from '@jyutsing/client';
import { onRepeatedSignal } from '@jyutsing/concurrency/repeated-signal';
import { SCOPES } from '@jyutsing/contracts/accounts';
import { loadConfig, type Config } from '#server/config/config.ts';
import { selfSignedFiles } from '#server/self-signed-files.ts';
import { startLocalService } from './local-service.ts';
import { onInterruption, type Interrupted } from './signals.ts';
import { ownerOf, withLocalAdministration } from './with-administration.ts';

/** A client of the service that a command uses. Dispose of it to end what was started for it. */
export type Connection = AsyncDisposable & {
  client: Jyutsing;
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP; commands then cancel their work on the server. */
  signal: AbortSignal;
};

/** Adds the options that `connect` reads. */
export function addConnectionOptions(program: Command): void {
  program
    .option('--url <url>', 'address of the service; otherwise JYUTSING_URL, or the service of DATA_DIR')
    .option('--key <key>', 'API key; otherwise JYUTSING_API_KEY, or the owner of DATA_DIR');
}

/**
 * Connects to the service of `--url` or JYUTSING_URL. Without one: to the running service of
 * DATA_DIR, or to one that runs only for this command. Throws ConfigError and AppError when that
 * cannot start.
 */
export async function connect(command: Command): Promise<Connection> {
  const baseUrl = addressOf(command);
  const { key } = command.optsWithGlobals<{ key?: string }>();
  const apiKey = nonEmpty(key) ?? nonEmpty(process.env['JYUTSING_API_KEY']);
  await using ending = new AsyncDisposableStack();
  const signal = endedBySignals(ending);
  const local = baseUrl === undefined ? await connectLocally(apiKey, ending) : { baseUrl, apiKey };
  const started = ending.move();
  return {
    client: new Jyutsing(local),
    signal,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Whether the command is for the service of an address, not for that of DATA_DIR. */
export function hasAddress(command: Command): boolean {
  return addressOf(command) !== undefined;
}

/** Exits with a usage error for an address without a scheme. */
function addressOf(command: Command): string | undefined {
  const { url } = command.optsWithGlobals<{ url?: string }>();
  const address = nonEmpty(url) ?? nonEmpty(process.env['JYUTSING_URL']);
  if (address !== undefined && !/^https?:\/\//i.test(address)) {
    command.error(`error: the address of a service begins with http:// or https://, not "${address}"`);
  }
  return address;
}

const nonEmpty = (text: string | undefined) => (text === undefined || text === '' ? undefined : text);

type Address = { baseUrl: string; apiKey: string | undefined };

async function connectLocally(givenKey: string | undefined, ending: AsyncDisposableStack): Promise<Address> {
  const config = loadConfig();
  const running = await findRunning(config);
  if (running !== null && givenKey !== undefined) return { baseUrl: running, apiKey: givenKey };
  // The database exists once a service has started on it.
  const found = running === null ? null : await issueOwnerKey(ending).catch(() => null);
  if (running !== null && found !== null && (await isAccepted(running, found)))
    return { baseUrl: running, apiKey: found };
  const service = await startLocalService();
  ending.use(service);
  return { baseUrl: service.baseUrl, apiKey: givenKey ?? found ?? (await issueOwnerKey(ending)) };
}

/** The address of the configuration, when a service answers there; null otherwise. */
export async function findRunning(config: Config): Promise<string | null> {
  const found = await probeService(config);
  return found?.distrust === null ? found.baseUrl : null;
}

/** `distrust`: why the certificate of the service is not trusted; null when there is no reason. */
type Probed = { baseUrl: string; distrust: string | null };

/** What answers at the address of the configuration; null when no service does. */
export async function probeService({ host, port, dataDir, http: { tls } }: Config): Promise<Probed | null> {
  if (tls === 'self-signed') await trustOwnCertificate(dataDir);
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const baseUrl = `${tls === null ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
  try {
    await new Jyutsing({ baseUrl, timeout: 2_000, maxRetries: 0 }).health();
    return { baseUrl, distrust: null };
  } catch (failure) {
    const distrust = certificateFailure(failure);
    return distrust === null ? null : { baseUrl, distrust };
  }
}

/** Why a certificate was refused; null for every other failure. */
function certificateFailure(failure: unknown): string | null {
  // The client's error has that of `fetch` as its cause, and that one what happened.
  const { cause } = failure instanceof ConnectionError && failure.cause instanceof Error ? failure.cause : {};
  if (!(cause instanceof Error)) return null;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return /CERT|SIGNATURE/.test(code) ? message : null;
}

/** Lets this process trust the certificate that the service made for development, if it has. */
async function trustOwnCertificate(dataDir: string): Promise<void> {
  const certificate = await readFile(selfSignedFiles(dataDir).cert, 'utf8').catch(() => null);
  if (certificate !== null) setDefaultCACertificates([...getCACertificates('default'), certificate]);
}

/** Whether a service has the database of this configuration. */
async function isAccepted(baseUrl: string, apiKey: string): Promise<boolean> {
  try {
    await new Jyutsing({ baseUrl, apiKey }).usage();
    return true;
  } catch (failure) {
    if (failure instanceof AuthenticationError) return false;
    throw failure;
  }
}

/** Not a name that users choose, because keys with it are deleted. */
const COMMAND_KEY = 'temporary key of one command';
/** Longer than any command runs; a key that is older belongs to one that was killed. */
const COMMAND_KEY_MS = 24 * 3_600_000;

/**
 * A key of the owner's account for this command, deleted at its end; only hashes of other keys are
 * stored. Also deletes what killed commands left.
 */
async function issueOwnerKey(ending: AsyncDisposableStack): Promise<string> {
  const issued = Promise.withResolvers<{ secret: string; id: string }>();
  await withLocalAdministration(async (administration) => {
    const owner = await ownerOf(administration);
    for (const { id, name, revoked, createdAtMs } of await administration.listKeys(owner.id)) {
      const isLeft = name === COMMAND_KEY && (revoked || createdAtMs < Date.now() - COMMAND_KEY_MS);
      // Another command may have deleted it just now.
      if (isLeft) await administration.deleteKey(id).catch(() => {});
    }
    const { secret, key } = await administration.createKey(owner.id, { name: COMMAND_KEY, scopes: SCOPES });
    issued.resolve({ secret, id: key.id });
  });
  const { secret, id } = await issued.promise;
  ending.defer(() =>
    withLocalAdministration(async (administration) => {
      await administration.deleteKey(id);
    }),
  );
  return secret;
}

/** Aborts at the first signal; a later one ends the process at once. */
function endedBySignals(ending: AsyncDisposableStack): AbortSignal {
  const stop = new AbortController();
  const listener = onRepeatedSignal<Interrupted>(
    (reason) => stop.abort(reason),
    ({ status }) => process.exit(status),
  );
  ending.use(onInterruption(listener));
  return stop.signal;
}
