import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { silence } from '#testbed/sound/audio.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { append, openLive, pcmOf, type LiveClient } from '#testbed/clients/live-client.ts';
import { OWNER_KEY, temporaryFolder } from '#testbed/service/service.ts';
import { startWithNpm } from '../npm-service.ts';
import { generousPlan } from '../plan.ts';
import { treePssBytes } from '#testbed/service/process-tree.ts';
import type { Measurement } from '../report.ts';

const MIB = 1_024 ** 2;
const GOAL_MIB = 5;
/** After this time a process has freed the garbage of its last work. */
const SETTLE_MS = 6_000;
const PATH = '/v1/realtime?intent=transcription';
const COMPLETED = 'conversation.item.input_audio_transcription.completed';

/**
 * Measures the memory of WebSocket sessions that have spoken a sentence and then only wait. Other
 * sessions have loaded the models into every process before.
 */
export async function measureIdleSessions(count: number): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const service = await startWithNpm(join(folder.path, 'data'), { PLANS_FILE: await generousPlan(folder.path) });
  const clients: LiveClient[] = [];
  try {
    const spoken = await speak(toJyutping('今日天氣好好'));
    const sentence = pcmOf(joinSounds([spoken, silence(1_000, spoken.sampleRateHz)], 0), 24_000);
    const open = async () => {
      const client = await openLive(service.baseUrl, PATH, { key: OWNER_KEY });
      clients.push(client);
      const transcription = { language: 'yue' };
      client.send({ type: 'session.update', session: { audio: { input: { transcription } } } });
      append(client, sentence);
      await client.next(COMPLETED);
    };
    await Promise.all(Array.from({ length: 16 }, open));
    await sleep(SETTLE_MS);
    const before = treePssBytes(service.pid);
    for (let opened = 0; opened < count; opened += 1) {
      await open();
      if ((opened + 1) % 20 === 0) console.error(`  ${opened + 1} of ${count} sessions`);
    }
    await sleep(SETTLE_MS);
    const sessionMib = (treePssBytes(service.pid) - before) / MIB / count;
    const label = `memory of ${count} sessions that wait, each`;
    return [{ label, value: `${sessionMib.toFixed(2)} MiB`, goal: `≤ ${GOAL_MIB} MiB`, met: sessionMib <= GOAL_MIB }];
  } finally {
    for (const { socket } of clients) socket.terminate();
    await service.stop();
  }
}
