import { join } from 'node:path';
import { median } from '@jyutsing/numeric/statistics';
import { Jyutsing } from '@jyutsing/client';
import { createAccount } from '#testbed/service/accounts.ts';
import { wav } from '#testbed/clients/requests.ts';
import { startService, temporaryFolder } from '#testbed/service/service.ts';
import { generousPlan } from './plan.ts';
import { medianWithSpread, type Measurement } from './report.ts';

const ROUNDS = 30;
const POLLS = 200;
const SUBMISSIONS = 10;
const GOAL = 1.03;
/** Time limit of the client. */
const TIME_LIMIT_MS = 60_000;

type Ask = () => Promise<unknown>;

/**
 * Time of polls and submissions through the client, as ratios to bare `fetch` without and with a
 * time limit, in turn, against a service in a process of its own.
 */
export async function measureClient(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const env = { PLANS_FILE: await generousPlan(folder.path), WORKERS: '1', LOG_LEVEL: 'fatal' };
  const service = await startService(join(folder.path, 'data'), env);
  try {
    const { key } = await createAccount(service.baseUrl, 'pro', ['stt']);
    const jyut = new Jyutsing({ baseUrl: service.baseUrl, apiKey: key });
    const job = await jyut.transcribe(wav(1));
    await job.wait().catch(() => {});
    const poll = (init: RequestInit) => ask(`${service.baseUrl}/api/speech-to-text/${job.id}`, key, init);
    // All submissions send the same recording, so that the result is in the cache.
    const submit = (init: RequestInit) => {
      const body = new FormData();
      body.append('data', new Blob([wav(1)]), 'recording');
      return ask(`${service.baseUrl}/api/stt`, key, { method: 'POST', body, ...init });
    };
    return [
      ...(await compare('poll', () => jyut.transcriptions.get(job.id), poll, POLLS)),
      ...(await compare('submission', () => jyut.transcribe(wav(1)), submit, SUBMISSIONS)),
    ];
  } finally {
    await service.stop();
  }
}

async function ask(url: string, key: string, init: RequestInit): Promise<unknown> {
  return (await fetch(url, { ...init, headers: { 'x-api-key': key } })).json();
}

async function compare(name: string, viaClient: Ask, bare: (init: RequestInit) => Promise<unknown>, requests: number) {
  const kinds = [viaClient, () => bare({}), () => bare({ signal: AbortSignal.timeout(TIME_LIMIT_MS) })];
  const ratios: { unlimited: number; limited: number }[] = [];
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const timesMs = kinds.map((): number[] => []);
    for (let request = 0; request < requests; request += 1) {
      // The kinds take turns, and every kind is as often the first, so that other work of the
      // machine slows all alike.
      for (let at = 0; at < kinds.length; at += 1) {
        const index = (request + at) % kinds.length;
        const startedMs = performance.now();
        await kinds[index]!();
        timesMs[index]!.push(performance.now() - startedMs);
      }
    }
    const [ownMs = 0, unlimitedMs = 0, limitedMs = 0] = timesMs.map((times) => median(times));
    if (round > 0) ratios.push({ unlimited: ownMs / unlimitedMs, limited: ownMs / limitedMs });
  }
  return (['unlimited', 'limited'] as const).map((limit): Measurement => {
    const values = ratios.map((ratio) => ratio[limit]);
    const label = `${name}: time through the client to that of fetch with${limit === 'limited' ? '' : 'out'} a time limit`;
    return { label, value: medianWithSpread(values, 3), goal: `at most ${GOAL}`, met: median(values) <= GOAL };
  });
}
