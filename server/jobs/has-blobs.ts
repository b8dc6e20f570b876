import { text } from 'node:stream/consumers';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { AppError } from '@jyutsing/contracts/errors';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';

/** The blob that names the database that has the blobs, by its id. */
const NOTE = 'database';

type Notes = Pick<BlobStore, 'readStream' | 'writeText'>;
type Identity = Pick<Store, 'dialect' | 'databaseId'>;
type Services = {
  store: Identity & { accounts: Pick<Store['accounts'], 'firstId'> };
  blobs: Notes;
  logger: Pick<Logger, 'info' | 'warn'>;
};

/**
 * Whether the blobs belong to records of this database, so that those without one may be deleted.
 * Another may have them: one that was tried with the same DATA_DIR or bucket, or the SQLite
 * database from which this one was moved, or to which somebody went back. The first database to ask
 * has the blobs, from when it asks again and is still named; only a move gives them to another.
 */
export async function hasBlobs({ store, blobs, logger }: Services): Promise<boolean> {
  const account = await store.accounts.firstId();
  // Without accounts there are no records.
  if (account === null) return false;
  const noted = await readNote(blobs);
  if (noted === store.databaseId) return true;
  if (noted !== null && noted !== noteOfOldVersion(store.dialect, account)) {
    logger.warn(
      `another database has the blobs (recordings, voice samples), so this one deletes none that has no record; if this is to have them, stop every service and delete the blob "${NOTE}" (DATA_DIR/blobs/${NOTE}, or the key ${NOTE} of the bucket)`,
    );
    return false;
  }
  // Not yet: another may have written it at the same moment.
  await write(blobs, store.databaseId, noted);
  logger.info('this database asked for the blobs; if they are given to it, it deletes old ones without a record later');
  return false;
}

/**
 * Gives the blobs of a database, whose first account is named, to the one that it was moved to.
 * False: another has them.
 */
export async function handOverBlobs(
  blobs: Notes,
  from: Identity & { account: string | null },
  to: Identity,
): Promise<boolean> {
  const noted = await readNote(blobs);
  const isOurs = [null, from.databaseId, noteOfOldVersion(from.dialect, from.account)].includes(noted);
  if (isOurs) await write(blobs, to.databaseId, noted);
  return isOurs;
}

/** What versions wrote whose databases had no ids. */
const noteOfOldVersion = (dialect: Store['dialect'], account: string | null) => `${dialect} ${account}`;

async function write(blobs: Notes, databaseId: string, before: string | null): Promise<void> {
  await blobs.writeText(NOTE, `${databaseId}\n`, { isNew: before === null });
}

async function readNote(blobs: Notes): Promise<string | null> {
  try {
    return (await text(await blobs.readStream(NOTE))).trim();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}
