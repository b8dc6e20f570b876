import { readFile } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ConnectionError, Jyutsing } from '@jyutsing/client';
import type { Config } from '#server/config/config.ts';
import { selfSignedFiles } from '#server/self-signed-files.ts';
import { announcedAddresses, localAddressOf } from '#server/service-address.ts';

/** `distrust`: why the certificate of the service is not trusted; null when there is no reason. */
type Answering = { baseUrl: string; distrust: string | null };

/**
 * The running service of DATA_DIR on this machine, wherever it listens, or what answers at the
 * address of the configuration; null when no service does. One that is trusted is preferred, and
 * then that of the configuration.
 */
export async function findRunning(config: Config): Promise<Answering | null> {
  const configured = localAddressOf(config);
  const announced = await announcedAddresses(config.dataDir);
  // Otherwise last: at that address the service of another DATA_DIR may answer.
  const addresses = announced.includes(configured) ? [configured, ...announced] : [...announced, configured];
  if (addresses.some((address) => address.startsWith('https:'))) await trustOwnCertificate(config.dataDir);
  let distrusted: Answering | null = null;
  for (const baseUrl of new Set(addresses)) {
    const answering = await probe(baseUrl);
    if (answering?.distrust === null) return answering;
    distrusted ??= answering;
  }
  return distrusted;
}

async function probe(baseUrl: string): Promise<Answering | null> {
  try {
    await new Jyutsing({ baseUrl, timeout: 2_000, maxRetries: 0 }).health();
    return { baseUrl, distrust: null };
  } catch (failure) {
    const distrust = certificateFailure(failure);
    return distrust === null ? null : { baseUrl, distrust };
  }
}

/** Why a certificate was refused; null for every other failure. */
function certificateFailure(failure: unknown): string | null {
  // The client's error has that of `fetch` as its cause, and that one what happened.
  const { cause } = failure instanceof ConnectionError && failure.cause instanceof Error ? failure.cause : {};
  if (!(cause instanceof Error)) return null;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return /CERT|SIGNATURE/.test(code) ? message : null;
}

/** Lets this process trust the certificate that the service made for development, if it has. */
async function trustOwnCertificate(dataDir: string): Promise<void> {
  const certificate = await readFile(selfSignedFiles(dataDir).cert, 'utf8').catch(() => null);
  if (certificate !== null) setDefaultCACertificates([...getCACertificates('default'), certificate]);
}
