import type { Command } from 'commander';
import { AuthenticationError, Jyutsing } from '@jyutsing/client';
import { onRepeatedSignal } from '@jyutsing/system/repeated-signal';
import { loadConfig } from '#server/config/config.ts';
import { refuseMoved } from '#server/store/moved-database.ts';
import { issueOwnerKey } from './command-key.ts';
import { startLocalService } from './local-service.ts';
import { findRunning, isTrusted } from './running-service.ts';
import { onInterruption, type Interrupted } from './signals.ts';

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
  const ending = new AsyncDisposableStack();
  endAtDefects(ending);
  const signal = endedBySignals(ending);
  try {
    const address = baseUrl === undefined ? await connectLocally(apiKey, ending) : { baseUrl, apiKey };
    return { client: new Jyutsing(address), signal, [Symbol.asyncDispose]: () => ending.disposeAsync() };
  } catch (failure) {
    await ending.disposeAsync();
    throw failure;
  }
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
  const running = (await findRunning(config)).filter(isTrusted).map(({ baseUrl }) => baseUrl);
  const [first, second] = running;
  if (first !== undefined && givenKey !== undefined) {
    // If all refuse it, the first says so.
    const accepting = second === undefined ? first : await findAccepting(running, givenKey);
    return { baseUrl: accepting ?? first, apiKey: givenKey };
  }
  refuseMoved(config);
  // The database exists once a service has started on it.
  const found = first === undefined ? null : await issueOwnerKey(config, ending).catch(() => null);
  const accepting = found === null ? null : await findAccepting(running, found);
  if (accepting !== null && found !== null) return { baseUrl: accepting, apiKey: found };
  const service = await startLocalService();
  ending.use(service);
  return { baseUrl: service.baseUrl, apiKey: givenKey ?? found ?? (await issueOwnerKey(config, ending)) };
}

/** Returns the first service that has the database of this key; null if none has. */
async function findAccepting(running: readonly string[], apiKey: string): Promise<string | null> {
  for (const baseUrl of running) if (await isAccepted(baseUrl, apiKey)) return baseUrl;
  return null;
}

async function isAccepted(baseUrl: string, apiKey: string): Promise<boolean> {
  try {
    await new Jyutsing({ baseUrl, apiKey }).usage();
    return true;
  } catch (failure) {
    if (failure instanceof AuthenticationError) return false;
    throw failure;
  }
}

/** A defect of this program ends it only after what was started for it. */
function endAtDefects(ending: AsyncDisposableStack): void {
  const end = (defect: unknown) =>
    void ending.disposeAsync().finally(() => {
      throw defect;
    });
  process.once('uncaughtException', end);
  ending.defer(() => void process.off('uncaughtException', end));
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
