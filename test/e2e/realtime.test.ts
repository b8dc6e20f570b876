import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import OpenAI from 'openai';
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { descendants } from '#testbed/service/process-tree.ts';
import { editDistance } from '../../eval/score.ts';
import { silence, wavBytes, writeSound, type Sound } from '#testbed/sound/audio.ts';
import { CHROMIUM, openPage } from '#testbed/service/browser.ts';
import { joinSounds, resample, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { append, openLive, pcmOf, piecesOf } from '#testbed/clients/live-client.ts';
import { hear, openWyoming, soundOf } from '#test/wyoming-client.ts';
import { killProcess, waitUntilGone } from '#test/processes.ts';
import { freePort } from '#testbed/servers/free-port.ts';
import { OWNER_KEY, startService, temporaryFolder, type Service } from '#testbed/service/service.ts';

const SENTENCE = '我住喺九龍，返工要搭地鐵。';
const withoutSigns = (text: string) => Array.from(text.replaceAll(/[\s，。]/gu, ''));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: Service;
let wyomingPort: number;
let sound: Sound;
let speech: Buffer;
let speechAt16kHz: Buffer;

beforeAll(async () => {
  folder = await temporaryFolder();
  wyomingPort = await freePort();
  const wyoming = { WYOMING_PORT: String(wyomingPort), WYOMING_API_KEY: OWNER_KEY };
  // A busy machine needs longer than people would wait.
  const settings = { TLS: 'self-signed', LIVE_CORRECTION_MS: '60000', WORKERS: '1' };
  service = await startService(join(folder.path, 'data'), { ...settings, ...wyoming });
  const spoken = await speak(toJyutping(SENTENCE));
  sound = joinSounds([spoken, silence(1_200, spoken.sampleRateHz)], 0);
  speech = pcmOf(sound, 24_000);
  speechAt16kHz = pcmOf(sound, 16_000);
});
afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

const client = () => new OpenAI({ apiKey: OWNER_KEY, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 });

/** Sends a sentence with the client of OpenAI and returns what it gets. */
async function caption(live: OpenAIRealtimeWebSocket): Promise<{ deltas: string; transcript: string }> {
  const completed = Promise.withResolvers<string>();
  let deltas = '';
  live.on('error', completed.reject);
  live.on('session.created', () =>
    live.send({
      type: 'session.update',
      session: {
        type: 'transcription',
        audio: { input: { transcription: { model: 'gpt-4o-transcribe', language: 'yue' } } },
      },
    }),
  );
  live.on('session.updated', () => {
    for (const piece of piecesOf(speech, 4_800)) {
      live.send({ type: 'input_audio_buffer.append', audio: piece.toString('base64') });
    }
  });
  live.on('conversation.item.input_audio_transcription.delta', ({ delta }) => (deltas += delta ?? ''));
  live.on('conversation.item.input_audio_transcription.completed', ({ transcript }) => completed.resolve(transcript));
  const transcript = await completed.promise;
  live.close();
  return { deltas, transcript };
}

const errorIn = (text: string) =>
  editDistance(withoutSigns(text), withoutSigns(SENTENCE)) / withoutSigns(SENTENCE).length;

it('the client of OpenAI captions Cantonese over wss', async () => {
  const live = new OpenAIRealtimeWebSocket({ intent: 'transcription' }, client());
  const { deltas, transcript } = await caption(live);
  expect(errorIn(transcript)).toBeLessThan(0.3);
  expect(deltas).not.toBe('');
});

it('keywords of a session correct the homophones of its final text', async () => {
  const spoken = await speak(toJyutping('佢叫做梁祖堯。'));
  const bytes = pcmOf(joinSounds([spoken, silence(1_200, spoken.sampleRateHz)], 0), 24_000);
  const transcribed = async (transcription: object) => {
    const client = await openLive(service.baseUrl, '/v1/realtime?intent=transcription', { key: OWNER_KEY });
    client.send({ type: 'session.update', session: { audio: { input: { transcription } } } });
    append(client, bytes);
    const { transcript } = await client.next('conversation.item.input_audio_transcription.completed');
    client.socket.close();
    return transcript;
  };
  expect(await transcribed({ language: 'yue' })).not.toContain('梁祖堯');
  expect(await transcribed({ language: 'yue', keywords: ['梁祖堯'] })).toContain('梁祖堯');
  expect(await transcribed({ language: 'yue', prompt: '今日嘅嘉賓係梁祖堯、茜利妹。' })).toContain('梁祖堯');
  const query = new URLSearchParams({
    language: 'zh-HK',
    encoding: 'linear16',
    sample_rate: '24000',
    keyterm: '梁祖堯',
  });
  const deepgram = await openLive(service.baseUrl, `/v1/listen?${query.toString()}`, { key: OWNER_KEY });
  deepgram.socket.send(bytes);
  expect(JSON.stringify(await deepgram.next('Results'))).toContain('梁祖堯');
  deepgram.socket.close();
});

it('Home Assistant hears and speaks Cantonese, each over a connection of its own', async () => {
  const [listening, speaking] = await Promise.all([openWyoming(wyomingPort), openWyoming(wyomingPort)]);
  speaking.send('synthesize', { text: SENTENCE, voice: { name: 'maria' } });
  expect(errorIn(await hear(listening, speechAt16kHz))).toBeLessThan(0.3);
  await speaking.next('audio-stop');
  const { data } = await speaking.next('audio-chunk');
  expect(data).toEqual({ rate: 24_000, width: 2, channels: 1 });
  const spoken = soundOf(speaking);
  expect(spoken.length / 48_000).toBeGreaterThan(2);
  // Its speech can be heard again.
  const again = await openWyoming(wyomingPort);
  again.send('transcribe', { language: 'zh-HK' });
  for (const piece of piecesOf(spoken, 4_800)) again.send('audio-chunk', data, piece);
  again.send('audio-stop');
  expect(errorIn(String((await again.next('transcript')).data['text']))).toBeLessThan(0.3);
  for (const { socket } of [listening, speaking, again]) socket.destroy();
});

it('the death of a decoder ends its session with an error, and the next one is served', async () => {
  const file = join(folder.path, 'whole.webm');
  const channels = [resample(sound.channels[0]!, sound.sampleRateHz, 48_000)];
  await writeSound(file, { sampleRateHz: 48_000, channels }, 'webm-live');
  const bytes = await readFile(file);
  const processes = () => descendants(service.process.pid!);
  // Starts the process of the recognition, which stays.
  const plain = await openLive(service.baseUrl, '/v1/listen?language=zh-HK&encoding=linear16', { key: OWNER_KEY });
  plain.socket.send(speechAt16kHz);
  await plain.next('Results');
  const before = new Set(processes());

  const cut = await listen();
  cut.socket.send(bytes);
  await cut.next('Results');
  const newProcesses = processes().filter((pid) => !before.has(pid));
  expect(newProcesses.map(killProcess)).toContain(true);
  expect(await cut.closed).toEqual({ code: 1001, reason: 'service_unavailable' });
  expect(cut.events.at(-1)).toMatchObject({ type: 'Error', code: 'service_unavailable' });
  await waitUntilGone(newProcesses);

  // The session beside it goes on.
  plain.send({ type: 'CloseStream' });
  expect(await plain.closed).toEqual({ code: 1000, reason: '' });
  const next = await listen();
  next.socket.send(bytes);
  await next.next('Results');
  next.send({ type: 'CloseStream' });
  expect(await next.closed).toEqual({ code: 1000, reason: '' });
});

it('the death of the recognition ends its sessions with an error, and the next ones are served', async () => {
  const live = await openLive(service.baseUrl, '/v1/realtime?intent=transcription', { key: OWNER_KEY });
  append(live, speech);
  const deepgram = await openLive(service.baseUrl, '/v1/listen?language=zh-HK&encoding=linear16', { key: OWNER_KEY });
  deepgram.socket.send(speechAt16kHz);
  const home = await openWyoming(wyomingPort);
  home.send('transcribe', { language: 'yue' });
  home.send('audio-chunk', { rate: 16_000, width: 2, channels: 1 }, speechAt16kHz);
  await live.next('conversation.item.input_audio_transcription.completed');
  await deepgram.next('Results');
  await home.next('transcript-chunk');

  const workers = descendants(service.process.pid!).filter(isWorker);
  expect(workers.map(killProcess)).toContain(true);
  expect(await live.closed).toEqual({ code: 1001, reason: 'service_unavailable' });
  expect(live.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'service_unavailable' } });
  expect(await deepgram.closed).toEqual({ code: 1001, reason: 'service_unavailable' });
  expect(deepgram.events.at(-1)).toMatchObject({ type: 'Error', code: 'service_unavailable' });
  await home.ended;
  expect(home.events.at(-1)).toMatchObject({ type: 'error', data: { code: 'service_unavailable' } });
  await waitUntilGone(workers);

  const next = await openWyoming(wyomingPort);
  expect(errorIn(await hear(next, speechAt16kHz))).toBeLessThan(0.3);
  for (const { socket } of [home, next]) socket.destroy();
});

