import type { Readable } from 'node:stream';
import { AppError } from './errors.ts';

/** Thrown by every operation of a store while its server does not answer, or refuses. */
export class StorageUnavailable extends AppError {
  constructor(cause: unknown) {
    super('service_unavailable', 'The storage of files does not answer; try again shortly.', { cause });
    this.name = 'StorageUnavailable';
  }
}

/**
 * Files that belong to records: uploads and voice samples. A key is a relative path with `/`; an
 * empty key, or one that leads out of the store, throws `invalid_parameter`.
 */
export type BlobStore = {
  /**
   * Moves a finished local file into the store; it is gone from `localPath` afterwards and survives
   * a power failure.
   */
  adopt(localPath: string, key: string): Promise<void>;
  /**
   * Writes a short blob. `isNew`: one that is there stays as it is; S3 servers that do not support
   * `If-None-Match` replace one that was written at the same moment.
   */
  writeText(key: string, text: string, options: { isNew: boolean }): Promise<void>;
  /**
   * Provides the blob as a read-only local file while `use` runs. Throws `not_found`, and the
   * reason of `signal` when it aborts a download, but not while `use` runs.
   */
  localPath<T>(key: string, use: (path: string) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Deleting a missing blob is no error. */
  delete(key: string): Promise<void>;
  /** Throws `not_found` before the first byte. */
  readStream(key: string): Promise<Readable>;
  /** Keys in a folder last changed in this time, in no order. A missing folder is empty. */
  listChanged(folder: string, time: { fromMs: number; beforeMs: number }): AsyncIterable<string>;
  /**
   * Since when the server of the store has not answered; null while it does, as far as it was
   * asked. It is asked again in the background.
   */
  outageSince(): Date | null;
};
