import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@jyutsing/numeric/statistics';
import { startService, temporaryFolder } from '#testbed/service/service.ts';
import { generousPlan } from '../plan.ts';
import { medianWithSpread, type Measurement } from '../report.ts';
import { startServers } from '../start-servers.ts';
import { runBareEngines, writeVoice } from './bare.ts';
import { BYTES_PER_SECOND, cantoneseText, openStream, readToEnd } from './client.ts';

const ROUNDS = 5;
const CLIENTS = 16;
const SECONDS = 6;
/**
 * Number of playing clients as a part of those that read as fast as possible; more need more
 * processors.
 */
const PLAYING = 0.5;
/** Time in which the players begin: no service makes the first pieces of all of them at once. */
const PLAYERS_BEGIN_WITHIN_MS = 10_000;
/** Different ones, spoken by the clients and by the bare engine. */
const TEXTS = 32;
const GOAL = 0.9;

/**
 * The number of streams that the service serves in real time: seconds of audio per second for
 * clients that read as fast as possible, compared with the bare engine in one process per core:
 * alone, and behind a bare HTTP server with the same clients, which need the processors as well.
 * Then half as many clients read at playback speed, and buffer underruns are counted.
 */
export async function measureStreams(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const texts = await Promise.all(Array.from({ length: TEXTS }, (_, skip) => cantoneseText(8, skip)));
  const { voicePath, voiceId } = await writeVoice(folder.path);
  const cores = availableParallelism();
  const service = await startService(join(folder.path, 'data'), {
    // One address may have fewer connections than the engine serves listeners.
    CONNECTIONS_PER_ADDRESS: '5000',
    MAX_CONNECTIONS: '5000',
    PLANS_FILE: await generousPlan(folder.path),
  });
  using bareServers = await startServers(join(import.meta.dirname, 'bare-server.ts'), [voicePath]);
  const ratios: number[] = [];
  const ratiosToServers: number[] = [];
  const bareSpeeds: number[] = [];
  const aloneSpeeds: number[] = [];
  const servedSpeeds: number[] = [];
  let players = { count: 0, underruns: 0 };
  try {
    await serveFor(3, bareServers.urls, voiceId, texts);
    await serveFor(3, [service.baseUrl], voiceId, texts);
    for (let round = 0; round < ROUNDS; round += 1) {
      const [alone] = await runBareEngines(voicePath, texts, { seconds: SECONDS / 2, processes: 1 });
      aloneSpeeds.push(alone!.speed);
      const bare = await runBareEngines(voicePath, texts, { seconds: SECONDS, processes: cores });
      const bareSpeed = bare.reduce((sum, { speed }) => sum + speed, 0);
      const serverSpeed = await serveFor(SECONDS, bareServers.urls, voiceId, texts);
      const servedSpeed = await serveFor(SECONDS, [service.baseUrl], voiceId, texts);
      bareSpeeds.push(bareSpeed);
      servedSpeeds.push(servedSpeed);
      ratios.push(servedSpeed / bareSpeed);
      ratiosToServers.push(servedSpeed / serverSpeed);
    }
    const count = Math.floor(median(servedSpeeds) * PLAYING);
    players = { count, underruns: await play(count, service.baseUrl, voiceId) };
  } finally {
    await service.stop();
  }
  const [bare, served] = [median(bareSpeeds), median(servedSpeeds)];
  const alone = median(aloneSpeeds);
  const ratio = median(ratios);
  return [
    {
      label: `audio per second, service ÷ bare engine on ${cores} cores`,
      value: `${medianWithSpread(ratios)}: ${served.toFixed(0)} ÷ ${bare.toFixed(0)} × real time; one core ${alone.toFixed(0)}`,
      goal: `≥ ${GOAL}`,
      met: ratio >= GOAL,
    },
    {
      label: '  ÷ bare HTTP servers of the bare engine, for the same clients',
      value: medianWithSpread(ratiosToServers),
      goal: `≥ ${GOAL}`,
      met: median(ratiosToServers) >= GOAL,
    },
    {
      label: `${players.count} clients at playback speed: clients with a buffer underrun`,
      value: String(players.underruns),
      goal: '0',
      met: players.underruns === 0,
    },
  ];
}

/** Seconds of audio per second for clients that read as fast as possible. */
async function serveFor(
  seconds: number,
  urls: readonly string[],
  voice: string,
  texts: readonly string[],
): Promise<number> {
  const startedMs = performance.now();
  let soundSeconds = 0;
  const client = async (_: unknown, index: number) => {
    for (let turn = 0; performance.now() - startedMs < seconds * 1_000; turn += 1) {
      // Awaited first: `sum += await …` reads the sum before it waits and loses concurrent
      // additions.
      const text = texts[(index + turn) % texts.length]!;
      const seconds = await readToEnd(await openStream(urls[index % urls.length]!, voice, text));
      soundSeconds += seconds;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return soundSeconds / ((performance.now() - startedMs) / 1_000);
}

/**
 * Starts `count` clients one after the other that read at playback speed; returns the number with
 * an underrun.
 */
async function play(count: number, baseUrl: string, voice: string): Promise<number> {
  let underruns = 0;
  const client = async (_: unknown, index: number) => {
    await sleep((index * PLAYERS_BEGIN_WITHIN_MS) / count);
    const stream = await openStream(baseUrl, voice, await cantoneseText(8, index));
    const startedMs = performance.now();
    let receivedBytes = stream.first.length;
    let hasUnderrun = false;
    for await (const chunk of stream.response) {
      const playedMs = performance.now() - startedMs;
      const aheadMs = (receivedBytes / BYTES_PER_SECOND) * 1_000 - playedMs;
      // A player buffers one second.
      if (aheadMs > 1_000) await sleep(aheadMs - 1_000);
      if (aheadMs < 0) hasUnderrun = true;
      receivedBytes += (chunk as Buffer).length;
    }
    if (hasUnderrun) underruns += 1;
  };
  await Promise.all(Array.from({ length: count }, client));
  return underruns;
}
