import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wavBytes } from '#test/audio.ts';
import { request, startService, submission, temporaryFolder, type Service } from '#test/service.ts';
import { joinSounds, speak, toJyutping } from '#test/espeak-speech.ts';

const WOMAN = { voice: 'yue-latn-jyutping+f3', pitch: 75 };
const MAN = { voice: 'yue-latn-jyutping+m7', pitch: 20 };
const LINES = [
  { text: '早晨，請問你想去邊度呀？', ...WOMAN },
  { text: '我想聽日夜晚搭車去九龍。', ...MAN },
  { text: '七點有一班，九點半又有一班。', ...WOMAN },
  { text: '咁唔該你俾兩張九點半嘅飛我。', ...MAN },
];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: Service;
let dialogue: Uint8Array;
let monologue: Uint8Array;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(join(folder.path, 'data'));
  const spoken = [];
  for (const { text, ...voice } of LINES) spoken.push(await speak(toJyutping(text), voice));
  dialogue = wavBytes(joinSounds(spoken, 800));
  monologue = wavBytes(joinSounds([spoken[0]!, spoken[2]!], 800));
});
afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

const transcribe = async (audio: Uint8Array, fields: Record<string, string>) => {
  const form = submission(audio, { wait_for_completion: 'true', skip_fusion: 'true', ...fields });
  const { status, body } = await request(`${service.baseUrl}/api/stt`, form);
  expect(status).toBe(200);
  return body;
};

it('alternating female and male voices give two speakers, one line per turn', async () => {
  const body = await transcribe(dialogue, { with_diarization: 'true' });
  const lines = String(body['diarization']).split('\n');
  expect(lines.map((line) => line.slice(0, 12))).toEqual([
    'SPEAKER_00: ',
    'SPEAKER_01: ',
    'SPEAKER_00: ',
    'SPEAKER_01: ',
  ]);
  for (const line of lines) expect(line).toMatch(/^SPEAKER_0[01]: .*\p{Script=Han}/u);
});

it('with timestamps every block names its speaker', async () => {
  const body = await transcribe(dialogue, { with_diarization: 'true', with_timestamp: 'true' });
  const blocks = String(body['text']).trim().split(/\n\n/u);
  expect(blocks.length).toBeGreaterThanOrEqual(4);
  for (const block of blocks) expect(block.split('\n')[2]).toMatch(/^SPEAKER_0[01]: \S/u);
  expect(body['diarization']).toBeUndefined();
});

it('a single voice is one speaker, and without the option no speaker is named', async () => {
  const alone = await transcribe(monologue, { with_diarization: 'true' });
  expect(String(alone['diarization'])).toMatch(/^SPEAKER_00: [^\n]+$/u);
  const plain = await transcribe(monologue, {});
  expect(plain['diarization']).toBeUndefined();
  expect(String(plain['text'])).not.toContain('SPEAKER');
});
