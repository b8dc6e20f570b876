import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { wavBytes } from '#test/audio.ts';
import { OWNER_KEY, request, requestIdOf, submission, temporaryFolder, waitForResult } from '#test/service.ts';
import { joinSounds, speak, toJyutping } from '#test/espeak-speech.ts';
import { startVideoPlatform } from '#test/video-platform/server.ts';
import { VIDEOS } from '#test/video-platform/catalogue.ts';
import { generousPlan } from './plan.ts';
import { descendants, treePssBytes } from './processes.ts';
import type { Measurement } from './report.ts';
import { writeShortSpeech } from './sounds.ts';
import { anyVoice, cantoneseText, openStream, readToEnd } from './tts/client.ts';

const MIB = 1_024 ** 2;
const LOAD_SECONDS = 75;
const CLIENTS = 5;
/** After this time a process has freed the garbage of its start or last request. */
const SETTLE_MS = 6_000;
const SCORED_TEXT = '今日天氣好好，我哋去公園行下。';

/**
 * Proportional set size of the process tree of `npm start` with default settings: idle, after one
 * request of each kind, and the peak while clients send all kinds of requests.
 */
export async function measureServiceMemory(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const platform = await startVideoPlatform();
  const service = await startWithNpm(join(folder.path, 'data'), {
    PLANS_FILE: await generousPlan(folder.path),
    YOUTUBE_BASE_URL: platform.baseUrl,
  });
  const memory = () => `${descendants(service.pid).length + 1} processes`;
  try {
    await sleep(SETTLE_MS);
    const idle = treePssBytes(service.pid);
    const idleTree = memory();
    const requests = await createRequests(service.baseUrl, folder.path);
    for (const send of requests) await send();
    await sleep(SETTLE_MS);
    const used = treePssBytes(service.pid);
    const usedTree = memory();
    const { peak, count } = await peakUnderLoad(service.pid, requests);
    return [
      report(`memory, idle (npm start, ${idleTree})`, idle, 250),
      report(`memory after one request of each kind (${usedTree})`, used, 600),
      report(`peak memory, ${CLIENTS} at a time for ${LOAD_SECONDS} s (${count} requests, ${memory()})`, peak, 1_000),
    ];
  } finally {
    await service.stop();
    await platform.close();
  }
}

function report(label: string, bytes: number, goalMib: number): Measurement {
  const mib = bytes / MIB;
  return { label, value: `${mib.toFixed(0)} MiB`, goal: `≤ ${goalMib} MiB`, met: mib <= goalMib };
}

type Send = () => Promise<void>;

/** One function for each kind of request; all throw when it fails. */
async function createRequests(baseUrl: string, folder: string): Promise<Send[]> {
  const voice = await anyVoice(baseUrl);
  const path = join(folder, 'speech.mp3');
  await writeShortSpeech(path, 30);
  const recording = new Uint8Array(await readFile(path));
  const sample = await speakSample();
  let turn = 0;
  const speechFile = async (text: string) => {
    const response = await fetch(`${baseUrl}/api/tts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': OWNER_KEY },
      body: JSON.stringify({ text, voice_id: voice }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`speech failed: ${response.status}`);
    return bytes;
  };
  const scored = await speechFile(SCORED_TEXT);
  return [
    async () => {
      turn += 1;
      // A different context each time prevents a cached result.
      const fields = { context: `round ${turn}`, skip_fusion: 'false' };
      const id = requestIdOf(await request(`${baseUrl}/api/stt`, submission(recording, fields)));
      const record = await waitForResult(baseUrl, id, { timeoutMs: 300_000 });
      if (record['status'] !== 'completed') throw new Error(`a transcription failed: ${JSON.stringify(record)}`);
    },
    async () => void (await readToEnd(await openStream(baseUrl, voice, await cantoneseText(4, turn)))),
    async () => void (await speechFile(await cantoneseText(4, turn))),
    () => post(`${baseUrl}/api/score-pronunciation`, { text: SCORED_TEXT, language: 'cantonese' }, ['audio', scored]),
    async () => {
      const form = { name: 'bench', language: 'cantonese', consent: 'true' };
      const id = await createVoice(baseUrl, form, sample);
      await fetch(`${baseUrl}/api/voices/${id}`, { method: 'DELETE', headers: { 'x-api-key': OWNER_KEY } });
    },
    async () => {
      const body = JSON.stringify({ url: VIDEOS.cantoneseTalk.id, summaryLanguage: 'cantonese', api_key: OWNER_KEY });
      const headers = { 'content-type': 'application/json', 'x-api-key': OWNER_KEY };
      const answer = await request(`${baseUrl}/api/video-summary/summarize-from-url`, {
        method: 'POST',
        headers,
        body,
      });
      if (answer.status !== 200) throw new Error(`summary failed: ${JSON.stringify(answer.body)}`);
    },
  ];
}

/** Eight seconds of different sentences. */
async function speakSample(): Promise<Uint8Array> {
  const spoken = [];
  for (const text of ['今日天氣好好', '我哋去公園行下', '聽日可能會落雨', '記得帶遮出門口']) {
    spoken.push(await speak(toJyutping(text)));
  }
  return wavBytes(joinSounds(spoken, 250));
}

function formOf(fields: Record<string, string>, [name, bytes]: [string, Uint8Array]): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries({ api_key: OWNER_KEY, ...fields })) form.append(field, value);
  form.append(name, new Blob([new Uint8Array(bytes)]), `${name}.wav`);
  return form;
}

async function post(url: string, fields: Record<string, string>, file: [string, Uint8Array]): Promise<void> {
  const answer = await request(url, { method: 'POST', body: formOf(fields, file) });
  if (answer.status !== 200) throw new Error(`${url} was refused: ${JSON.stringify(answer.body)}`);
}

async function createVoice(baseUrl: string, fields: Record<string, string>, sample: Uint8Array): Promise<string> {
  const answer = await request(`${baseUrl}/api/voices`, { method: 'POST', body: formOf(fields, ['sample', sample]) });
  const voice = answer.body['voice'] as { voice_id: string } | undefined;
  if (voice === undefined) throw new Error(`no voice was created: ${JSON.stringify(answer.body)}`);
  return voice.voice_id;
}

async function peakUnderLoad(pid: number, requests: readonly Send[]): Promise<{ peak: number; count: number }> {
  const endMs = performance.now() + LOAD_SECONDS * 1_000;
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, treePssBytes(pid))), 500);
  let count = 0;
  const client = async (_: unknown, index: number) => {
    for (let next = index; performance.now() < endMs; next += 1) {
      await requests[next % requests.length]?.();
      count += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: CLIENTS }, client));
  } finally {
    clearInterval(watch);
  }
  return { peak, count };
}

type NpmService = { pid: number; baseUrl: string; stop(): Promise<void> };

/** Starts the service as a user does, npm and its shell included. */
async function startWithNpm(dataDir: string, env: Record<string, string>): Promise<NpmService> {
  const child = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'ignore', 'pipe'],
    // A separate process group, because npm does not forward every signal.
    detached: true,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOME: process.env['HOME'],
      PORT: '0',
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: OWNER_KEY,
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const pid = child.pid!;
  let output = '';
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the service exited:\n${output}`)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const address = /listening on (http:\/\/\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  return {
    pid,
    baseUrl,
    async stop() {
      const exited = once(child, 'exit');
      process.kill(-pid, 'SIGTERM');
      await exited;
    },
  };
}
