import { beforeAll, expect, it } from 'vitest';
import { Jyutsing, type LiveTurn } from '@jyutsing/client';
import { WebSocket } from 'ws';
import { append, openLive, pcmOf, piecesOf } from '#testbed/clients/live-client.ts';
import { OWNER_KEY, sharedService, type SharedService } from '#testbed/service/service.ts';
import { speakDialogue } from '#test/spoken-dialogue.ts';

let service: SharedService;
let speech16: Buffer;
let speech24: Buffer;
beforeAll(async () => {
  service = await sharedService();
  const { dialogue } = await speakDialogue();
  speech16 = pcmOf(dialogue, 16_000);
  speech24 = pcmOf(dialogue, 24_000);
});

it("Deepgram's words name their speakers, who take turns, and the client shows the turns", async () => {
  const client = new Jyutsing({ baseUrl: service.baseUrl, apiKey: OWNER_KEY });
  const options = { language: 'cantonese', diarization: true, webSocket: WebSocket as never };
  await using session = await client.listen(options);
  for (const piece of piecesOf(speech16, 32_000)) session.send(piece);
  session.close();
  const turns: LiveTurn[] = [];
  let text = '';
  for await (const event of session) {
    if (event.type !== 'text' || !event.isFinal) continue;
    text += event.text;
    turns.push(...(event.turns ?? []));
    expect(event.words.filter(({ speaker }) => speaker === undefined)).toEqual([]);
  }
  // A woman and a man, twice each.
  const order = turns.map(({ speaker }) => speaker).filter((speaker, at, all) => speaker !== all[at - 1]);
  expect(order).toEqual([0, 1, 0, 1]);
  expect(turns.map((turn) => turn.text).join('')).toBe(text);
});

it("OpenAI's segment events name the speakers, only for a model or a session that tells them apart", async () => {
  for (const [transcription, expected] of [
    [{ model: 'gpt-4o-transcribe-diarize', language: 'yue' }, 'ABAB'],
    [{ model: 'gpt-4o-transcribe', language: 'yue', diarize: true, delay: 'high' }, 'ABAB'],
    [{ model: 'gpt-4o-transcribe', language: 'yue' }, ''],
  ] as const) {
    const live = await openLive(service.baseUrl, '/v1/realtime?intent=transcription', { key: OWNER_KEY });
    const input = { transcription, turn_detection: { type: 'server_vad', silence_duration_ms: 400 } };
    live.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
    append(live, speech24, 48_000);
    live.send({ type: 'input_audio_buffer.commit' });
    const completed = 'conversation.item.input_audio_transcription.completed';
    const segments = () =>
      live.all('conversation.item.input_audio_transcription.segment') as unknown as { speaker: string; end: number }[];
    await expect.poll(() => segments().at(-1)?.end ?? 0, { timeout: 60_000 }).toBeGreaterThan(14);
    expect(live.all(completed).length).toBeGreaterThan(1);
    const order = segments()
      .map(({ speaker }) => speaker)
      .filter((speaker, at, all) => speaker !== all[at - 1]);
    expect([transcription, order.join('')]).toEqual([transcription, expected]);
    live.socket.close();
  }
});
