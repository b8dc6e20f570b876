import { join } from 'node:path';

/**
 * Returns the files and folders of a package in MODELS_DIR. Working files are in the same file
 * system as the package, so that it can be installed by a rename; their folders begin with a dot,
 * unlike packages.
 */
export function modelPaths(modelsDir: string, name: string) {
  return {
    /** The installed package. */
    folder: join(modelsDir, name),
    /** The partial download; kept when a pull is interrupted. */
    partial: join(modelsDir, '.downloads', `${name}.part`),
    /** Version and size of the file that is being downloaded. */
    partialFacts: join(modelsDir, '.downloads', `${name}.json`),
    /** The complete files of a folder that is being downloaded; kept like `partial`. */
    gathered: join(modelsDir, '.downloads', `${name}.files`),
    /** A package being unpacked; leftovers without a lock can be deleted. */
    staging: join(modelsDir, '.staging', name),
    /** A package being replaced or removed. */
    discarded: join(modelsDir, '.staging', `${name}.old`),
    lock: join(modelsDir, '.locks', `${name}.lock`),
    /** Digest of the first download of a package without a published checksum. */
    digest: join(modelsDir, '.digests', `${name}.json`),
  };
}
export type ModelPaths = ReturnType<typeof modelPaths>;
