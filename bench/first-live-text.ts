import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '@jyutsing/numeric/statistics';
import { append, openLive, pcmOf, piecesOf } from '#testbed/clients/live-client.ts';
import { OWNER_KEY, startService, temporaryFolder } from '#testbed/service/service.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import type { Measurement } from './report.ts';

const ROUNDS = 5;
const GOAL_MS = 1_000;
const RATE_HZ = 24_000;
const CHUNK_MS = 100;
/** The service is ready and at rest by then, without a model. */
const AT_REST_MS = 4_000;
const SESSION = {
  type: 'transcription',
  audio: {
    input: {
      format: { type: 'audio/pcm', rate: RATE_HZ },
      transcription: { model: 'gpt-4o-transcribe', language: 'yue' },
      turn_detection: { type: 'server_vad' },
    },
  },
};

/**
 * Measures the first live session of a service that has answered nothing yet: the time from its
 * opening, at which a client begins to speak, to the first text.
 */
export async function measureFirstLiveText(): Promise<Measurement[]> {
  const speech = pcmOf(await speak(toJyutping('今日天氣好好，我哋一齊去公園行下。')), RATE_HZ);
  const pieces = piecesOf(speech, (RATE_HZ * 2 * CHUNK_MS) / 1_000);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await using folder = await temporaryFolder();
    const service = await startService(folder.path);
    await sleep(AT_REST_MS);
    const client = await openLive(service.baseUrl, '/v1/realtime?intent=transcription', { key: OWNER_KEY });
    client.send({ type: 'session.update', session: SESSION });
    const openedMs = performance.now();
    const firstText = client
      .next('conversation.item.input_audio_transcription.delta')
      .then(() => times.push(performance.now() - openedMs));
    for (const [index, piece] of pieces.entries()) {
      append(client, piece);
      await sleep(Math.max(0, openedMs + (index + 1) * CHUNK_MS - performance.now()));
    }
    await firstText;
    client.socket.close();
    await service.stop();
  }
  const median = quantile(times, 0.5);
  return [
    {
      label: 'first text of the first live session, median (slowest)',
      value: `${median.toFixed(0)} ms (${Math.max(...times).toFixed(0)})`,
      goal: `≤ ${GOAL_MS} ms`,
      met: median <= GOAL_MS,
    },
  ];
}
