import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/source-files.ts';

const MIB = 1024 ** 2;

/** Sends a file, and prints by how many bytes its memory grew at most. */
const PROGRAM = `
  import { Jyutsing } from ${JSON.stringify(join(ROOT, 'packages/client/index.ts'))};
  const [baseUrl, path] = process.argv.slice(1);
  const jyut = new Jyutsing({ baseUrl, apiKey: 'key', maxRetries: 0 });
  await jyut.info();
  const startBytes = process.memoryUsage().rss;
  let highest = startBytes;
  await jyut.transcribe(path, {
    onUploadProgress: () => (highest = Math.max(highest, process.memoryUsage.rss())),
  });
  console.log(highest - startBytes);
`;

it('an upload of 256 MiB takes at most 64 MiB of memory', async () => {
  const path = join(tmpdir(), `jyutsing-large-${process.pid}.wav`);
  const file = await open(path, 'w');
  // A sparse file takes no space on the disk.
  await file.truncate(256 * MIB);
  await file.close();
  let receivedBytes = 0;
  // The server takes data as fast as it comes, as no real server does.
  const server = createServer((request, response) => {
    request.on('data', (piece: Buffer) => (receivedBytes += piece.length));
    request.on('end', () => response.end('{"success":true,"data":{"request_id":"x"}}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const args = ['--input-type=module', '-e', PROGRAM, address, path];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 100_000 });
    expect(receivedBytes).toBeGreaterThan(256 * MIB);
    expect(Number(stdout) / MIB).toBeLessThanOrEqual(64);
  } finally {
    server.close();
    await rm(path);
  }
});
