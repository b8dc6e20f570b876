import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createAccount } from '#testbed/service/accounts.ts';
import { startService, temporaryFolder } from '#testbed/service/service.ts';
import { generousPlan } from '../plan.ts';
import type { Measurement } from '../report.ts';
import { anyVoice, cantoneseText } from './client.ts';

/** Number of long requests of one account that are at work when another account asks. */
const STREAMS = 100;
const SENTENCES = 20;
const GOAL_MS = 1_000;

/**
 * Measures the time to the first byte of a short text, alone and while another account has a
 * hundred long streams.
 */
export async function measureFairness(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const service = await startService(join(folder.path, 'data'), { PLANS_FILE: await generousPlan(folder.path) });
  const { baseUrl } = service;
  const answers: IncomingMessage[] = [];
  try {
    const [busy, other] = [await createAccount(baseUrl, 'pro'), await createAccount(baseUrl, 'pro')];
    const voice = await anyVoice(baseUrl);
    const open = async ({ key }: { key: string }, text: string) => {
      const body = JSON.stringify({ api_key: key, text, voice_id: voice });
      const startedMs = performance.now();
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const call = httpRequest(`${baseUrl}/api/tts-stream`, { method: 'POST', headers, agent: false });
      // The streams that still run at the end are cut.
      call.on('error', () => {});
      call.end(body);
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      answers.push(response.on('error', () => {}).resume());
      if (response.statusCode !== 200) throw new Error(`a stream was refused: ${response.statusCode}`);
      return performance.now() - startedMs;
    };
    const short = await cantoneseText(1);
    // Loads the models in every worker process.
    for (let round = 0; round < 4; round += 1) await Promise.all([1, 2, 3, 4].map(() => open(other, short)));
    const aloneMs = await open(other, short);
    const long = await cantoneseText(SENTENCES);
    let begun = 0;
    const many = Array.from({ length: STREAMS }, async () => {
      await open(busy, long);
      begun += 1;
    });
    // The first stream sends sound, so all of them have arrived.
    await Promise.race(many);
    const besideMs = await open(other, short);
    const begunBefore = begun;
    await Promise.all(many);
    return [
      {
        label: `first byte of another account beside ${STREAMS} long streams (alone ${aloneMs.toFixed(0)} ms)`,
        value: `${besideMs.toFixed(0)} ms, ${begunBefore} of the others before it`,
        goal: `≤ ${GOAL_MS} ms`,
        met: besideMs <= GOAL_MS,
      },
    ];
  } finally {
    for (const answer of answers) answer.destroy();
    await service.stop();
  }
}
