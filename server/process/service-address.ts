import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '#config/config.ts';
import { ProcessFile, readProcessFile, writeProcessFile } from './process-file.ts';
import type { Store } from '#store/store.ts';

type Listener = Pick<Config, 'host' | 'port' | 'http'>;

/** The file DATA_DIR/service-<id of the process lease>.json of a running service. */
const AnnouncedService = ProcessFile.extend({ baseUrl: z.url({ protocol: /^https?$/ }) });

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
 * HOST, PORT and TLS say.
 */
export function createAnnouncement(dataDir: string, { processId, workers }: Pick<Store, 'processId' | 'workers'>) {
  const path = join(dataDir, fileOf(processId));
  let baseUrl: string | null = null;
  return {
    /** Writes the file, and deletes those that killed services left. */
    async announce(listener: Listener): Promise<void> {
      await deleteLeft(dataDir, workers);
      const address = localAddressOf(listener);
      await writeProcessFile(path, { baseUrl: address });
      baseUrl = address;
    },
    /**
     * Writes it again when it is missing, because another process took this one for ended, or when
     * it seems older than this process, because the clock was set.
     */
    async keep(): Promise<void> {
      const address = baseUrl;
      if (address === null) return;
      const hasEnded = (await readProcessFile(path, AnnouncedService))?.hasEnded;
      if (hasEnded !== true && existsSync(path)) return;
      await writeProcessFile(path, { baseUrl: address });
      // Withdrawn meanwhile.
      if (baseUrl !== address) await rm(path, { force: true });
    },
    /** Call it when the service begins to stop: commands would be refused. */
    async withdraw(): Promise<void> {
      baseUrl = null;
      await rm(path, { force: true });
    },
  };
}

/**
 * From a restarted container or machine, processes cannot be looked for: their lease tells. It is
 * in the database, so the file of a service with another database may go, which writes it again.
 */
async function deleteLeft(dataDir: string, workers: Store['workers']): Promise<void> {
  const services = await announcedIn(dataDir);
  const living = new Set((await workers.list()).map(({ id }) => fileOf(id)));
  for (const { name, service } of services) {
    const hasEnded = service?.hasEnded ?? !living.has(name);
    if (hasEnded) await rm(join(dataDir, name), { force: true });
  }
}

/** Addresses of the services of DATA_DIR that run on this machine, in no order. */
export async function announcedAddresses(dataDir: string): Promise<string[]> {
  const services = await announcedIn(dataDir);
  // From elsewhere, 127.0.0.1 would be another machine or container.
  return services.flatMap(({ service }) => (service?.hasEnded === false ? [service.baseUrl] : []));
}

async function announcedIn(dataDir: string) {
  const entries = await readdir(dataDir, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && FILE.test(entry.name)).map(({ name }) => name);
  return Promise.all(
    names.map(async (name) => ({ name, service: await readProcessFile(join(dataDir, name), AnnouncedService) })),
  );
}
