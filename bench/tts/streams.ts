import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, temporaryFolder } from '#test/service.ts';
import { generousPlan } from '../plan.ts';
import { quantile, type Measurement } from '../report.ts';
import { runBareEngines, writeVoice } from './bare.ts';
import { BYTES_PER_SECOND, cantoneseText, openStream, readToEnd } from './client.ts';

const ROUNDS = 3;
const LISTENERS = 16;
const SECONDS = 10;
const GOAL = 0.9;

/**
 * How many listeners the service speaks to in real time: the seconds of sound that it makes a second, for listeners who read as fast as
 * they can, against the bare engine in as many processes as there are cores. Then as many as that allows listen at the pace of a
 * loudspeaker, and it is counted whose sound ran out.
 */
export async function measureStreams(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const text = await cantoneseText(8);
  const { voicePath, voiceId } = await writeVoice(folder.path);
  const cores = availableParallelism();
  const service = await startService(join(folder.path, 'data'), { PLANS_FILE: await generousPlan(folder.path) });
  const bareSpeeds: number[] = [];
  const aloneSpeeds: number[] = [];
  const servedSpeeds: number[] = [];
  let players = { count: 0, ranOut: 0 };
  try {
    await serveFor(3, service.baseUrl, voiceId);
    for (let round = 0; round < ROUNDS; round += 1) {
      const [alone] = await runBareEngines(voicePath, text, { seconds: SECONDS / 2, processes: 1 });
      aloneSpeeds.push(alone!.speed);
      const bare = await runBareEngines(voicePath, text, { seconds: SECONDS, processes: cores });
      bareSpeeds.push(bare.reduce((sum, { speed }) => sum + speed, 0));
      servedSpeeds.push(await serveFor(SECONDS, service.baseUrl, voiceId));
    }
    const count = Math.floor(quantile(bareSpeeds, 0.5) * GOAL);
    players = { count, ranOut: await play(count, service.baseUrl, voiceId) };
  } finally {
    await service.stop();
  }
  const [bare, served] = [quantile(bareSpeeds, 0.5), quantile(servedSpeeds, 0.5)];
  const alone = quantile(aloneSpeeds, 0.5);
  return [
    {
      what: `sound made a second, service ÷ bare engine on ${cores} cores`,
      value: `${(served / bare).toFixed(2)} (${served.toFixed(0)} ÷ ${bare.toFixed(0)} × real time; one core alone ${alone.toFixed(0)})`,
      goal: `≥ ${GOAL}`,
      met: served / bare >= GOAL,
    },
    {
      what: `${players.count} listeners at the pace of a loudspeaker: whose sound ran out`,
      value: String(players.ranOut),
      goal: '0',
      met: players.ranOut === 0,
    },
  ];
}

/** Seconds of sound a second, for listeners who take what they get. */
async function serveFor(seconds: number, baseUrl: string, voice: string): Promise<number> {
  const startedMs = performance.now();
  let soundSeconds = 0;
  const listen = async (_: unknown, index: number) => {
    for (let turn = 0; performance.now() - startedMs < seconds * 1_000; turn += 1) {
      // Awaited first: `sum += await …` reads the sum before it waits, and loses what others add meanwhile.
      const seconds = await readToEnd(await openStream(baseUrl, voice, await cantoneseText(8, index + turn)));
      soundSeconds += seconds;
    }
  };
  await Promise.all(Array.from({ length: LISTENERS }, listen));
  return soundSeconds / ((performance.now() - startedMs) / 1_000);
}

/** So many listeners begin within two seconds and play as a loudspeaker does; gives how many had to wait for sound after they began. */
async function play(count: number, baseUrl: string, voice: string): Promise<number> {
  let ranOut = 0;
  const listen = async (_: unknown, index: number) => {
    await sleep((index * 2_000) / count);
    const stream = await openStream(baseUrl, voice, await cantoneseText(8, index));
    const startedMs = performance.now();
    let receivedBytes = stream.first.length;
    let hasWaited = false;
    for await (const chunk of stream.response) {
      const playedMs = performance.now() - startedMs;
      const aheadMs = (receivedBytes / BYTES_PER_SECOND) * 1_000 - playedMs;
      // What a player holds before it asks for more.
      if (aheadMs > 1_000) await sleep(aheadMs - 1_000);
      if (aheadMs < 0) hasWaited = true;
      receivedBytes += (chunk as Buffer).length;
    }
    if (hasWaited) ranOut += 1;
  };
  await Promise.all(Array.from({ length: count }, listen));
  return ranOut;
}
