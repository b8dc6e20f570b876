import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { median } from '@jyutsing/numeric/statistics';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { cpuSeconds } from '#testbed/service/process-tree.ts';
import { generousPlan } from './plan.ts';
import { medianWithSpread, type Measurement } from './report.ts';

/**
 * With this many requests the processor time, counted in hundredths of a second, is right within 3
 * %.
 */
const REQUESTS = 24_000;
const CLIENTS = 16;
const ROUNDS = 7;
const GOAL = 0.5;
/** Goal against a server that makes the same two reads. */
const READING_GOAL = 0.9;

/**
 * Polls a finished transcription and compares the requests per CPU second of the server with those
 * of a bare Fastify that answers the same bytes, without and with reading what a poll reads. One of
 * the two goals must be met.
 */
export async function measurePolling(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const service = await startService(join(folder.path, 'data'), { PLANS_FILE: await generousPlan(folder.path) });
  const audio = wavBytes(await speak(toJyutping('今日天氣好好，我哋去公園行下啦。')));
  const submitted = await request(`${service.baseUrl}/api/stt`, submission(audio));
  const id = requestIdOf(submitted);
  await waitForResult(service.baseUrl, id);
  const url = `${service.baseUrl}/api/speech-to-text/get-result?id=${id}`;
  const answer = await (await fetch(url, { headers: { 'x-api-key': OWNER_KEY } })).text();
  const bare = await startBareFastify(answer, join(folder.path, 'data/jyutsing.db'));
  const ratios: number[] = [];
  const readingRatios: number[] = [];
  let rate = 0;
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const serviceRate = await requestsPerCpuSecond(service.process.pid!, url);
      const bareRate = await requestsPerCpuSecond(bare.pid, `${bare.url}/`);
      const reading = await requestsPerCpuSecond(bare.pid, `${bare.url}/read?id=${id}`);
      // The first round is a warm-up.
      if (round > 0) {
        ratios.push(serviceRate / bareRate);
        readingRatios.push(serviceRate / reading);
      }
      rate = serviceRate;
    }
  } finally {
    bare.stop();
    await service.stop();
  }
  const [ratio, readingRatio] = [median(ratios), median(readingRatios)];
  const met = ratio >= GOAL || readingRatio >= READING_GOAL;
  return [
    {
      label: 'polls per CPU second ÷ bare Fastify, median',
      value: `${ratio.toFixed(2)} (${rate.toFixed(0)}/s)`,
      goal: `≥ ${GOAL}`,
      met,
    },
    {
      label: '  ÷ the same with the reads of a poll',
      value: medianWithSpread(readingRatios),
      goal: `or ≥ ${READING_GOAL}`,
      met,
    },
  ];
}

async function requestsPerCpuSecond(pid: number, url: string): Promise<number> {
  const before = cpuSeconds(pid);
  let left = REQUESTS;
  const client = async () => {
    while (left-- > 0) {
      const response = await fetch(url, { headers: { 'x-api-key': OWNER_KEY } });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`a poll was answered ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return REQUESTS / (cpuSeconds(pid) - before);
}

async function startBareFastify(answer: string, database: string): Promise<{ pid: number; url: string; stop(): void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-fastify.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', ANSWER: answer, DATABASE: database },
  });
  const [line] = (await new Promise<Buffer[]>((resolve) => child.stdout.once('data', (...data) => resolve(data)))) as [
    Buffer,
  ];
  return { pid: child.pid!, url: line.toString().trim(), stop: () => child.kill() };
}
