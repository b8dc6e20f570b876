import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { AppError } from '@jyutsing/contracts/errors';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';

/** Names the database that has the blobs: its dialect, and the account that it had first. */
const BLOB_OF_DATABASE = 'database';

type Services = {
  store: { dialect: Store['dialect']; accounts: Pick<Store['accounts'], 'firstId'> };
  blobs: Pick<BlobStore, 'adopt' | 'readStream'>;
  logger: Logger;
};

/**
 * Whether the blobs belong to records of this database, so that those without one may be deleted.
 * Another may have them: one that was tried with the same DATA_DIR or bucket, or the SQLite
 * database from which this one was moved, or to which somebody went back. The first database to ask
 * has the blobs, until it is moved to PostgreSQL.
 */
export async function hasBlobs({ store, blobs, logger }: Services): Promise<boolean> {
  const account = await store.accounts.firstId();
  // Without accounts there are no records.
  if (account === null) return false;
  const own = `${store.dialect} ${account}`;
  const noted = await readNote(blobs);
  if (noted === own) return true;
  if (noted !== null && noted !== `sqlite ${account}`) {
    logger.warn(`another database has the blobs; if they are of this one, delete the blob "${BLOB_OF_DATABASE}"`);
    return false;
  }
  await writeNote(blobs, own);
  return true;
}

async function readNote(blobs: Services['blobs']): Promise<string | null> {
  try {
    return (await text(await blobs.readStream(BLOB_OF_DATABASE))).trim();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}

async function writeNote(blobs: Services['blobs'], own: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-'));
  try {
    const path = join(folder, 'database');
    await writeFile(path, `${own}\n`, { mode: 0o600 });
    await blobs.adopt(path, BLOB_OF_DATABASE);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
