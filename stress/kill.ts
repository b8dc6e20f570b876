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
import { countRecords, countRepeats, countSpeech, type FoundRecords } from './kill-counts.ts';
import { createSpeechClients } from './kill-speech.ts';

const CLIENTS = 3;
const SPEECH_CLIENTS = 2;
/** The rows of a process that seems dead stay for an hour, and count no more. */
const OPEN_RESERVATIONS = 'select id from quota_reservations where given_back = 0';
/** Steps of 20 ms that the load may need before each kill. */
const LOAD_STEPS = 1_000;
/** The quota of a killed process is given back within seconds. */
const GIVEN_BACK_WITHIN_STEPS = 60;
/** A recording that every kill interrupts waits for minutes between its last starts. */
const WAIT_FOR_MS = 1_800_000;

/**
 * Kills the whole service with SIGKILL again and again while clients send recordings and have texts
 * spoken, and counts what became of them: records, charges and deliveries.
 */
export async function measureKills(kills: number, only: string | undefined): Promise<Measurement[]> {
  const measurements = [];
  for (const database of databasesToTest()) {
    if (only === undefined || database.name === only) measurements.push(...(await killRepeatedly(database, kills)));
  }
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
  const speaking = createSpeechClients(SPEECH_CLIENTS);
  const killedMs: number[] = [];
  /** The number of deliveries that had arrived at each kill. */
  const deliveredAtKill: number[] = [];
  let service = await start();
  for (let kill = 1; kill <= kills; kill += 1) {
    const done = () => [clients.accepted(), speaking.complete()] as const;
    const [accepted, spoken] = done();
    const isLoaded = () => done()[0] >= accepted + 2 && done()[1] >= spoken + 2;
    const load = Promise.all([clients.sendUntilDead(service), speaking.speakUntilDead(service)]);
    for (let left = LOAD_STEPS; !isLoaded() && left > 0; left -= 1) await sleep(20);
    await sleep(Math.random() * 700);
    killedMs.push(performance.now());
    await service.kill();
    deliveredAtKill.push(receiver.received.length);
    await load;
    service = await start();
    if (kill % 10 === 0) console.error(`${database.name}: ${kill} kills, ${clients.accepted()} accepted recordings`);
  }
  await clients.sendUnanswered(service);
  await waitForEnds(service.baseUrl, clients);
  await waitUntilIdle(service);
  for (let left = GIVEN_BACK_WITHIN_STEPS; left > 0; left -= 1) {
    if ((await readDatabase(databaseUrl, folder.path)).reservations === 0) break;
    await sleep(1_000);
  }
  await service.stop();
  const found = await readDatabase(databaseUrl, folder.path);
  await opened.close();
  for (const [reason, count] of failuresOf(found)) console.error(`${database.name}: ${count} failed: ${reason}`);

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
    count(`lost of ${clients.accepted()} accepted recordings`, countLost(clients, found)),
    ...countSpeech(speaking.requests, killedMs, found.usedCharacters).map(([label, value]) => count(label, value)),
    ...countRecords(found, clients.submitted.length, new Set(deliveries)).map(([label, value]) => count(label, value)),
    count(`repeated without a kill, of ${deliveries.length} deliveries`, repeats.withoutKill),
  ];
}

/** A busy service may refuse a poll, which says nothing about the record. */
async function waitForEnds(baseUrl: string, { submitted }: KillClients): Promise<void> {
  for (const { id } of submitted) {
    if (id !== null) await waitForResult(baseUrl, id, { timeoutMs: WAIT_FOR_MS }).catch(() => {});
  }
}

function countLost({ submitted }: KillClients, { records }: FoundRecords): number {
  const found = new Set(records.map(({ id }) => id));
  return submitted.filter(({ id }) => id !== null && !found.has(id)).length;
}

/** Why records failed, and how many each time. */
function failuresOf({ records }: Pick<FoundRecords, 'records'>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const record of records) {
    if (record.status !== 'failed') continue;
    const reason = `${record.error.code}: ${record.error.message}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

async function readDatabase(
  databaseUrl: string | null,
  dataDir: string,
): Promise<FoundRecords & { usedCharacters: number }> {
  const store = await openStore({ databaseUrl, dataDir });
  const [owner] = await store.accounts.list();
  const records = await store.transcriptions.list(owner?.id ?? '', { limit: 1_000_000 });
  const used = await store.quotas.used(owner?.id ?? '');
  const reservations = await store.transaction(({ raw }) => raw.executeSql(OPEN_RESERVATIONS));
  await store.close();
  return {
    records,
    usedSeconds: used.stt_seconds,
    usedCharacters: used.tts_characters,
    reservations: reservations.rows.length,
  };
}
