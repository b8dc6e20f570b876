import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI, { APIError, toFile } from 'openai';
import { beforeAll, expect, it } from 'vitest';
import { silence, wavBytes, type Sound } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { OWNER_KEY, sharedService, type SharedService } from '#testbed/service/service.ts';
import { MAN, speakDialogue, WOMAN } from '#test/spoken-dialogue.ts';

let service: SharedService;
let client: OpenAI;
let dialogue: Sound;
let monologue: Sound;
let woman: string;
let man: string;

beforeAll(async () => {
  service = await sharedService();
  client = new OpenAI({ apiKey: OWNER_KEY, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 });
  ({ dialogue, monologue } = await speakDialogue());
  woman = dataUrl(await speak(toJyutping('聽日可能會落雨，記得帶遮出門口。'), WOMAN));
  man = dataUrl(await speak(toJyutping('聽日可能會落雨，記得帶遮出門口。'), MAN));
});

const dataUrl = (sound: Sound) => `data:audio/wav;base64,${wavBytes(sound).toString('base64')}`;

async function transcribe(sound: Sound, names?: string[], references?: string[]) {
  return await client.audio.transcriptions.create({
    file: await toFile(wavBytes(sound), 'talk.wav'),
    model: 'gpt-4o-transcribe-diarize',
    language: 'yue',
    response_format: 'diarized_json' as const,
    ...(names === undefined ? {} : { known_speaker_names: names }),
    ...(references === undefined ? {} : { known_speaker_references: references }),
  });
}
/** The speakers in the order of their turns. */
async function speakersOf(...request: Parameters<typeof transcribe>): Promise<string[]> {
  const { segments } = (await transcribe(...request)) as OpenAI.Audio.TranscriptionDiarized;
  return segments.map(({ speaker }) => speaker).filter((speaker, index, all) => speaker !== all[index - 1]);
}
const codeOf = async (...request: Parameters<typeof transcribe>) => {
  const refusal = await transcribe(...request).catch((thrown: unknown) => thrown);
  expect(refusal).toBeInstanceOf(APIError);
  const { status, code, message } = refusal as APIError;
  return [status, code, message];
};

it('speakers have the names of the people whose voices were sent', async () => {
  expect(await speakersOf(dialogue)).toEqual(['A', 'B', 'A', 'B']);
  expect(await speakersOf(dialogue, ['陳小姐', '李先生'], [woman, man])).toEqual([
    '陳小姐',
    '李先生',
    '陳小姐',
    '李先生',
  ]);
  expect(await speakersOf(dialogue, ['Lee, Ann', 'Chan'], [man, woman])).toEqual([
    'Chan',
    'Lee, Ann',
    'Chan',
    'Lee, Ann',
  ]);
});

it('a speaker whose voice was not sent has a letter, and a person who is silent is not named', async () => {
  expect(await speakersOf(dialogue, ['Lee'], [man])).toEqual(['A', 'Lee', 'A', 'Lee']);
  expect(await speakersOf(monologue, ['Lee'], [man])).toEqual(['A']);
  expect(await speakersOf(monologue, ['Lee', 'Chan'], [man, woman])).toEqual(['Chan']);
});

it('names alone have no effect', async () => {
  expect(await speakersOf(dialogue, ['Lee', 'Chan'])).toEqual(['A', 'B', 'A', 'B']);
});

it('references that cannot be used are refused with a reason, and leave nothing', async () => {
  const mentionsField = expect.stringContaining('known_speaker_references[]');
  const cases: [names: string[], references: string[]][] = [
    [['Lee'], [man, woman]],
    [[], [man]],
    [
      ['a', 'b', 'c', 'd', 'e'],
      [man, man, man, man, man],
    ],
    [['Lee'], ['data:text/plain;base64,bm8gc291bmQ=']],
    [['Lee'], ['no data URL']],
    [['Lee'], [dataUrl(silence(3_000))]],
    [['Lee'], [dataUrl(silence(40_000))]],
  ];
  for (const [names, references] of cases) {
    expect(await codeOf(dialogue, names, references)).toEqual([400, 'invalid_request', mentionsField]);
  }
  expect(await codeOf(dialogue, ['Lee', 'Lee'], [man, woman])).toEqual([400, 'invalid_request', expect.any(String)]);
  const incoming = join(service.dataDir, 'incoming');
  const left = await readdir(incoming, { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile() && /^[0-9a-f-]{36}$/.test(entry.name))).toEqual([]);
});