const isWorker = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker-main');
const listen = () => openLive(service.baseUrl, '/v1/listen?language=zh-HK&interim_results=true', { key: OWNER_KEY });

it('a recording of a browser is captioned while it arrives, whatever others send', async () => {
  const file = join(folder.path, 'speech.webm');
  await writeSound(
    file,
    { sampleRateHz: 48_000, channels: [resample(sound.channels[0]!, sound.sampleRateHz, 48_000)] },
    'webm-live',
  );
  const [client, hostile] = await Promise.all([listen(), listen()]);
  const pieces = piecesOf(await readFile(file), 1_000);
  for (const [at, piece] of pieces.entries()) {
    client.socket.send(piece);
    // The same beginning, then garbage.
    hostile.socket.send(at < 2 ? piece : Buffer.alloc(1_000, at));
  }
  client.send({ type: 'CloseStream' });
  hostile.send({ type: 'CloseStream' });
  expect(await client.closed).toEqual({ code: 1000, reason: '' });
  await hostile.closed;
  const finals = client.all('Results').filter((message) => JSON.stringify(message).includes('"is_final":true'));
  const text = finals.map((message) => /"transcript":"([^"]*)"/.exec(JSON.stringify(message))?.[1] ?? '').join('');
  expect(errorIn(text)).toBeLessThan(0.3);
});

