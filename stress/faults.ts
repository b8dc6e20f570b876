import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { generousPlan } from '../bench/plan.ts';
import type { Measurement } from '../bench/report.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { crashPostgres, signalPostgres } from '#testbed/servers/postgres-processes.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  waitForResult,
  temporaryFolder,
} from '#testbed/service/service.ts';
import { mountSmallDisk } from '#testbed/servers/small-disk.ts';
import { openDatabaseProxy } from '#testbed/servers/tcp-proxy.ts';

/** Begins and ends a fault of a service's database or disk. */
type Fault = { name: string; begin(): unknown; end(): unknown; isOutage?: false };
type Setup = { dataDir: string; env: Record<string, string>; faults: Fault[]; close(): Promise<void> };
type Answer = { status: number; sentMs: number; tookMs: number };

const PROBE_EVERY_MS = 200;
const SMALL_DISK_MIB = 32;
/** A reserve smaller than the test's disk, unlike the default. */
const RESERVE = { DISK_RESERVE_MIB: '4' };
const GOAL_ANSWER_MS = 2_000;
const GOAL_RECOVERY_MS = 15_000;

/**
 * Breaks the database and the disk of a running service, each for some seconds, and measures how
 * soon requests get the right answer, how soon it recovers, and what is lost.
 */
export async function measureFaults(seconds: number): Promise<Measurement[]> {
  const audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
  const results: Measurement[] = [];
  for (const open of [postgresSetup, sqliteSetup, diskSetup]) {
    await using folder = await temporaryFolder();
    const setup = await open(folder.path);
    if (setup === null) continue;
    const service = await startService(setup.dataDir, {
      PLANS_FILE: await generousPlan(folder.path),
      LOG_LEVEL: 'fatal',
      ...setup.env,
    });
    for (const fault of setup.faults) results.push(...(await measureFault(service.baseUrl, fault, seconds, audio)));
    await service.stop();
    await setup.close();
  }
  return results;
}

async function postgresSetup(dataDir: string): Promise<Setup | null> {
  const database = databasesToTest().find(({ name }) => name === 'postgres');
  if (database === undefined) return null;
  const opened = await database.open();
  const url = opened.databaseUrl ?? '';
  const proxy = await openDatabaseProxy(url);
  return {
    dataDir,
    env: { DATABASE_URL: proxy.databaseUrl },
    faults: [
      { name: 'PostgreSQL unreachable', begin: proxy.freeze, end: proxy.resume },
      { name: 'PostgreSQL refuses', begin: proxy.refuse, end: proxy.accept },
      {
        name: 'PostgreSQL suspended',
        begin: () => signalPostgres(url, 'SIGSTOP'),
        end: () => signalPostgres(url, 'SIGCONT'),
      },
      { name: 'PostgreSQL killed', begin: () => crashPostgres(url), end: () => {}, isOutage: false },
      { name: 'connections forgotten', begin: proxy.forget, end: () => {}, isOutage: false },
    ],
    async close() {
      await proxy.close();
      await opened.close();
    },
  };
}

async function sqliteSetup(dataDir: string): Promise<Setup> {
  let foreign: Sqlite.Database | null = null;
  const begin = () => {
    foreign = new Sqlite(join(dataDir, 'jyutsing.db'));
    foreign.exec('begin immediate');
  };
  const end = () => {
    foreign?.exec('rollback');
    foreign?.close();
  };
  return { dataDir, env: {}, faults: [{ name: 'SQLite locked', begin, end }], close: async () => {} };
}

async function diskSetup(): Promise<Setup | null> {
  const disk = await mountSmallDisk(SMALL_DISK_MIB);
  if (disk === null) console.error('the disk is not filled: this user may not mount one');
  if (disk === null) return null;
  const faults = [{ name: 'disk full', begin: disk.fill, end: disk.free }];
  return { dataDir: disk.path, env: RESERVE, faults, close: async () => await disk[Symbol.asyncDispose]() };
}

