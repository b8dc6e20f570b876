import { setTimeout as sleep } from 'node:timers/promises';
import { OWNER_KEY, type Service } from '#testbed/service/service.ts';
import type { SpokenRequest } from './kill-counts.ts';

const PAUSE_MS = 30;
const SENTENCE = '呢間餐廳啲點心好好食，下次再嚟。';
/** From words, which are complete within a step, to texts that a kill interrupts. */
const LENGTHS = [2, 40, 5, 120, 15, 400] as const;
/** Streams cost four units for a character, files one. */
const REQUESTS = [
  { path: '/api/tts-stream', body: { voice_id: 'jasmine' } },
  { path: '/api/tts', body: {} },
] as const;

/** Clients that have texts spoken, as streams and as files in turns. */
export type SpeechClients = {
  readonly requests: readonly SpokenRequest[];
  /** The number of complete answers. */
  complete(): number;
  /** Sends one request after the other until the service dies. */
  speakUntilDead(service: Service): Promise<void>;
};

export function createSpeechClients(clients: number): SpeechClients {
  const requests: SpokenRequest[] = [];
  let number = 0;
  const speak = async ({ baseUrl }: Service): Promise<void> => {
    const { path, body } = REQUESTS[number % REQUESTS.length]!;
    const text = SENTENCE.repeat(40).slice(0, LENGTHS[Math.floor(number / REQUESTS.length) % LENGTHS.length]);
    number += 1;
    let characters = 0;
    let isComplete = false;
    try {
      const answer = await fetch(baseUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': OWNER_KEY },
        body: JSON.stringify({ text, ...body }),
      });
      characters = Number(answer.headers.get('x-characters-charged'));
      // Throws when the connection breaks before the end of the sound.
      isComplete = (await answer.arrayBuffer()).byteLength > 0 && answer.status === 200;
    } catch {
      // The service died.
    }
    requests.push({ characters, isComplete, endedMs: performance.now() });
  };
  const client = async (service: Service) => {
    while (service.process.exitCode === null && service.process.signalCode === null) {
      await speak(service);
      await sleep(PAUSE_MS);
    }
  };
  return {
    requests,
    complete: () => requests.filter(({ isComplete }) => isComplete).length,
    async speakUntilDead(service) {
      await Promise.all(Array.from({ length: clients }, () => client(service)));
    },
  };
}
