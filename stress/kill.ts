import { setTimeout as sleep } from 'node:timers/promises';
import { generousPlan } from '../bench/plan.ts';
import type { Measurement } from '../bench/report.ts';
import { openStore } from '#server/store/open-store.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { waitUntilIdle } from '#testbed/service/load.ts';
import { databasesToTest, type TestedDatabase } from '#testbed/servers/postgres.ts';
import { startService, temporaryFolder, waitForResult } from '#testbed/service/service.ts';
import { startWebhookReceiver } from '#testbed/servers/webhook-receiver.ts';
import { createKillClients, type KillClients } from './kill-clients.ts';
import { countRecords, countRepeats, type FoundRecords } from './kill-counts.ts';

const CLIENTS = 3;
/** A recording that every kill interrupts waits for minutes between its last starts. */
const WAIT_FOR_MS = 1_800_000;

/**
 * Kills the whole service with SIGKILL again and again while clients send recordings, and counts
 * what became of them: records, charges and deliveries.
 */
export async function measureKills(kills: number): Promise<Measurement[]> {
  const measurements = [];
  for (const database of databasesToTest()) measurements.push(...(await killRepeatedly(database, kills)));
  return measurements;
}

async function killRepeatedly(database: TestedDatabase, kills: number): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  await using receiver = await startWebhookReceiver();
  const opened = await database.open();
  const { databaseUrl } = opened;
  const env = {
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    PLANS_FILE: await generousPlan(folder.path),
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    WORKERS: '2',
    LOG_LEVEL: 'fatal',
  };
  const start = () => startService(folder.path, env);
  const audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
  const clients = createKillClients(CLIENTS, audio, receiver.baseUrl);
  /** The number of deliveries that had arrived at each kill. */
  const deliveredAtKill: number[] = [];
  let service = await start();
  for (let kill = 1; kill <= kills; kill += 1) {
    const before = clients.accepted();
    const load = clients.sendUntilDead(service);
    for (let left = 500; clients.accepted() < before + 2 && left > 0; left -= 1) await sleep(20);
    await sleep(Math.random() * 700);
    await service.kill();
    deliveredAtKill.push(receiver.received.length);
    await load;
    service = await start();
    if (kill % 10 === 0) console.error(`${database.name}: ${kill} kills, ${clients.accepted()} accepted recordings`);
  }
  await clients.sendUnanswered(service);
  const lost = await countLost(service.baseUrl, clients);
  await waitUntilIdle(service);
  await service.stop();
  const found = await readDatabase(databaseUrl, folder.path);
  await opened.close();

  const deliveries = receiver.received.map(({ url }) => url.slice(1));
  const repeats = countRepeats(deliveries, deliveredAtKill);
  console.error(`${database.name}: ${repeats.afterKill} deliveries repeated because of a kill before they were noted`);
  const count = (label: string, value: number) => ({
    label: `${database.name}, ${kills} × kill -9: ${label}`,
    value: String(value),
    goal: '0',
    met: value === 0,
  });
  return [
    count(`lost of ${clients.accepted()} accepted recordings`, lost),
    ...countRecords(found, clients.submitted.length, new Set(deliveries)).map(([label, value]) => count(label, value)),
    count(`repeated without a kill, of ${deliveries.length} deliveries`, repeats.withoutKill),
  ];
}

async function countLost(baseUrl: string, { submitted }: KillClients): Promise<number> {
  let lost = 0;
  for (const { id } of submitted) {
    if (id === null) continue;
    const record = await waitForResult(baseUrl, id, { timeoutMs: WAIT_FOR_MS }).catch(() => null);
    if (record === null) lost += 1;
  }
  return lost;
}

async function readDatabase(databaseUrl: string | null, dataDir: string): Promise<FoundRecords> {
  const store = await openStore({ databaseUrl, dataDir });
  const [owner] = await store.accounts.list();
  const records = await store.transcriptions.list(owner?.id ?? '', { limit: 1_000_000 });
  const usedSeconds = (await store.quotas.used(owner?.id ?? '')).stt_seconds;
  const reservations = await store.transaction(({ raw }) => raw.executeSql('select id from quota_reservations'));
  await store.close();
  return { records, usedSeconds, reservations: reservations.rows.length };
}
