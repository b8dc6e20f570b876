import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { createSecureContext } from 'node:tls';
import { ConfigError, type Config } from './config/config.ts';
import { selfSignedFiles } from './self-signed-files.ts';

/** A certificate and its private key in PEM. */
export type Certificate = { cert: string; key: string };

type SubjectAltName = { type: 2; value: string } | { type: 7; ip: string };

const VALID_DAYS = 365;
const RENEW_BEFORE_MS = 30 * 24 * 3_600_000;

/** The files of an operator. */
type CertificateFiles = { certFile: string; keyFile: string };

/** Null: plain http. Throws ConfigError for files that cannot be used. */
export async function loadCertificate({ http: { tls }, dataDir, host }: Config): Promise<Certificate | null> {
  if (tls === null) return null;
  if (tls !== 'self-signed') return readCertificate(tls);
  const files = selfSignedFiles(dataDir);
  return (await readKept(files)) ?? makeCertificate(files, host);
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

/** The certificate of an earlier start: people who accepted it once are not asked again. */
async function readKept(files: Certificate): Promise<Certificate | null> {
  try {
    const kept = { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') };
    const expiresMs = Date.parse(new X509Certificate(kept.cert).validTo);
    return expiresMs - Date.now() > RENEW_BEFORE_MS ? kept : null;
  } catch {
    return null;
  }
}

async function makeCertificate(files: Certificate, host: string): Promise<Certificate> {
  const { generate } = await import('selfsigned');
  const notAfterDate = new Date(Date.now() + VALID_DAYS * 24 * 3_600_000);
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notAfterDate,
    extensions: [{ name: 'subjectAltName', altNames: alternativeNames(host) }],
  });
  await writeFile(files.key, made.private, { mode: 0o600 });
  await writeFile(files.cert, made.cert);
  return { cert: made.cert, key: made.private };
}

function alternativeNames(host: string): SubjectAltName[] {
  const addresses = ['127.0.0.1', '::1', ...(isIP(host) === 0 ? [] : [host])];
  const names = ['localhost', hostname(), ...(isIP(host) === 0 ? [host] : [])];
  return [
    ...[...new Set(names)].map((value) => ({ type: 2 as const, value })),
    ...[...new Set(addresses)].map((ip) => ({ type: 7 as const, ip })),
  ];
}
