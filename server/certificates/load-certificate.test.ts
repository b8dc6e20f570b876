import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createSecureContext, createServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig, type Config } from '#config/config.ts';
import { loadCertificate } from './load-certificate.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-certificate-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const configWith = (variables: Record<string, string>): Config => loadConfig({ DATA_DIR: dataDir, ...variables });
const selfSigned = (host = '127.0.0.1') => loadCertificate(configWith({ TLS: 'self-signed', HOST: host }));
const namesOf = (cert: string) => new X509Certificate(cert).subjectAltName!.split(', ');
const keyFile = () => join(dataDir, 'self-signed-key.pem');
const certFile = () => join(dataDir, 'self-signed-cert.pem');

describe('without TLS', () => {
  it('there is no certificate', async () => {
    expect(await loadCertificate(configWith({}))).toBeNull();
  });
});

describe('the certificate of an operator', () => {
  it('is read from its files', async () => {
    const [cert, key] = [join(dataDir, 'cert.pem'), join(dataDir, 'key.pem')];
    const made = (await selfSigned())!;
    await writeFile(cert, made.cert);
    await writeFile(key, made.key);
    expect(await loadCertificate(configWith({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }))).toEqual(made);
  });

  it.each(['no PEM', 'of another certificate'])('with a key that is %s is refused by name', async (which) => {
    const made = (await selfSigned())!;
    const [cert, key] = [join(dataDir, 'cert.pem'), join(dataDir, 'key.pem')];
    await writeFile(cert, made.cert);
    await rm(keyFile());
    await writeFile(key, which === 'no PEM' ? 'a key' : (await selfSigned())!.key);
    await expect(loadCertificate(configWith({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }))).rejects.toThrow(
      'Bad configuration. TLS_CERT_FILE must be a certificate in PEM, and TLS_KEY_FILE its private key.',
    );
  });

  it.each([
    ['TLS_CERT_FILE', 'missing.pem', 'key.pem'],
    ['TLS_KEY_FILE', 'cert.pem', 'missing.pem'],
  ])('that cannot be read is refused by name: %s', async (variable, cert, key) => {
    await writeFile(join(dataDir, 'cert.pem'), 'a certificate');
    await writeFile(join(dataDir, 'key.pem'), 'a key');
    const files = { TLS_CERT_FILE: join(dataDir, cert), TLS_KEY_FILE: join(dataDir, key) };
    await expect(loadCertificate(configWith(files))).rejects.toThrow(
      `Bad configuration. ${variable} must be a file that can be read.`,
    );
  });
});

describe('a certificate for development', () => {
  it('is one for this machine that TLS can use, for a year', async () => {
    const made = (await selfSigned('192.0.2.7'))!;
    expect(() => createSecureContext(made)).not.toThrow();
    const certificate = new X509Certificate(made.cert);
    const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 86_400_000;
    expect(days).toBeGreaterThan(364);
    expect(days).toBeLessThan(397);
    expect(namesOf(made.cert)).toEqual(
      expect.arrayContaining([
        'DNS:localhost',
        `DNS:${hostname()}`,
        'IP Address:127.0.0.1',
        'IP Address:192.0.2.7',
        'IP Address:0:0:0:0:0:0:0:1',
      ]),
    );
    expect(certificate.verify(certificate.publicKey)).toBe(true);
  });

  it('is kept with a key that only this user can read, and used again', async () => {
    const made = (await selfSigned())!;
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect(await readFile(certFile(), 'utf8')).toBe(made.cert);
    expect(await selfSigned()).toEqual(made);
  });

  it('is made anew when the kept one cannot be used', async () => {
    const made = (await selfSigned())!;
    await writeFile(certFile(), 'broken');
    const next = (await selfSigned())!;
    expect(next.cert).not.toBe(made.cert);
    await rm(keyFile());
    expect((await selfSigned())!.key).not.toBe(next.key);
  });

  it('has the name of its host, also when it was kept of another one', async () => {
    expect(namesOf((await selfSigned('speech.example'))!.cert)).toContain('DNS:speech.example');
    const later = (await selfSigned('192.0.2.7'))!;
    expect(namesOf(later.cert)).toContain('IP Address:192.0.2.7');
    // 127.0.0.1 and all addresses are no reason to ask people again.
    for (const host of ['127.0.0.1', '0.0.0.0', '::', 'fe80::1%eth0', '::ffff:127.0.0.1', 'bücher.example', ''])
      expect(await selfSigned(host)).toEqual(later);
  });

  it('is trusted beside that of another service by a client that was given both', async () => {
    const made = [(await selfSigned())!];
    await rm(certFile());
    made.push((await selfSigned())!);
    const ca = made.map(({ cert }) => cert);
    for (const certificate of made) {
      const server = createServer(certificate).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const client = connect({ ca, host: '127.0.0.1', port: (server.address() as AddressInfo).port });
      await once(client, 'secureConnect');
      expect(client.authorized).toBe(true);
      client.destroy();
      server.close();
    }
  });

  it('has the addresses of this machine, and not that which stands for all of them', async () => {
    const ownAddresses = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    const names = namesOf((await selfSigned('0.0.0.0'))!.cert);
    expect(names).toEqual(expect.arrayContaining(ownAddresses.map(({ address }) => `IP Address:${address}`)));
    expect(names).not.toContain('IP Address:0.0.0.0');
  });
});
