import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TranscriptionEvent, TranscriptionResult } from '@jyutsing/contracts/transcription';
import { whistle } from '#test/audio-whistled.ts';
import { writeSound } from '#testbed/sound/audio.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import type { TranscriptionCall } from './recognition.ts';
import { transcribeChannels } from './transcribe-channels.ts';

async function* transcribe({ channel }: TranscriptionCall): AsyncGenerator<TranscriptionEvent> {
  yield { type: 'recognizer', model: `model of ${channel}` };
  const result = { backend: `model of ${channel}`, durationMs: 100, segments: [], fusion: null };
  yield { type: 'result', result: result as unknown as TranscriptionResult };
}

it('the recognizer of each channel is told, so that another can replace one whose process breaks', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'speech.wav');
  const sound = whistle([null, 'nei5', 'hou2', null]);
  await writeSound(path, { ...sound, channels: [sound.channels[0]!, sound.channels[0]!] }, 'wav');
  const call = { path, options: {} } as unknown as TranscriptionCall;
  const events = await Array.fromAsync(transcribeChannels(call, 60_000, transcribe));
  const models = events.flatMap((event) => (event.type === 'recognizer' ? [event.model] : []));
  expect(models).toEqual(['model of 0', 'model of 1']);
});
