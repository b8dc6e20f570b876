import { once } from 'node:events';
import { access, mkdtemp, readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { AppError } from '@jyutsing/contracts/errors';
import { FAULTS, faultyBucket, type Fault } from '#testbed/servers/faulty-bucket.ts';
import { S3_BUCKET, startS3 } from '#testbed/servers/s3-server.ts';
import { openBlobs } from './blobs.ts';

describe.each(['file system', 's3'] as const)('blobs on %s', (kind) => {
  let folder: string;
  let blobs: BlobStore;
  let s3: { port: number; stop(): Promise<void> } | null = null;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jyutsing-blobs-'));
    if (kind === 's3') s3 = await startS3(join(folder, 's3'));
    blobs = await openBlobs({ dataDir: join(folder, 'data'), s3: s3 === null ? null : optionsFor(s3.port) });
  });
  afterAll(async () => {
    await s3?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const upload = async (content: Uint8Array | string): Promise<string> => {
    const path = join(folder, `upload-${crypto.randomUUID()}`);
    await writeFile(path, content);
    return path;
  };

  const list = (inFolder: string, beforeMs: number, fromMs = -Infinity) =>
    Array.fromAsync(blobs.listChanged(inFolder, { fromMs, beforeMs }));

  it('an adopted upload is read unchanged, and the uploaded file is gone', async () => {
    const content = crypto.getRandomValues(new Uint8Array(60_000));
    const path = await upload(content);
    await blobs.adopt(path, 'uploads/a/recording');
    await expect(access(path)).rejects.toThrow('ENOENT');
    expect(await buffer(await blobs.readStream('uploads/a/recording'))).toEqual(Buffer.from(content));
    expect(await blobs.localPath('uploads/a/recording', (local) => readFile(local))).toEqual(Buffer.from(content));
  });

  it('stores an empty file and one of several megabytes', async () => {
    await blobs.adopt(await upload(''), 'empty');
    await blobs.adopt(await upload(new Uint8Array(9_000_000).fill(7)), 'large');
    expect(await blobs.localPath('empty', async (local) => (await stat(local)).size)).toBe(0);
    expect(await blobs.localPath('large', async (local) => (await stat(local)).size)).toBe(9_000_000);
  });

  it('a second blob with the same key replaces the first', async () => {
    await blobs.adopt(await upload('first'), 'again');
    await blobs.adopt(await upload('second'), 'again');
    expect(await blobs.localPath('again', (local) => readFile(local, 'utf8'))).toBe('second');
  });

  it('writes a text, and another one only where none is, or in its place', async () => {
    await blobs.writeText('texts/note', 'first', { isNew: true });
    // The S3 server of the tests does not know `If-None-Match`.
    if (kind !== 's3') await blobs.writeText('texts/note', 'late', { isNew: true });
    expect(await blobs.localPath('texts/note', (local) => readFile(local, 'utf8'))).toBe('first');
    await blobs.writeText('texts/note', 'second', { isNew: false });
    expect(await blobs.localPath('texts/note', (local) => readFile(local, 'utf8'))).toBe('second');
  });

  it('downloads into the folder of the process, which others delete when it was killed', async () => {
    const downloadsDir = join(folder, 'of-this-process');
    const options = { dataDir: join(folder, 'data'), s3: s3 === null ? null : optionsFor(s3.port) };
    const process = await openBlobs(options, downloadsDir);
    await process.adopt(await upload('x'), 'read');
    expect((await process.localPath('read', async (path) => path)).includes(downloadsDir)).toBe(kind === 's3');
  });

  it('leaves no temporary file when the callback of a local path fails', async () => {
    await blobs.adopt(await upload('x'), 'used');
    const failing = blobs.localPath('used', () => Promise.reject(new TypeError('the user failed')));
    await expect(failing).rejects.toThrow('the user failed');
    const left = await readdir(join(folder, 'data', 'blobs-temporary')).catch(() => []);
    expect(left).toEqual([]);
  });

  it('a deleted blob is not found, and deleting it again is no error', async () => {
    await blobs.adopt(await upload('x'), 'gone');
    await blobs.delete('gone');
    await blobs.delete('gone');
    await expect(blobs.readStream('gone')).rejects.toMatchObject({ code: 'not_found' });
    await expect(blobs.localPath('gone', async () => {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('lists the blobs of one folder that were changed in a time', async () => {
    expect(await list('listed', Date.now())).toEqual([]);
    const keys = ['listed/a', 'listed/c', 'listed/deep/b'];
    for (const key of [...keys, 'listed-not/d']) await blobs.adopt(await upload('x'), key);
    expect((await list('listed', Date.now() + 60_000)).sort()).toEqual(keys);
    expect(await list('listed', Date.now() - 60_000)).toEqual([]);
    expect((await list('listed', Infinity, Date.now() - 60_000)).sort()).toEqual(keys);
    expect(await list('listed', Infinity, Date.now() + 60_000)).toEqual([]);
  });

  it.each(['../outside', 'a/../../outside', '..\\outside', '', '.', '/', 'a/\u0000b'])(
    'refuses the key %j and leaves the upload where it is',
    async (key) => {
      const path = await upload('secret');
      await expect(blobs.adopt(path, key)).rejects.toMatchObject({ code: 'invalid_parameter' });
      await expect(blobs.readStream(key)).rejects.toMatchObject({ code: 'invalid_parameter' });
      await expect(blobs.delete(key)).rejects.toMatchObject({ code: 'invalid_parameter' });
      expect(await readFile(path, 'utf8')).toBe('secret');
    },
  );
});

describe('blobs on the file system', () => {
  it('are opened without the note that a process had not finished when it was killed, a day later', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jyutsing-blobs-'));
    await openBlobs({ dataDir: folder, s3: null });
    const left = join(folder, 'blobs/database.0b0f5f1e-2c67-4a6e-9d0b-6a1c2d3e4f50.partial');
    await writeFile(left, 'x');
    await openBlobs({ dataDir: folder, s3: null });
    expect(await readdir(join(folder, 'blobs'))).toHaveLength(1);
    const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
    await utimes(left, twoDaysAgo, twoDaysAgo);
    await openBlobs({ dataDir: folder, s3: null });
    expect(await readdir(join(folder, 'blobs'))).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('leaves nothing but the whole text when several write one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jyutsing-blobs-'));
    const blobs = await openBlobs({ dataDir: folder, s3: null });
    const writers = Array.from({ length: 20 }, (_, at) => `${at}`.repeat(100_000));
    const write = (isNew: boolean) =>
      Promise.all(writers.map((text) => blobs.writeText('whole/note', text, { isNew })));
    const read = () => blobs.localPath('whole/note', (local) => readFile(local, 'utf8'));
    const results: string[] = [];
    const readOften = async () => {
      for (let left = 200; left > 0; left -= 1) results.push(await read().catch(() => writers[0]!));
    };
    await Promise.all([write(true).then(() => write(false)), readOften()]);
    expect(results.filter((result) => !writers.includes(result))).toEqual([]);
    expect(await readdir(join(folder, 'blobs/whole'))).toEqual(['note']);
    await rm(folder, { recursive: true });
  });

  it('adopts by renaming: the file keeps its inode', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jyutsing-blobs-'));
    const path = join(folder, 'upload');
    await writeFile(path, 'x');
    const { ino } = await stat(path);
    const blobs = await openBlobs({ dataDir: folder, s3: null });
    await blobs.adopt(path, 'k');
    expect(await blobs.localPath('k', async (local) => (await stat(local)).ino)).toBe(ino);
    await rm(folder, { recursive: true });
  });
});

describe('a text that is written to S3 only where none is', () => {
  it('is left when the server has one, or is writing one', async () => {
    for (const status of [200, 412, 409])
      expect(await writeNew(status)).toEqual({ outcome: 'done', conditions: ['*'] });
  });

  it('is written without the condition for a server that does not support it', async () => {
    for (const status of [501, 400, 405])
      expect(await writeNew(status, 200)).toEqual({ outcome: 'done', conditions: ['*', undefined] });
  });

  it('fails as every other request does', async () => {
    expect(await writeNew(403)).toEqual({ outcome: 'service_unavailable', conditions: ['*'] });
  });
});

describe('a local path of S3', () => {
  afterEach(() => void vi.useRealTimers());

  it('is refused when the server sends a byte now and then', async () => {
    let drip: (() => void) | undefined;
    const answer: RequestListener = (request, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 });
      if (request.method === 'HEAD') return void response.end();
      response.flushHeaders();
      drip = () => void response.write('x');
    };
    const next = () => {
      drip?.();
      vi.advanceTimersByTime(1_000);
    };
    expect(await download(answer, next)).toEqual({ outcome: 'service_unavailable', left: [] });
  });

  it('is refused when the headers of the answer arrive so', async () => {
    let drip: (() => void) | undefined;
    const answer: RequestListener = ({ socket }) => {
      let left = 100;
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      // More would be too much for headers.
      drip = () => void ((left -= 1) > 0 && socket.write('x'));
    };
    const next = () => {
      drip?.();
      vi.advanceTimersByTime(1_000);
    };
    expect(await download(answer, next)).toEqual({ outcome: 'service_unavailable', left: [] });
  });

  it.each([
    ['before the answer', () => {}],
    ['in the middle', (response: ServerResponse) => void response.write(Buffer.alloc(100_000))],
  ])('ends when it is not wanted any more, %s', async (_, begin) => {
    const leaving = new AbortController();
    let isBegun = false;
    const answer: RequestListener = (request, response) => {
      if (request.method === 'HEAD') return void response.writeHead(200, { 'content-length': 1_000_000 }).end();
      response.writeHead(200, { 'content-length': 1_000_000 });
      begin(response);
      isBegun = true;
    };
    const next = (stored: number) => {
      if (isBegun && (stored > 0 || begin.length === 0)) leaving.abort(new AppError('client_closed_request'));
    };
    const ended = { outcome: 'client_closed_request', left: [], outageSince: null };
    expect(await download(answer, next, leaving.signal)).toEqual(ended);
  });

  it('takes as many intervals as it needs when enough arrives in each', async () => {
    let sentBytes = 0;
    let sendPart: ((storedBytes: number) => void) | undefined;
    const answer: RequestListener = (request, response) => {
      response.writeHead(200, { 'content-length': 10_000_000 });
      if (request.method === 'HEAD') return void response.end();
      response.flushHeaders();
      sendPart = (stored) => {
        if (stored < sentBytes || sentBytes === 10_000_000) return;
        if (sentBytes > 0) vi.advanceTimersByTime(20_000);
        sentBytes += 2_000_000;
        response.write(Buffer.alloc(2_000_000));
      };
    };
    expect(await download(answer, (stored) => sendPart?.(stored))).toEqual({ outcome: 10_000_000, left: [] });
  });
});

describe('a server of S3 that is busy, whose clock differs, or that breaks off', () => {
  it('takes every request in the end, and nothing is lost or doubled', async () => {
    const whole = [true, 'text', ['blobs-temporary']];
    expect(await Promise.all(FAULTS.map(tryFault))).toEqual(FAULTS.map((fault) => [fault, whole]));
  });

  it('has lost no recording while the bucket, or a server behind a proxy, is not there', async () => {
    const answers = ['<Error><Code>NoSuchBucket</Code></Error>', '<html>404 Not Found</html>', ''];
    const outcomes = answers.map(async (body) => {
      await using server = await openServer((request, response) => {
        request.resume();
        response.writeHead(404).end(request.method === 'HEAD' ? '' : body);
      });
      return await server.blobs.localPath('uploads/recording', async () => {}).catch((error: AppError) => error.code);
    });
    expect(await Promise.all(outcomes)).toEqual(answers.map(() => 'service_unavailable'));
  });
});

/** Stores a recording and a text while the server fails so; returns what became of them. */
async function tryFault(fault: Fault) {
  await using server = await openServer(faultyBucket(fault));
  const { blobs, folder } = server;
  const path = join(folder, 'upload');
  const content = Buffer.alloc(300_000, 7);
  await writeFile(path, content);
  const opened = await openFiles(path);
  const outcome = await (async () => {
    await blobs.adopt(path, 'uploads/recording');
    if ((await openFiles(path)) > opened) return 'the upload is still open';
    const isSame = await blobs.localPath('uploads/recording', async (local) => content.equals(await readFile(local)));
    await blobs.writeText('note', 'text', { isNew: true });
    const text = await blobs.localPath('note', (local) => readFile(local, 'utf8'));
    await blobs.delete('note');
    return [isSame, text, await readdir(folder)];
  })().catch(String);
  return [fault, outcome];
}

/** Counts the descriptors of this process for a file, also after it was deleted. */
async function openFiles(path: string): Promise<number> {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(path)).length;
}

