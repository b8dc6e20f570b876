import { rm } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';
import type { ExpectedDigest } from './checksum.ts';
import { download, type Downloaded } from './download.ts';
import type { ModelPaths } from './layout.ts';
import type { RequestOptions } from './request.ts';
import type { RetryOptions } from './retry.ts';

/** One file to download. */
type VerifiedDownload = {
  url: string;
  /** Its address in the catalogue; see `download`. */
  identity: string;
  expected: ExpectedDigest | null;
  statedBytes: number;
  onSize(totalBytes: number): Promise<void>;
  onProgress(receivedBytes: number, totalBytes: number | null): void;
};

/**
 * Downloads a file to the partial file of its package and compares its digest. Throws `conflict`
 * for another digest than expected, and the errors of `download`.
 */
export async function downloadVerified(
  file: VerifiedDownload,
  paths: ModelPaths,
  network: RequestOptions & RetryOptions,
): Promise<Downloaded> {
  const { expected } = file;
  for (let attempt = 0; ; attempt += 1) {
    const options = { ...network, ...paths, ...file, willBeVerified: expected !== null };
    const downloaded = await download(options).catch(async (thrown: unknown) => {
      // A refused file is of no use for a later download.
      if (thrown instanceof AppError && thrown.code === 'conflict') await deletePartial(paths);
      throw thrown;
    });
    if (expected === null || downloaded.sha256 === expected.sha256) return downloaded;
    await deletePartial(paths);
    // A resumed download may join parts of different versions; a file from one response is wrong
    // itself.
    if (!downloaded.resumed || attempt === network.retries) throw wrongFile(downloaded.sha256, expected);
    network.onRetry('the joined parts have the wrong checksum; downloading the file again', 0);
  }
}

export function wrongFile(actualSha256: string, expected: ExpectedDigest): AppError {
  const facts = {
    catalogue: `the publisher replaced this file: it has the SHA-256 ${actualSha256}, not the pinned ${expected.sha256}`,
    list: `the file has the SHA-256 ${actualSha256}, not the ${expected.sha256} of the publisher's list`,
    'first-download': `the publisher replaced this file since its first download: it has the SHA-256 ${actualSha256}, not ${expected.sha256}`,
  };
  const advice = 'nothing was installed; if you trust the new file, pull it with --accept-change';
  return new AppError('conflict', `${facts[expected.statedBy]}; ${advice}`);
}

export async function deletePartial({ partial, partialFacts }: ModelPaths): Promise<void> {
  await rm(partial, { force: true });
  await rm(partialFacts, { force: true });
}
