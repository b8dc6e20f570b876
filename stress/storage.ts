import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { openBlobs } from '#server/store/blobs.ts';
import { freePort } from '#testbed/servers/free-port.ts';
import { S3_BUCKET, s3Environment } from '#testbed/servers/s3-server.ts';
import {
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { goalOfZero, type Measurement } from '../bench/report.ts';

const HOUR_MS = 3_600_000;
const LARGE_BYTES = 64 * 1024 ** 2;
const RECORDINGS = 6;
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** Arguments of each known server, which keeps its objects in `folder`, or else in memory. */
type Server = { isInMemory?: true; args(at: { port: number; folder: string; other: readonly number[] }): string[] };
const SERVERS: Readonly<Record<string, Server>> = {
  weed: {
    args: ({ port, folder, other: [master, volume, filer] }) => [
      'server',
      `-dir=${folder}`,
      '-ip=127.0.0.1',
      '-ip.bind=127.0.0.1',
      `-master.port=${master}`,
      `-volume.port=${volume}`,
      '-filer',
      `-filer.port=${filer}`,
      '-s3',
      `-s3.port=${port}`,
      `-s3.config=${folder}.json`,
    ],
  },
  rclone: {
    args: ({ port, folder }) => [
      'serve',
      's3',
      `--addr=127.0.0.1:${port}`,
      `--auth-key=${CREDENTIALS.accessKeyId},${CREDENTIALS.secretAccessKey}`,
      folder,
    ],
  },
  moto_server: { isInMemory: true, args: ({ port }) => ['-H', '127.0.0.1', '-p', String(port)] },
};

/**
 * Runs the storage of files, and then a service, against a real S3 server that `program` starts:
 * `weed` (SeaweedFS), `rclone` or `moto_server`.
 */
export async function tryStorage(program: string): Promise<Measurement[]> {
  const server = SERVERS[basename(program)];
  if (server === undefined) throw new TypeError(`--program names one of ${Object.keys(SERVERS).join(', ')}`);
  await using folder = await temporaryFolder();
  await using running = await startServer(program, server, join(folder.path, 's3'));
  const open = (name: string) =>
    openBlobs({ dataDir: join(folder.path, name), s3: { bucket: S3_BUCKET, ...running.address, ...CREDENTIALS } });
  const wrong: string[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const found = await check(await open('data'), folder.path, () => open('data')).catch(String);
    if (found !== 'right') wrong.push(`${name}: ${found}`);
  }
  const kept = await isNoteKept(await open('data'));
  console.error(`  If-None-Match: ${kept ? 'known' : 'ignored'}`);
  if (server.isInMemory !== true) wrong.push(...(await dieAmid(await open('data'), folder.path, running)));
  for (const fault of wrong) console.error(`  ${fault}`);
  const lost = await transcribeBesideDeaths(join(folder.path, 'service'), running, server.isInMemory !== true);
  return [
    goalOfZero(`${basename(program)}: operations that failed or gave something else`, wrong.length),
    goalOfZero(`${basename(program)}: of ${RECORDINGS} accepted recordings, lost or not deleted`, lost),
  ];
}

type Check = (blobs: BlobStore, folder: string, open: () => Promise<BlobStore>) => Promise<string>;
const all = { fromMs: -Infinity, beforeMs: Infinity };
const judge = (right: boolean, found: unknown = 'something else') => (right ? 'right' : String(found));

async function adopt(blobs: BlobStore, folder: string, key: string, content: Uint8Array | string): Promise<void> {
  const path = join(folder, `upload-${crypto.randomUUID()}`);
  await writeFile(path, content);
  await blobs.adopt(path, key);
}

const CHECKS: Readonly<Record<string, Check>> = {
  async 'an empty object'(blobs, folder) {
    await adopt(blobs, folder, 'empty', '');
    return judge((await blobs.localPath('empty', async (path) => (await stat(path)).size)) === 0);
  },
  async 'a large object, streamed and downloaded'(blobs, folder) {
    const content = Buffer.alloc(LARGE_BYTES, 'abcdefg');
    await adopt(blobs, folder, 'uploads/large', content);
    const isSame = await blobs.localPath('uploads/large', async (path) => content.equals(await readFile(path)));
    return judge(isSame && content.equals(await buffer(await blobs.readStream('uploads/large'))));
  },
  async 'an object that is replaced while it is read'(blobs, folder) {
    const [before, after] = [1, 2].map((byte) => Buffer.alloc(LARGE_BYTES / 4, byte));
    await adopt(blobs, folder, 'replaced', before!);
    const reading = await blobs.readStream('replaced');
    await adopt(blobs, folder, 'replaced', after!);
    const content = await buffer(reading);
    return judge(content.equals(before!) || content.equals(after!), 'parts of both');
  },
  async 'an object that is deleted twice'(blobs, folder) {
    await adopt(blobs, folder, 'gone', 'x');
    await blobs.delete('gone');
    await blobs.delete('gone');
    return blobs.readStream('gone').then(
      () => 'still there',
      (error: { code: string }) => judge(error.code === 'not_found', error),
    );
  },
  async 'a listing of several pages, and deletion meanwhile'(blobs) {
    const keys = Array.from({ length: 1_100 }, (_, index) => `many/${index}`);
    for (let at = 0; at < keys.length; at += 50) {
      await Promise.all(keys.slice(at, at + 50).map((key) => blobs.writeText(key, 'x', { isNew: false })));
    }
    const listed = [];
    for await (const key of blobs.listChanged('many', all)) {
      listed.push(key);
      await blobs.delete(key);
    }
    const left = await Array.fromAsync(blobs.listChanged('many', all));
    return judge(listed.length === keys.length && left.length === 0, `${listed.length} listed, ${left.length} left`);
  },
  async 'objects of a time'(blobs, folder) {
    await adopt(blobs, folder, 'timed/one', 'x');
    const early = await Array.fromAsync(blobs.listChanged('timed', { ...all, beforeMs: Date.now() - HOUR_MS }));
    const late = await Array.fromAsync(blobs.listChanged('timed', { ...all, fromMs: Date.now() - HOUR_MS }));
    return judge(early.length === 0 && late.length === 1);
  },
  'a clock that is an hour early': (_blobs, folder, open) => atOtherTime(-HOUR_MS, folder, open),
  'a clock that is an hour late': (_blobs, folder, open) => atOtherTime(HOUR_MS, folder, open),
};

/** Stores, reads and deletes while the clock of this process is wrong. */
async function atOtherTime(byMs: number, folder: string, open: () => Promise<BlobStore>): Promise<string> {
  const { now } = Date;
  Date.now = () => now() + byMs;
  try {
    // Each store has a client of its own, which does not know yet that the clock is wrong.
    await adopt(await open(), folder, 'skewed', 'text');
    const found = await text(await (await open()).readStream('skewed'));
    await (await open()).delete('skewed');
    return judge(found === 'text');
  } finally {
    Date.now = now;
  }
}

async function isNoteKept(blobs: BlobStore): Promise<boolean> {
  await blobs.writeText('note', 'first', { isNew: true });
  await blobs.writeText('note', 'second', { isNew: true });
  return (await text(await blobs.readStream('note'))) === 'first';
}

/** Kills the server in the middle of an upload and of a download, and repeats what was refused. */
async function dieAmid(blobs: BlobStore, folder: string, server: Running): Promise<string[]> {
  const content = Buffer.alloc(LARGE_BYTES, 'hijklmn');
  const path = join(folder, 'upload-amid');
  await writeFile(path, content);
  const upload = () => blobs.adopt(path, 'uploads/amid');
  const download = () => blobs.localPath('uploads/amid', async (local) => content.equals(await readFile(local)));
  const wrong: string[] = [];
  for (const [name, work] of Object.entries({ upload, download })) {
    const working = work().catch((error: { code: string }) => error.code);
    await sleep(20);
    await server.kill();
    await server.start();
    const outcome = await working;
    if (outcome === 'service_unavailable') await work();
    else if (outcome !== undefined && outcome !== true) wrong.push(`death amid the ${name}: ${String(outcome)}`);
  }
  if (!(await download())) wrong.push('death amid a request: another content');
  return wrong;
}

/** Counts accepted recordings that did not end as they should, or whose upload is left. */
async function transcribeBesideDeaths(dataDir: string, server: Running, mayDie: boolean): Promise<number> {
  const audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
  const service = await startService(dataDir, { ...s3Environment(server.address.endpoint), LOG_LEVEL: 'fatal' });
  try {
    const accepted: string[] = [];
    while (accepted.length < RECORDINGS) {
      const fields = { skip_fusion: 'true', context: crypto.randomUUID() };
      const answer = await request(`${service.baseUrl}/api/stt`, submission(audio, fields));
      if (answer.status === 200) accepted.push(requestIdOf(answer));
      else if (answer.status !== 503) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      if (mayDie && accepted.length % 3 === 1) {
        await server.kill();
        await server.start();
      }
    }
    const records = await Promise.all(accepted.map((id) => waitForResult(service.baseUrl, id)));
    const blobs = await openBlobs({ dataDir, s3: { bucket: S3_BUCKET, ...server.address, ...CREDENTIALS } });
    const left = await Array.fromAsync(blobs.listChanged('uploads', all));
    const isLeft = (key: string) => accepted.some((id) => key.includes(id));
    return records.filter(({ status }) => status !== 'completed').length + left.filter(isLeft).length;
  } finally {
    await service.stop();
  }
}

type Running = AsyncDisposable & {
  address: { endpoint: string; region: string };
  kill(): Promise<void>;
  start(): Promise<void>;
};

async function startServer(program: string, server: Server, folder: string): Promise<Running> {
  await mkdir(folder);
  const credentials = [{ accessKey: CREDENTIALS.accessKeyId, secretKey: CREDENTIALS.secretAccessKey }];
  const identities = [{ name: 'test', credentials, actions: ['Admin', 'Read', 'Write', 'List'] }];
  await writeFile(`${folder}.json`, JSON.stringify({ identities }));
  // Those of gRPC, 10,000 higher, are valid ports, too.
  const [port, ...other] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const address = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1' };
  const client = new S3Client({ ...address, forcePathStyle: true, credentials: CREDENTIALS });
  let child: ChildProcess | null = null;
  const makeBucket = () =>
    client.send(new CreateBucketCommand({ Bucket: S3_BUCKET })).then(
      () => true,
      (error: Error) => error.name.startsWith('BucketAlready'),
    );
  const running: Running = {
    address,
    async start() {
      child = spawn(program, server.args({ port, folder, other }), { stdio: 'ignore' });
      child.once('error', (error) => console.error(`  ${error.message}`));
      for (let left = 120; !(await makeBucket()); left -= 1) {
        if (left === 0) throw new Error(`${program} does not answer`);
        await sleep(500);
      }
    },
    async kill() {
      const ended = once(child!, 'exit');
      child!.kill('SIGKILL');
      await ended;
    },
    async [Symbol.asyncDispose]() {
      await running.kill();
      client.destroy();
    },
  };
  await running.start();
  return running;
}
