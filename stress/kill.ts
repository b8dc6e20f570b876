import { setTimeout as sleep } from 'node:timers/promises';
import { generousPlan } from '../bench/plan.ts';
import type { Measurement } from '../bench/report.ts';
import { openStore } from '#server/store/open-store.ts';
import { wavBytes } from '#test/audio.ts';
import { speak, toJyutping } from '#test/espeak-speech.ts';
import { submitUntilDead, waitUntilIdle } from '#test/load.ts';
import { databasesToTest, type TestedDatabase } from '#test/postgres.ts';
import { startService, temporaryFolder, waitForResult, type Service } from '#test/service.ts';

const CLIENTS = 3;
/** A recording interrupted by every kill waits for minutes between its last starts. */
const WAIT_FOR_MS = 1_800_000;

/**
 * Kills the whole service with SIGKILL again and again while clients send recordings, and counts
 * what became of the accepted ones.
 */
export async function measureKills(kills: number): Promise<Measurement[]> {
  const measurements = [];
  for (const database of databasesToTest()) measurements.push(...(await killRepeatedly(database, kills)));
  return measurements;
}

async function killRepeatedly(database: TestedDatabase, kills: number): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const opened = await database.open();
  const { databaseUrl } = opened;
  const env = {
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    PLANS_FILE: await generousPlan(folder.path),
    WORKERS: '2',
    LOG_LEVEL: 'fatal',
  };
  const start = () => startService(folder.path, env);
  const audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
  const accepted: string[] = [];
  let service: Service = await start();
  for (let kill = 1; kill <= kills; kill += 1) {
    const before = accepted.length;
    const load = Array.from({ length: CLIENTS }, () => submitUntilDead(service, audio, accepted));
    for (let left = 500; accepted.length < before + 2 && left > 0; left -= 1) await sleep(20);
    await sleep(Math.random() * 700);
    await service.kill();
    await Promise.all(load);
    service = await start();
    if (kill % 10 === 0) console.error(`${database.name}: ${kill} kills, ${accepted.length} accepted recordings`);
  }
  const statuses = [];
  for (const id of accepted) {
    const record = await waitForResult(service.baseUrl, id, { timeoutMs: WAIT_FOR_MS }).catch(() => ({}));
    statuses.push((record as Record<string, unknown>)['status']);
  }
  await waitUntilIdle(service);
  await service.stop();

  const store = await openStore({ databaseUrl, dataDir: folder.path });
  const [owner] = await store.accounts.list();
  const all = await store.transcriptions.list(owner?.id ?? '', { limit: 1_000_000 });
  const used = (await store.quotas.used(owner?.id ?? '')).stt_seconds;
  await store.close();
  await opened.close();
  const charged = all.reduce((sum, record) => sum + (record.status === 'completed' ? record.creditsUsed : 0), 0);
  const count = (label: string, value: number) => ({
    label: `${database.name}, ${kills} × kill -9: ${label}`,
    value: String(value),
    goal: '0',
    met: value === 0,
  });
  return [
    count(`lost of ${accepted.length} accepted recordings`, statuses.filter((status) => status === undefined).length),
    count(`failed of ${all.length} records`, all.filter(({ status }) => status !== 'completed').length),
    count('accepted twice', accepted.length - new Set(accepted).size),
    count(`seconds of quota too many or too few, of ${charged}`, Math.abs(used - charged)),
  ];
}
