import { basename, extname } from 'node:path/posix';
import { text } from 'node:stream/consumers';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { AppError } from '@jyutsing/contracts/errors';
import { KEPT_FOLDER } from '@jyutsing/contracts/transcription';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';

/** The blob that names the database that has the blobs, by its id. */
const NOTE = 'database';
export const UPLOAD_FOLDERS = ['uploads', KEPT_FOLDER];
export const SAMPLE_FOLDER = 'voices';
/** So many blobs without a record are those of another database; listing all costs money. */
const LOOKED_AT = 100;

type Notes = Pick<BlobStore, 'readStream' | 'writeText'>;
type Services = {
  store: Pick<Store, 'dialect' | 'databaseId' | 'accounts' | 'identity' | 'transcriptions' | 'voices'>;
  blobs: Notes & Pick<BlobStore, 'listChanged'>;
  logger: Pick<Logger, 'info' | 'warn'>;
};

/**
 * Whether the blobs belong to records of this database, so that those without one may be deleted.
 * Another may have them: one that was tried with the same DATA_DIR or bucket, or the SQLite
 * database from which this one was moved, or to which somebody went back. The first database to ask
 * that has a record of one has the blobs, from when it asks again and is still named; only a move
 * gives them to another.
 */
export async function hasBlobs(services: Services): Promise<boolean> {
  const { store, blobs, logger } = services;
  const account = await store.accounts.firstId();
  // Without accounts there are no records.
  if (account === null) return false;
  const noted = await readNote(blobs);
  if (noted === store.databaseId) {
    // A later note of the database that was moved here means that somebody went back to it.
    await store.identity.forgetMove();
    return true;
  }
  if (isNone(noted) ? await areOthers(services) : !(await isOurs(store, account, noted))) {
    logger.warn(
      `another database has the blobs (recordings, voice samples), so this one deletes none that has no record; if this is to have them, stop every service and ${isNone(noted) ? `write "${store.databaseId}" into` : 'delete'} the blob "${NOTE}" (DATA_DIR/blobs/${NOTE}, or the key ${NOTE} of the bucket)`,
    );
    return false;
  }
  // The note counts after it is read again: another process may have written it at the same moment.
  await write(blobs, store.databaseId, noted);
  logger.info(
    'this database claims the stored files; in an hour or after a start it begins to delete those without a record',
  );
  return false;
}

/**
 * Gives the blobs of a database, whose first account is named, to the one that it was moved to.
 * False: another has them.
 */
export async function handOverBlobs(
  blobs: Notes,
  from: Pick<Store, 'dialect' | 'databaseId'> & { account: string | null },
  to: Pick<Store, 'databaseId'>,
): Promise<boolean> {
  const noted = await readNote(blobs);
  const isOf = isNone(noted) || [from.databaseId, noteOfOldVersion(from.dialect, from.account)].includes(noted);
  if (isOf) await write(blobs, to.databaseId, noted);
  return isOf;
}

/** Whether a version without ids wrote the note, or a move here was killed before it did. */
async function isOurs(store: Services['store'], account: string, noted: string): Promise<boolean> {
  if (noted === noteOfOldVersion(store.dialect, account)) return true;
  const { movedFrom } = await store.identity.find();
  return movedFrom !== null && [movedFrom, noteOfOldVersion('sqlite', account)].includes(noted);
}

/** Whether there are blobs, and this database has a record of none. */
async function areOthers({ store, blobs }: Services): Promise<boolean> {
  const needed = new Set(await store.transcriptions.findNeededBlobKeys());
  let count = 0;
  for (const folder of [...UPLOAD_FOLDERS, SAMPLE_FOLDER]) {
    for await (const key of blobs.listChanged(folder, { fromMs: -Infinity, beforeMs: Infinity })) {
      if (needed.has(key) || (folder === SAMPLE_FOLDER && (await store.voices.exists(voiceOf(key))))) return false;
      count += 1;
      if (count === LOOKED_AT) return true;
    }
  }
  return count > 0;
}

/** The id of the voice of a sample. */
export const voiceOf = (key: string): string => basename(key, extname(key));

/** The note of earlier versions, whose databases had no ids. */
const noteOfOldVersion = (dialect: Store['dialect'], account: string | null) => `${dialect} ${account}`;

/** An empty one may be left of a full disk. */
const isNone = (noted: string | null): noted is null | '' => noted === null || noted === '';

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
