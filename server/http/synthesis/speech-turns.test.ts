import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, openPost } from '#test/http/sound.ts';
import { leastTurnMs } from '#test/http/longest-turn.ts';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import { searchWorstSpeech, type SpeechRequest } from '#testbed/clients/worst-speech.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

/** A longer turn of the event loop would delay all other requests. */
const LONGEST_TURN_MS = 50;
/** Long enough to show an encoder that computes without a pause. */
const PAUSES = `早${'<break time="10s"/>'.repeat(4)}`;

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = (await server.newAccount('pro', ['tts'])).key;
});
afterAll(() => server[Symbol.asyncDispose]());

/** The longest turn of a request, in the try in which it is shortest. */
function turnOf({ path, body }: SpeechRequest, statuses: number[]): Promise<number> {
  return leastTurnMs(async () => {
    const answer = await openPost(`${server.baseUrl}${path}`, body, key);
    const { complete } = await bodyOf(answer);
    expect(statuses).toContain(answer.status);
    expect(complete).toBe(true);
  }, LONGEST_TURN_MS);
}

test('long pauses leave the event loop to other requests, in every format', async () => {
  const openai = (options: object) => ({ path: '/v1/audio/speech', body: { input: PAUSES, ...options } });
  const requests: SpeechRequest[] = [
    ...['mp3', 'opus', 'aac', 'flac', 'pcm'].map((response_format) => openai({ response_format })),
    openai({ response_format: 'opus', stream_format: 'sse' }),
    { path: '/api/tts-stream', body: { text: PAUSES, voice_id: 'jasmine' } },
  ];
  const long: [number, SpeechRequest][] = [];
  for (const request of requests) {
    const turnMs = await turnOf(request, [200]);
    if (turnMs > LONGEST_TURN_MS) long.push([turnMs, request]);
  }
  expect(long).toEqual([]);
});

/** Seconds of processor time of the search are about a sixth of the steps. */
const STEPS = 30;

test('no speech request that a search finds occupies the event loop for long', async () => {
  server.state.characterMs = 1;
  const options = { steps: STEPS, maxPauseSeconds: 10, voiceId: 'jasmine' };
  const { worst } = await searchWorstSpeech(randomFrom(1), options, (request) => turnOf(request, [200, 400, 413]));
  // The request shows what to mend.
  const long = worst.cost > LONGEST_TURN_MS ? JSON.stringify(worst).slice(0, 300) : null;
  expect(long).toBeNull();
});
