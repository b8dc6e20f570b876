import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '#testbed/service/service.ts';
import { followCertificate } from './follow-certificate.ts';
import { readCertificate } from './load-certificate.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let files: { certFile: string; keyFile: string };
let server: Server;
let closing: AbortController;
let logged: string[];

beforeEach(async () => {
  folder = await temporaryFolder();
  files = { certFile: join(folder.path, 'cert.pem'), keyFile: join(folder.path, 'key.pem') };
  await renew('first.example');
  const current = await readCertificate(files);
  server = createServer(current);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing = new AbortController();
  logged = [];
  const logger = {
    info: () => void logged.push('info'),
    warn: () => void logged.push('warn'),
  };
  followCertificate(server, { tls: files, current, logger, signal: closing.signal }, 5);
});
afterEach(async () => {
  closing.abort();
  server.close();
  await folder[Symbol.asyncDispose]();
});

async function renew(name: string): Promise<void> {
  const made = await generate([{ name: 'commonName', value: name }], { keyType: 'ec' });
  // In two steps, as tools for certificates do; between them the files do not belong together.
  await writeFile(files.keyFile, made.private);
  await writeFile(files.certFile, made.cert);
}

/** The name in the certificate that a new connection gets. */
function served(): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

it('new connections get a renewed certificate', async () => {
  expect(await served()).toBe('first.example');
  await renew('second.example');
  await expect.poll(served).toBe('second.example');
  await renew('third.example');
  await expect.poll(served).toBe('third.example');
  expect(logged.filter((level) => level === 'info')).toHaveLength(2);
});

it('the earlier one stays while the files are missing or wrong, which is logged once each time', async () => {
  await rm(files.certFile);
  await expect.poll(() => logged).toEqual(['warn']);
  expect(await served()).toBe('first.example');
  await renew('second.example');
  await expect.poll(() => logged).toContain('info');
  expect(await served()).toBe('second.example');
  logged.length = 0;
  await writeFile(files.keyFile, '');
  await expect.poll(() => logged).toEqual(['warn']);
  await writeFile(files.keyFile, 'no key');
  expect(await served()).toBe('second.example');
  expect(logged).toEqual(['warn']);
});

it('a certificate for development and plain http have no files to follow', () => {
  const logger = { info: () => {}, warn: () => {} };
  for (const tls of ['self-signed', null] as const) {
    const { signal } = new AbortController();
    expect(() => followCertificate(server, { tls, current: null, logger, signal })).not.toThrow();
  }
});