/**
 * Writes a new text to a server that answers with these statuses in turn; returns the conditions of
 * the requests.
 */
async function writeNew(...statuses: number[]) {
  const conditions: (string | undefined)[] = [];
  await using server = await openServer((request, response) => {
    conditions.push(request.headers['if-none-match']);
    request.resume().on('end', () => response.writeHead(statuses.shift() ?? 500).end());
  });
  const outcome = await server.blobs.writeText('note', 'text', { isNew: true }).then(
    () => 'done',
    (error: unknown) => (error as AppError).code,
  );
  return { outcome, conditions };
}

/** Downloads from a server that answers so; until the end `next` is told what is stored. */
async function download(answer: RequestListener, next: (storedBytes: number) => void, signal?: AbortSignal) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await using server = await openServer(answer);
  const reading = server.blobs
    .localPath('k', async (local) => (await stat(local)).size, signal)
    .then(
      (size) => ({ outcome: size }),
      (error: unknown) => ({ outcome: (error as AppError).code }),
    );
  const step = async () => void next(await storedIn(join(server.folder, 'blobs-temporary')));
  let ended: { outcome: unknown } | undefined;
  while (ended === undefined) ended = (await Promise.race([reading, step()])) ?? undefined;
  expect(vi.getTimerCount()).toBe(0);
  const left = await readdir(join(server.folder, 'blobs-temporary'));
  return { ...ended, left, ...(signal === undefined ? {} : { outageSince: server.blobs.outageSince() }) };
}

/** Bytes of all files in a folder. */
async function storedIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Blobs on a server that answers so. */
async function openServer(answer: RequestListener) {
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-blobs-'));
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    folder,
    blobs: await openBlobs({ dataDir: folder, s3: optionsFor(port) }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

function optionsFor(port: number) {
  const endpoint = `http://127.0.0.1:${port}`;
  return { bucket: S3_BUCKET, endpoint, region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
}
