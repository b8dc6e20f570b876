import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import { searchWorstSpeech, type SpeechRequest } from '#testbed/clients/worst-speech.ts';
import { OWNER_KEY, temporaryFolder } from '#testbed/service/service.ts';
import { startWithNpm } from '../bench/npm-service.ts';
import { generousPlan } from '../bench/plan.ts';
import { goalOfZero, type Measurement } from '../bench/report.ts';
import { anyVoice } from '../bench/tts/client.ts';

const HEALTH_EVERY_MS = 20;
/** Milliseconds of a request that are watched; later sound is like the earlier one. */
const WATCHED_MS = 10_000;
const HEALTH_GOAL_MS = 250;
/** The most that a request may have. */
const MAX_PAUSE_SECONDS = 120;
const DOCUMENTED = new Set([200, 400, 413, 429]);

/**
 * Searches for the speech request during which /health answers slowest, with the same requests for
 * the same seed and times.
 */
export async function stressSpeech({ steps, seed }: { steps: number; seed: number }): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const service = await startWithNpm(join(folder.path, 'data'), { PLANS_FILE: await generousPlan(folder.path) });
  try {
    const { baseUrl } = service;
    const voiceId = await anyVoice(baseUrl);
    const faults: string[] = [];
    const costOf = async (request: SpeechRequest) => {
      const { status, healthMs } = await watchHealth(baseUrl, request);
      if (!DOCUMENTED.has(status)) faults.push(`${status} for ${describe(request)}`);
      return healthMs;
    };
    // The first requests start workers and load models.
    await costOf({ path: '/api/tts-stream', body: { text: '早晨 good morning', voice_id: voiceId } });
    const options = { steps, maxPauseSeconds: MAX_PAUSE_SECONDS, voiceId };
    const { worst } = await searchWorstSpeech(randomFrom(seed), options, costOf);
    for (const fault of faults.slice(0, 20)) console.error(`  ${fault}`);
    console.error(`  worst: ${describe(worst.request)}`);
    return [
      {
        label: `/health beside the worst of ${steps} speech requests`,
        value: `${worst.cost.toFixed(0)} ms`,
        goal: `≤ ${HEALTH_GOAL_MS} ms`,
        met: worst.cost <= HEALTH_GOAL_MS,
      },
      goalOfZero(`undocumented errors of ${steps} speech requests`, faults.length),
    ];
  } finally {
    await service.stop();
  }
}

const describe = ({ path, body }: SpeechRequest) => `${path} ${JSON.stringify(body).slice(0, 300)}`;

/** The slowest answer of /health while a request is answered, in milliseconds. */
async function watchHealth(baseUrl: string, { path, body }: SpeechRequest) {
  const ended = new AbortController();
  const speaking = speak(`${baseUrl}${path}`, body, AbortSignal.timeout(WATCHED_MS)).finally(() => ended.abort());
  let healthMs = 0;
  while (!ended.signal.aborted) {
    const startedMs = performance.now();
    await (await fetch(`${baseUrl}/health`)).arrayBuffer();
    healthMs = Math.max(healthMs, performance.now() - startedMs);
    await sleep(HEALTH_EVERY_MS);
  }
  return { status: await speaking, healthMs };
}

/** Returns the status of a speech request whose sound is read until the signal aborts. */
async function speak(url: string, body: SpeechRequest['body'], signal: AbortSignal): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-key': OWNER_KEY };
  let status = 200;
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
    ({ status } = answer);
    for await (const _ of answer.body ?? []);
  } catch (failure) {
    if (!signal.aborted) throw failure;
  }
  return status;
}
