import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGone, isHere, thisProcess, type ProcessPlace } from '@jyutsing/concurrency/process-host';
import type { Config } from './config/config.ts';
import type { Store } from './store/store.ts';

type Listener = Pick<Config, 'host' | 'port' | 'http'>;

/** The file DATA_DIR/service-<id of the process lease>.json of a running service. */
type AnnouncedService = ProcessPlace & { baseUrl: string };

/** Other files of such names belong to the operator. */
const FILE = /^service-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;
const fileOf = (id: string) => `service-${id}.json`;

/** The address at which a service that listens so is reached. */
export function addressOf({ host, port, http: { tls } }: Listener): string {
  return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The same from this machine: 0.0.0.0 and :: stand for all of its addresses. */
export function localAddressOf(listener: Listener): string {
  const isEvery = listener.host === '0.0.0.0' || listener.host === '::';
  return addressOf(isEvery ? { ...listener, host: '127.0.0.1' } : listener);
}

/**
 * Tells commands on this machine where the service of DATA_DIR can be reached, whatever their own
 * HOST, PORT and TLS say. Deletes what killed services left: those whose lease has ended, because
 * from a restarted container or machine their processes cannot be looked for.
 */
export async function announceAddress(
  { dataDir, ...listener }: Listener & Pick<Config, 'dataDir'>,
  { processId, workers }: Pick<Store, 'processId' | 'workers'>,
): Promise<void> {
  const left = await filesIn(dataDir);
  const living = new Set((await workers.list()).map(({ id }) => fileOf(id)));
  for (const name of left) if (!living.has(name)) await rm(join(dataDir, name), { force: true });
  const announced: AnnouncedService = { ...thisProcess(), baseUrl: localAddressOf(listener) };
  await writeFile(join(dataDir, fileOf(processId)), JSON.stringify(announced), { mode: 0o600 });
}

/** Call it when the service begins to stop: commands would be refused. */
export async function withdrawAddress(
  { dataDir }: Pick<Config, 'dataDir'>,
  { processId }: Pick<Store, 'processId'>,
): Promise<void> {
  await rm(join(dataDir, fileOf(processId)), { force: true });
}

/** Addresses of the services of DATA_DIR that run on this machine, in no order. */
export async function announcedAddresses(dataDir: string): Promise<string[]> {
  const services = await Promise.all((await filesIn(dataDir)).map((name) => readAnnounced(join(dataDir, name))));
  // From elsewhere, 127.0.0.1 would be another machine or container.
  return services.filter((each) => each !== null && isHere(each) && !isGone(each)).map((each) => each!.baseUrl);
}

async function filesIn(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => []);
  return names.filter((name) => FILE.test(name));
}

/** Null: it was deleted meanwhile, or is not written yet. */
async function readAnnounced(path: string): Promise<AnnouncedService | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as AnnouncedService | null;
  } catch {
    return null;
  }
}
