import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { tones, wavBytes } from '#testbed/sound/audio.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { OWNER_KEY, request, submission, temporaryFolder } from '#testbed/service/service.ts';

const MIB = 1_024 ** 2;
const DISK_MIB = 48;
const RESERVE_MIB = 16;

/** A disk of its own needs the right to mount one. */
const canMount = (() => {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** Starts the service with its data on a disk of 48 MiB. */
async function startOnSmallDisk(env: Record<string, string> = {}): Promise<ServiceHere & { dataDir: string }> {
  const folder = await temporaryFolder();
  ended.push(() => folder[Symbol.asyncDispose]());
  const dataDir = join(folder.path, 'data');
  await mkdir(dataDir);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'none', dataDir]);
  ended.push(() => void execFileSync('umount', ['--lazy', dataDir]));
  const service = await startServiceHere(dataDir, env);
  ended.push(() => service.stop());
  return { ...service, dataDir };
}

const freeMib = async (path: string) => {
  const { bavail, bsize } = await statfs(path);
  return (bavail * bsize) / MIB;
};

async function filesIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'incoming'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Sends a file until the server answers; returns the answer. */
async function sendFile(baseUrl: string, sizeBytes: number, key: string | null): Promise<string> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1').on('error', () => {});
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  const header = key === null ? '' : `X-Api-Key: ${key}\r\n`;
  socket.write(
    `POST /api/stt HTTP/1.1\r\nHost: localhost\r\n${header}Transfer-Encoding: chunked\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n',
  );
  const write = (bytes: Buffer) =>
    socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]));
  write(Buffer.from('--b\r\nContent-Disposition: form-data; name="data"; filename="a.wav"\r\n\r\nRIFF'));
  const piece = Buffer.alloc(MIB / 4);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const isOpen = () => received === '' && !socket.destroyed;
  for (let sentBytes = 0; sentBytes < sizeBytes && isOpen(); sentBytes += piece.length) {
    if (!write(piece)) await Promise.race([once(socket, 'drain'), closed]);
  }
  await expect.poll(() => received).toMatch(/\r\n\r\n\{[^]*\}$/);
  socket.destroy();
  return received;
}

const short = wavBytes(tones([{ frequencyHz: 440, durationMs: 500 }]));

describe.skipIf(!canMount)('on a small disk', () => {
  it('uploads without a key cannot use the space of others, and end with 503 and Retry-After', async () => {
    const { baseUrl, dataDir } = await startOnSmallDisk({ DISK_RESERVE_MIB: String(RESERVE_MIB) });
    const before = await freeMib(dataDir);
    const answers = await Promise.all(Array.from({ length: 6 }, () => sendFile(baseUrl, 200 * MIB, null)));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: \d+[^]*"api_key\\" before/i);
    await expect.poll(() => filesIn(dataDir)).toEqual([]);
    expect(await freeMib(dataDir)).toBeGreaterThan(before - 4);
    expect((await request(`${baseUrl}/api/stt`, submission(short))).status).toBe(200);
  });

  it('an upload with a key ends with 503 before it uses the reserve, announced or not', async () => {
    const { baseUrl, dataDir } = await startOnSmallDisk({ DISK_RESERVE_MIB: String(RESERVE_MIB) });
    expect(await sendFile(baseUrl, 200 * MIB, OWNER_KEY)).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 60/i);
    const announced = await request(`${baseUrl}/api/stt`, submission(new Uint8Array(40 * MIB)));
    expect(announced).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
    expect(announced.headers.get('retry-after')).toBe('60');
    await expect.poll(() => filesIn(dataDir)).toEqual([]);
    expect((await request(`${baseUrl}/api/stt`, submission(short))).status).toBe(200);
  });

  it('a disk that becomes full in the middle of an upload is 503 and leaves nothing behind', async () => {
    const { baseUrl, dataDir } = await startOnSmallDisk({ DISK_RESERVE_MIB: '0' });
    // Another program takes the rest, faster than the service measures.
    const sending = sendFile(baseUrl, 200 * MIB, OWNER_KEY);
    execFileSync('sh', ['-c', `dd if=/dev/zero of=${dataDir}/other bs=1M 2>/dev/null || true`]);
    expect(await sending).toMatch(/^HTTP\/1\.1 503 [^]*"code":"service_unavailable"/);
    await expect.poll(() => filesIn(dataDir)).toEqual([]);
  });
});
