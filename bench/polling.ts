import { spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
} from '#test/service.ts';
import { wavBytes } from '#test/audio.ts';
import { speak, toJyutping } from '#test/espeak-speech.ts';
import { cpuSeconds } from './processes.ts';
import { generousPlan } from './plan.ts';
import { quantile, type Measurement } from './report.ts';

const REQUESTS = 6_000;
const CLIENTS = 16;
const ROUNDS = 3;
const GOAL = 0.5;

/**
 * Polls a finished transcription and compares the requests per CPU second of the server with those
 * of a bare Fastify that answers the same bytes.
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
  const bare = await startBareFastify(answer);
  const ratios: number[] = [];
  let rate = 0;
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const ours = await requestsPerCpuSecond(service.process.pid!, url);
      const theirs = await requestsPerCpuSecond(bare.pid, bare.url);
      // The first round is a warm-up.
      if (round > 0) ratios.push(ours / theirs);
      rate = ours;
    }
  } finally {
    bare.stop();
    await service.stop();
  }
  const ratio = quantile(ratios, 0.5);
  return [
    {
      label: 'polls per CPU second ÷ bare Fastify, median',
      value: `${ratio.toFixed(2)} (${rate.toFixed(0)}/s)`,
      goal: `≥ ${GOAL}`,
      met: ratio >= GOAL,
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

async function startBareFastify(answer: string): Promise<{ pid: number; url: string; stop(): void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-fastify.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', ANSWER: answer },
  });
  const [line] = (await new Promise<Buffer[]>((resolve) => child.stdout.once('data', (...data) => resolve(data)))) as [
    Buffer,
  ];
  return { pid: child.pid!, url: `${line.toString().trim()}/`, stop: () => child.kill() };
}