it.skipIf(CHROMIUM === null)('the page of the documentation captions a microphone in a browser', async () => {
  const docs = await readFile(join(import.meta.dirname, '../../docs/realtime.md'), 'utf8');
  const example = docs.split('```html\n')[1]?.split('```')[0] ?? '';
  expect(example.split('\n').length).toBeLessThanOrEqual(31);
  const page = example.replace('wss://localhost:8080', service.baseUrl.replace('https', 'wss'));
  const pages = createServer((incoming, answer) => {
    if (incoming.url !== '/client-secret') return answer.setHeader('content-type', 'text/html').end(page);
    void client()
      .realtime.clientSecrets.create({
        session: { type: 'transcription', audio: { input: { transcription: { language: 'yue' } } } },
      })
      .then((secret) => answer.end(JSON.stringify(secret)));
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const recording = join(folder.path, 'speech.wav');
  await writeFile(recording, wavBytes(sound));
  const address = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
  await using browser = await openPage(address, {
    microphonePath: recording,
    services: [service.baseUrl],
    isWhole: true,
  });
  await browser.page.click('#start');
  const captions = () => browser.page.textContent('#captions');
  // The browser plays the recording again and again, with gaps while the machine is busy; how well
  // it is recognized is measured elsewhere.
  await expect.poll(captions, { timeout: 100_000 }).toMatch(/\p{Script=Han}\S? = .*\p{Script=Han}/u);
  pages.close();
});

it('SIGTERM ends a session with an error that has a code, and a close', async () => {
  const live = new OpenAIRealtimeWebSocket({ intent: 'transcription' }, client());
  const failure = new Promise<unknown>((resolve) => live.on('error', ({ error }) => resolve(error)));
  const closed = new Promise<number>((resolve) => live.socket.addEventListener('close', ({ code }) => resolve(code)));
  await new Promise<void>((resolve) => live.on('session.created', () => resolve()));
  const home = await openWyoming(wyomingPort);
  home.send('audio-chunk', { rate: 16_000, width: 2, channels: 1 }, speechAt16kHz);
  home.send('ping');
  await home.next('pong');
  const deepgram = await openLive(service.baseUrl, '/v1/listen?language=zh-HK&encoding=linear16', { key: OWNER_KEY });
  deepgram.socket.send(speechAt16kHz);
  await deepgram.next('Results');
  expect(await service.stop()).toBe(0);
  expect(await deepgram.closed).toEqual({ code: 1001, reason: 'service_unavailable' });
  expect(deepgram.events.at(-1)).toMatchObject({ type: 'Error', code: 'service_unavailable' });
  expect(await failure).toMatchObject({ code: 'service_unavailable' });
  expect(await closed).toBe(1001);
  await home.ended;
  expect(home.events.at(-1)).toMatchObject({ type: 'error', data: { code: 'service_unavailable' } });
});
