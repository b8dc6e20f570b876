import { join } from 'node:path';
import { WebSocket } from 'ws';
import { inParallel } from '@jyutsing/concurrency/in-parallel';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import {
  randomAlignment,
  randomFluxFrame,
  randomMcpMessage,
  randomSpeakFrame,
  randomTurnFrame,
  randomWhisperRequest,
} from '#testbed/clients/random-doors.ts';
import { OWNER_KEY, temporaryFolder } from '#testbed/service/service.ts';
import { startWithNpm } from '../bench/npm-service.ts';
import { generousPlan } from '../bench/plan.ts';
import { goalOfZero, type Measurement } from '../bench/report.ts';

const CLIENTS = 8;
/** Frames of one connection. */
const FRAMES = 50;
/** Errors of the server that say what to do; every other one is a fault. */
const DOCUMENTED = /"code":"(?:engine_unavailable|service_unavailable|timed_out|language_model_required)"/;
/** Close codes for what the client did, for an end in order, and for a stopping server. */
const ORDERLY = new Set([1000, 1001, 1005, 1006, 1007, 1008, 1009]);

const numbers = (length: number) => Array.from({ length }, (_, index) => index);

/** Sends made-up messages to the doors for other programs, the same ones for the same seed. */
export async function fuzzDoors({ count, seed }: { count: number; seed: number }): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const plans = await generousPlan(folder.path);
  const service = await startWithNpm(join(folder.path, 'data'), { PLANS_FILE: plans });
  const faults: string[] = [];
  const post = async (what: string, path: string, body: string | FormData, headers: Record<string, string>) => {
    const request = { method: 'POST', headers: { 'x-api-key': OWNER_KEY, ...headers }, body };
    const answer = await fetch(service.baseUrl + path, request);
    const text = await answer.text();
    if (answer.status >= 500 && !DOCUMENTED.test(text)) faults.push(`${what}: ${answer.status} ${text.slice(0, 300)}`);
  };
  const talk = async (what: string, path: string, frameOf: (random: () => number) => string | Buffer, at: number) => {
    const random = randomFrom(seed + at);
    const end = await exchangeFrames(service.baseUrl.replace('http', 'ws') + path, () => frameOf(random));
    const isRight = ORDERLY.has(end.code) || DOCUMENTED.test(`"code":"${end.reason}"`);
    if (!isRight) faults.push(`${what}: closed with ${end.code} ${end.reason}`);
  };
  try {
    await inParallel(numbers(count), CLIENTS, (at) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      return post(`message ${at}`, '/mcp', JSON.stringify(randomMcpMessage(randomFrom(seed + at))), headers);
    });
    await inParallel(numbers(count), CLIENTS, (at) => {
      return post(`alignment ${at}`, '/v1/audio/alignments', formOf(randomAlignment(randomFrom(seed + at))), {});
    });
    await inParallel(numbers(count), CLIENTS, (at) => {
      const { query, parts } = randomWhisperRequest(randomFrom(seed + at));
      const path = at % 4 === 0 ? '/detect-language' : '/asr';
      return post(`recording ${at}`, `${path}?${query}`, formOf(parts), {});
    });
    const connections = numbers(Math.ceil(count / FRAMES));
    const flux = '/v2/listen?encoding=linear16&sample_rate=16000';
    await inParallel(connections, CLIENTS, (at) => talk(`Flux ${at}`, flux, randomFluxFrame, at));
    await inParallel(connections, CLIENTS, (at) => talk(`speech ${at}`, '/v1/speak', randomSpeakFrame, at));
    await inParallel(connections, CLIENTS, (at) => talk(`turns ${at}`, '/v2/speak', randomTurnFrame, at));
    const health = await fetch(`${service.baseUrl}/health`);
    if (health.status !== 200) faults.push(`/health afterwards: ${health.status}`);
    for (const fault of faults.slice(0, 20)) console.error(`  ${fault}`);
    return [
      goalOfZero(
        `faults in ${count} messages, forms, requests of /asr, frames of Flux, speech and turns each`,
        faults.length,
      ),
    ];
  } finally {
    await service.stop();
  }
}

function formOf(parts: readonly [name: string, value: string | Uint8Array][]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'file');
  }
  return form;
}

/** Sends frames over one connection, and returns why it closes. */
function exchangeFrames(url: string, nextFrame: () => string | Buffer): Promise<{ code: number; reason: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; reason: string }>();
  const socket = new WebSocket(url, { headers: { authorization: `Token ${OWNER_KEY}` } });
  socket.on('error', () => {});
  socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
  socket.once('open', () => {
    for (let frame = 0; frame < FRAMES; frame += 1) socket.send(nextFrame());
    for (const type of ['CloseStream', 'Clear', 'Close']) socket.send(JSON.stringify({ type }));
  });
  return promise;
}
