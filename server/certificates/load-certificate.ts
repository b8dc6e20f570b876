import { randomUUID, X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { createSecureContext } from 'node:tls';
import { ConfigError, type Config } from '#config/config.ts';
import { selfSignedFiles } from './self-signed-files.ts';

/** A certificate and its private key in PEM. */
export type Certificate = { cert: string; key: string };

type SubjectAltName = { type: 2; value: string } | { type: 7; ip: string };

const VALID_DAYS = 365;
const RENEW_BEFORE_MS = 30 * 24 * 3_600_000;

/** Hosts to listen on that are no address of a client. */
const ALL_ADDRESSES: readonly string[] = ['0.0.0.0', '::'];

/** The files of an operator. */
type CertificateFiles = { certFile: string; keyFile: string };

/**
 * Returns the certificate, or null for plain http. Throws ConfigError for files that cannot be
 * used.
 */
export async function loadCertificate({ http: { tls }, dataDir, host }: Config): Promise<Certificate | null> {
  if (tls === null) return null;
  if (tls !== 'self-signed') return readCertificate(tls);
  const files = selfSignedFiles(dataDir);
  return (await readKept(files, host)) ?? makeCertificate(files, host);
}

/** Throws ConfigError for files that cannot be read or do not belong together. */
export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<Certificate> {
  const read = { cert: await readPem('TLS_CERT_FILE', certFile), key: await readPem('TLS_KEY_FILE', keyFile) };
  try {
    createSecureContext(read);
    return read;
  } catch (cause) {
    throw new ConfigError(
      'Bad configuration. TLS_CERT_FILE must be a certificate in PEM, and TLS_KEY_FILE its private key.',
      { cause },
    );
  }
}

async function readPem(variable: string, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ConfigError(`Bad configuration. ${variable} must be a file that can be read.`, { cause });
  });
  // Node would take it for no certificate at all, and refuse every connection.
  if (text.trim() === '') throw new ConfigError(`Bad configuration. The file of ${variable} is empty.`);
  return text;
}

/**
 * The certificate of an earlier start, unless it lacks the configured host: people who accepted it
 * once are not asked again, also when the machine has got another address or name.
 */
async function readKept(files: Certificate, host: string): Promise<Certificate | null> {
  try {
    const kept = { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') };
    const certificate = new X509Certificate(kept.cert);
    if (isComparable(host)) {
      const found = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
      if (found === undefined) return null;
    }
    return Date.parse(certificate.validTo) - Date.now() > RENEW_BEFORE_MS ? kept : null;
  } catch {
    return null;
  }
}

/** Whether a certificate with this host is known to match it, which zones and umlauts prevent. */
function isComparable(host: string): boolean {
  if (ALL_ADDRESSES.includes(host)) return false;
  return isIP(host) === 0 ? /^[\w-]+(\.[\w-]+)*$/.test(host) : !/%|\..*:|:.*\./.test(host);
}

async function makeCertificate(files: Certificate, host: string): Promise<Certificate> {
  const { generate } = await import('selfsigned');
  const notAfterDate = new Date(Date.now() + VALID_DAYS * 24 * 3_600_000);
  const subject = [
    { name: 'commonName', value: 'localhost' },
    // OpenSSL finds a trusted certificate by its subject: a client that trusts two of the same
    // subject refuses one of them.
    { name: 'organizationName', value: `jyutsing ${randomUUID()}` },
  ];
  const made = await generate(subject, {
    keyType: 'ec',
    notAfterDate,
    extensions: [{ name: 'subjectAltName', altNames: alternativeNames(host) }],
  });
  await writeFile(files.key, made.private, { mode: 0o600 });
  await writeFile(files.cert, made.cert);
  return { cert: made.cert, key: made.private };
}

/** Returns the names and addresses by which clients may reach this machine. */
function alternativeNames(host: string): SubjectAltName[] {
  const configured = ALL_ADDRESSES.includes(host) ? [] : [host];
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    // Those with a scope are valid within one local network only.
    .filter((address) => !address.internal && (address.family === 'IPv4' || address.scopeid === 0))
    .map(({ address }) => address);
  const all = ['localhost', '127.0.0.1', '::1', hostname(), ...configured, ...found];
  return [...new Set(all)].map((name) =>
    isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name },
  );
}