async function measureFault(baseUrl: string, fault: Fault, seconds: number, audio: Uint8Array): Promise<Measurement[]> {
  const accepted: string[] = [];
  const submit = async () => {
    const answer = await request(
      `${baseUrl}/api/stt`,
      submission(audio, { context: crypto.randomUUID(), skip_fusion: 'true' }),
    );
    if (answer.status === 200) accepted.push(requestIdOf(answer));
    return answer.status;
  };
  const health = async () => (await request(`${baseUrl}/health`)).status;
  const read = async () => (await request(`${baseUrl}/api/usage`, { headers: { 'x-api-key': OWNER_KEY } })).status;
  for (let index = 0; index < 3; index += 1) await submit();
  await fault.begin();
  const beganMs = performance.now();
  const answers = { write: probe(submit, seconds), health: probe(health, seconds), read: probe(read, seconds) };
  const during = { write: await answers.write, health: await answers.health, read: await answers.read };
  const endedMs = performance.now();
  await fault.end();
  await untilServed([submit, health]);
  const recoveryMs = performance.now() - endedMs;
  let lost = 0;
  for (const id of accepted) {
    const { status } = await waitForResult(baseUrl, id, { timeoutMs: 120_000 }).catch(() => ({ status: 'lost' }));
    if (status !== 'completed') lost += 1;
  }
  const slowestMs = Math.max(...Object.values(during).flatMap((list) => list.map(({ tookMs }) => tookMs)));
  const statuses = Object.entries(during).map(([kind, list]) => `${kind} ${describe(list)}`);
  console.error(`${fault.name}: ${statuses.join('; ')}`);
  const wrong = Object.values(during).flatMap((list) => list.filter(({ status }) => status !== 200 && status !== 503));
  const first503 = (list: Answer[]) => firstAnswerMs(list, 503) - beganMs;
  const within = (label: string, ms: number, goalMs: number) => ({
    label: `${fault.name}: ${label}`,
    value: `${(ms / 1_000).toFixed(2)} s`,
    goal: `≤ ${goalMs / 1_000} s`,
    met: ms <= goalMs,
  });
  const count = (label: string, value: number) => ({
    label: `${fault.name}: ${label}`,
    value: String(value),
    goal: '0',
    met: value === 0,
  });
  return [
    ...(fault.isOutage === false
      ? []
      : [
          within('503 of /health after', first503(during.health), GOAL_ANSWER_MS),
          within('503 of an upload after', first503(during.write), GOAL_ANSWER_MS),
        ]),
    within('slowest answer', slowestMs, GOAL_ANSWER_MS),
    count('answers other than 200 and 503', wrong.length),
    within('recovery after', recoveryMs, GOAL_RECOVERY_MS),
    count(`lost of ${accepted.length} accepted recordings`, lost),
  ];
}

/** Sends a request at regular times, whether or not earlier ones were answered. */
async function probe(send: () => Promise<number>, seconds: number): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  const endMs = performance.now() + seconds * 1_000;
  while (performance.now() < endMs) {
    const sentMs = performance.now();
    const answer = send().catch(() => 0);
    answers.push(answer.then((status) => ({ status, sentMs, tookMs: performance.now() - sentMs })));
    await sleep(PROBE_EVERY_MS);
  }
  return Promise.all(answers);
}

function firstAnswerMs(answers: readonly Answer[], status: number): number {
  return Math.min(...answers.filter((answer) => answer.status === status).map(({ sentMs, tookMs }) => sentMs + tookMs));
}

function describe(answers: readonly Answer[]): string {
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return [...byStatus].map(([status, list]) => `${list.length} × ${status}`).join(', ');
}

async function untilServed(requests: readonly (() => Promise<number>)[]): Promise<void> {
  for (const send of requests) while ((await send().catch(() => 0)) !== 200) await sleep(50);
}
