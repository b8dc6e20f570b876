import { createServer } from 'node:http';
import { statfs } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { form, send, wav, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer } from '#test/http/start-server.ts';
import { createDiskSpace } from './disk-space.ts';

const MIB = 1_024 ** 2;

/** A reserve that leaves this much of the real disk. */
async function reserveAllBut(leftBytes: number): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir());
  return bavail * bsize - leftBytes;
}

test('an upload to a full disk is refused with 503 and Retry-After, with and without a key', async () => {
  await using server = await startTestServer({ diskReserveBytes: await reserveAllBut(-1_000 * MIB) });
  const post = (...parts: Parameters<typeof form>): Promise<Answer> =>
    send(`${server.baseUrl}/api/stt`, form(...parts));
  for (const answer of [
    await post(['api_key', server.ownerKey], ['data', wav(1)]),
    await post(['data', wav(1)], ['api_key', server.ownerKey]),
  ]) {
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
    expect(String(answer.body['message'])).toMatch(/disk .* full/);
    expect(answer.headers.get('retry-after')).toBe('60');
  }
  expect(await server.incoming()).toEqual([]);
});

test('/health says that the disk of uploads is full, and which setting decides', async () => {
  await using server = await startTestServer({ diskReserveBytes: await reserveAllBut(-1_000 * MIB) });
  const { status, headers, body } = await send(`${server.baseUrl}/health`);
  expect([status, headers.get('retry-after')]).toEqual([503, '60']);
  expect(body['message']).toBe(
    'The disk of DATA_DIR has less free space than DISK_RESERVE_MIB; free some space on it.',
  );
});

test('a download uses no more of the disk than an upload', async () => {
  const files = createServer((_, response) => {
    // Far more than other tests free meanwhile.
    response.writeHead(200, { 'content-length': 900 * MIB });
    response.flushHeaders();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    files.closeAllConnections();
    files.close();
  });
  const limits = { diskReserveBytes: await reserveAllBut(100 * MIB), maxUploadBytes: 1_000 * MIB };
  const changes = { ...limits, webhooksAllowPrivate: true };
  await using server = await startTestServer(changes);
  const dataUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}/recording.wav`;
  const answer = await send(`${server.baseUrl}/api/stt`, form(['api_key', server.ownerKey], ['data_url', dataUrl]));
  expect(answer).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
  expect(answer.headers.get('retry-after')).toBe('60');
  expect(await server.incoming()).toEqual([]);
});

test('many uploads at once do not change what is left of the disk', async () => {
  const disk = createDiskSpace(tmpdir(), await reserveAllBut(1_000 * MIB));
  for (let round = 0; round < 20; round += 1) {
    const files = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const file = await disk.open({ expectedBytes: 1_000, accountId: 'one' });
        file.grow(index);
        return file;
      }),
    );
    for (const file of files) file[Symbol.dispose]();
  }
  await expect(disk.open({ expectedBytes: 1_100 * MIB, accountId: 'one' })).rejects.toThrow(/disk .* full/);
  using file = await disk.open({ expectedBytes: 900 * MIB, accountId: 'one' });
  expect(() => file.grow(1)).not.toThrow();
});

test('files in progress hold what they announced; files without a key hold only what was sent', async () => {
  const disk = createDiskSpace(tmpdir(), await reserveAllBut(1_000 * MIB));
  const anonymous = await disk.open({ expectedBytes: 600 * MIB, accountId: null });
  const announced = await disk.open({ expectedBytes: 600 * MIB, accountId: 'one' });
  await expect(disk.open({ expectedBytes: 600 * MIB, accountId: 'one' })).rejects.toThrow(/disk .* full/);
  announced[Symbol.dispose]();
  const next = await disk.open({ expectedBytes: 600 * MIB, accountId: 'one' });
  // A quarter of what is free, for all of them together.
  anonymous.grow(150 * MIB);
  expect(() => anonymous.grow(500 * MIB)).toThrow(/api_key/);
  next[Symbol.dispose]();
});

test('what one account announces without sending it leaves half of the disk to others', async () => {
  const disk = createDiskSpace(tmpdir(), await reserveAllBut(1_000 * MIB));
  await using files = new AsyncDisposableStack();
  for (const expectedBytes of [600 * MIB, 250 * MIB]) files.use(await disk.open({ expectedBytes, accountId: 'one' }));
  await expect(disk.open({ expectedBytes: 300 * MIB, accountId: 'one' })).rejects.toThrow(/disk .* full/);
  using file = await disk.open({ expectedBytes: 300 * MIB, accountId: 'other' });
  expect(() => file.grow(300 * MIB)).not.toThrow();
  await expect(disk.open({ expectedBytes: 600 * MIB, accountId: 'other' })).rejects.toThrow(/disk .* full/);
});
