import { join } from 'node:path';

/**
 * What lies in MODELS_DIR beside the packages' folders. All of it is on the same file system as the packages, so that a finished
 * one gets its name by a rename; the names begin with a dot, which no package's name does.
 */
export function modelPaths(modelsDir: string, name: string) {
  return {
    /** The installed package. */
    folder: join(modelsDir, name),
    /** What was downloaded so far; kept when a pull is stopped. */
    partial: join(modelsDir, '.downloads', `${name}.part`),
    /** What is known of the file that the partial one is a part of. */
    partialFacts: join(modelsDir, '.downloads', `${name}.json`),
    /** A package being unpacked; anything here is rubbish once its lock is free. */
    staging: join(modelsDir, '.staging', name),
    /** A package being replaced or removed. */
    discarded: join(modelsDir, '.staging', `${name}.old`),
    lock: join(modelsDir, '.locks', `${name}.lock`),
    /** Digest found at the first download of a package whose publisher names none. */
    digest: join(modelsDir, '.digests', `${name}.json`),
  };
}
export type ModelPaths = ReturnType<typeof modelPaths>;
