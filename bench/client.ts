import { Jyutsing } from '@jyutsing/client';
import { wav } from '#test/http/requests.ts';
import { startTestServer } from '#test/http/start-server.ts';
import { medianWithSpread, quantile, type Measurement } from './report.ts';

const ROUNDS = 30;
const REQUESTS = 100;

/** Time of polls and submissions through the client, as a ratio to bare `fetch`, alternating. */
export async function measureClient(): Promise<Measurement[]> {
  await using server = await startTestServer();
  const jyut = new Jyutsing({ baseUrl: server.baseUrl, apiKey: server.ownerKey });
  const headers = { 'x-api-key': server.ownerKey };
  const { id } = await jyut.transcribe(wav(1));
  const poll = async () => (await fetch(`${server.baseUrl}/api/speech-to-text/${id}`, { headers })).json();
  const submit = async () => {
    const body = new FormData();
    body.append('data', new Blob([wav(10)]), 'recording');
    return (await fetch(`${server.baseUrl}/api/stt`, { method: 'POST', headers, body })).json();
  };
  return [
    await compare('poll', () => jyut.transcriptions.get(id), poll, REQUESTS),
    await compare('submission of 10 s', () => jyut.transcribe(wav(10)), submit, REQUESTS / 10),
  ];
}

async function compare(name: string, own: () => Promise<unknown>, bare: () => Promise<unknown>, requests: number) {
  const time = async (request: () => Promise<unknown>) => {
    const startedMs = performance.now();
    for (let i = 0; i < requests; i += 1) await request();
    return performance.now() - startedMs;
  };
  await time(own);
  await time(bare);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round % 2 === 0 ? own : bare;
    const firstMs = await time(first);
    const secondMs = await time(first === own ? bare : own);
    ratios.push(first === own ? firstMs / secondMs : secondMs / firstMs);
  }
  const label = `${name}: time through the client to that of fetch`;
  return { label, value: medianWithSpread(ratios, 3), goal: 'at most 1.03', met: quantile(ratios, 0.5) <= 1.03 };
}
