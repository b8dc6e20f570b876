import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '@jyutsing/concurrency/in-parallel';
import { FIXTURE_FORMATS, noise, writeSound } from '#testbed/sound/audio.ts';
import { malformedRequest } from '#testbed/clients/malformed-requests.ts';
import { mutate, randomFrom } from '#testbed/clients/mutated-files.ts';
import { OWNER_KEY, request, submission, temporaryFolder } from '#testbed/service/service.ts';
import { startWithNpm } from '../bench/npm-service.ts';
import { generousPlan } from '../bench/plan.ts';
import { goalOfZero, type Measurement } from '../bench/report.ts';

const CLIENTS = 12;
const ANSWER_PATIENCE_MS = 60_000;
/** Matches server errors that tell clients what to do; every other one is a fault. */
const DOCUMENTED = /"code":"(?:engine_unavailable|service_unavailable|timed_out|upstream_unavailable)"/;
/** Milliseconds that accepted work may take after the last request. */
const WORK_PATIENCE_MS = 300_000;

/** Sends malformed requests and mutated recordings, which are the same for the same seed. */
export async function fuzz(order: { requests: number; files: number; seed: number }): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const service = await startWithNpm(dataDir, { PLANS_FILE: await generousPlan(folder.path) });
  try {
    const faults: string[] = [];
    const statuses = new Map<string, number>();
    const count = (status: string) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await inParallel(indexesTo(order.requests), CLIENTS, async (index) => {
      const bytes = malformedRequest(randomFrom(order.seed + index), OWNER_KEY);
      const answer = await exchange(Number(new URL(service.baseUrl).port), bytes);
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed';
      count(status);
      // A client that ends in the middle of its body gets no answer.
      if (status.startsWith('5') && !DOCUMENTED.test(answer)) faults.push(`request ${index}: ${answer.slice(-300)}`);
    });
    const recordings = await writeRecordings(folder.path);
    await inParallel(indexesTo(order.files), CLIENTS, async (index) => {
      const original = recordings[index % recordings.length]!;
      const file = mutate(original, randomFrom(order.seed + index));
      const { status, body } = await request(`${service.baseUrl}/api/stt`, submission(file));
      count(String(status));
      if (status >= 500 && !DOCUMENTED.test(JSON.stringify(body)))
        faults.push(`file ${index}: ${JSON.stringify(body)}`);
    });
    const health = await request(`${service.baseUrl}/health`);
    if (health.status !== 200) faults.push(`/health afterwards: ${health.status}`);
    const left = await leftovers(dataDir);
    console.error(`  answers: ${JSON.stringify(Object.fromEntries([...statuses].toSorted()))}`);
    for (const fault of faults.slice(0, 20)) console.error(`  ${fault}`);
    for (const file of left.slice(0, 20)) console.error(`  left behind: ${file}`);
    return [
      goalOfZero(`undocumented errors in ${order.requests} requests and ${order.files} files`, faults.length),
      goalOfZero('files left behind in incoming', left.length),
    ];
  } finally {
    await service.stop();
  }
}

const indexesTo = (count: number): number[] => [...Array(count).keys()];

/** Sends bytes, ends the sending side, and returns all that is received. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    // The connection of a body that is shorter than announced stays open for a while.
    if (/\r\n\r\n\{[^]*\}$/.test(received)) socket.destroy();
  });
  socket.setTimeout(ANSWER_PATIENCE_MS, () => socket.destroy());
  socket.once('close', () => resolve(received));
  socket.end(bytes);
  return promise;
}

/** The recordings are short, because thousands of them are recognized. */
async function writeRecordings(folder: string): Promise<Buffer[]> {
  return Promise.all(
    FIXTURE_FORMATS.map(async (format) => {
      const path = join(folder, `noise.${format}`);
      await writeSound(path, noise(400, 0.2), format);
      return readFile(path);
    }),
  );
}

/** The files of uploads that still exist when all work has ended. */
async function leftovers(dataDir: string): Promise<string[]> {
  for (let waitedMs = 0; ; waitedMs += 1_000) {
    const entries = await readdir(join(dataDir, 'incoming'), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    if (files.length === 0 || waitedMs > WORK_PATIENCE_MS) return files;
    await sleep(1_000);
  }
}
