import { readFile } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ConnectionError, Jyutsing } from '@jyutsing/client';
import type { Config } from '#server/config/config.ts';
import { selfSignedFiles } from '#server/certificates/self-signed-files.ts';
import { announcedAddresses, localAddressOf } from '#server/process/service-address.ts';

/**
 * A service that answers; `distrust` is the reason for which its certificate is not trusted, or
 * null.
 */
type Answering = { baseUrl: string; distrust: string | null };

/**
 * Finds the running services of DATA_DIR on this machine, wherever they listen, also those with
 * different databases; or, without one, whatever answers at the address of the configuration.
 * Trusted services come first, and among these the one of the configuration.
 */
export async function findRunning(config: Config): Promise<Answering[]> {
  const configured = localAddressOf(config);
  const announced = await announcedAddresses(config.dataDir);
  if ([configured, ...announced].some((address) => address.startsWith('https:'))) {
    await trustOwnCertificate(config.dataDir);
  }
  const addresses = announced.toSorted((a, b) => Number(b === configured) - Number(a === configured));
  const found = await probeAll(addresses);
  // The service of another DATA_DIR may answer at the configured address.
  const other = found.some(isTrusted) || addresses.includes(configured) ? [] : await probeAll([configured]);
  const all = [...found, ...other];
  return [...all.filter(isTrusted), ...all.filter((service) => !isTrusted(service))];
}

export const isTrusted = ({ distrust }: Answering): boolean => distrust === null;

async function probeAll(addresses: readonly string[]): Promise<Answering[]> {
  return (await Promise.all(addresses.map(probe))).filter((answering) => answering !== null);
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

/** Returns the reason for which a certificate was refused; null for every other failure. */
function certificateFailure(failure: unknown): string | null {
  // The error of the client has that of `fetch` as its cause, whose own cause says what happened.
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
