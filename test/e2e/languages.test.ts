import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { editDistance } from '../../eval/score.ts';
import { silence, wavBytes, type Sound } from '#testbed/sound/audio.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  sharedService,
  submission,
  temporaryFolder,
  waitForResult,
  type SharedService,
} from '#testbed/service/service.ts';
import { joinSounds, speak } from '#testbed/sound/espeak-speech.ts';
import { startServiceHere } from '#test/service-here.ts';

const SPOKEN = {
  cantonese: {
    voice: 'yue-latn-jyutping',
    spoken: 'gam1 jat6 tin1 hei3 hou2 hou2 , ngo5 dei6 heoi3 gung1 jyun2 haang4 haa5',
    text: '今日天氣好好我哋去公園行下',
  },
  mandarin: {
    voice: 'cmn-latn-pinyin',
    spoken: 'jin1 tian1 tian1 qi4 hen3 hao3 , wo3 men5 qu4 gong1 yuan2 , ran2 hou4 hui2 jia1 chi1 fan4',
    text: '今天天气很好我们去公园然后回家吃饭',
  },
  english: {
    voice: 'en-us',
    spoken: 'The weather is very nice today, and we are going to the park after school.',
    text: 'the weather is very nice today and we are going to the park after school',
  },
} as const;
type Language = keyof typeof SPOKEN;
const LANGUAGES = Object.keys(SPOKEN) as Language[];

let service: SharedService;
const sounds = {} as Record<Language, Sound>;

beforeAll(async () => {
  service = await sharedService();
  for (const language of LANGUAGES) {
    const { voice, spoken } = SPOKEN[language];
    sounds[language] = joinSounds([silence(300, 24_000), await speak(spoken, { voice })], 200);
  }
});

async function transcribe(sound: Sound, fields: Record<string, string>) {
  const submitted = await request(`${service.baseUrl}/api/stt`, submission(wavBytes(sound), fields));
  expect(submitted.status).toBe(200);
  return waitForResult(service.baseUrl, requestIdOf(submitted));
}

/** Error rate in characters of Chinese or words of English. */
function errorIn(text: unknown, language: Language): number {
  const unitsOf = (line: string) =>
    language === 'english'
      ? (line.toLowerCase().match(/[a-z']+/g) ?? [])
      : Array.from(line.replaceAll(/\P{Script=Han}/gu, ''));
  const expected = unitsOf(SPOKEN[language].text);
  return editDistance(unitsOf(String(text)), expected) / expected.length;
}

it.each(LANGUAGES)('%s speech is transcribed with the language given or detected', async (language) => {
  for (const lang of [language, 'auto']) {
    const record = await transcribe(sounds[language], { lang });
    expect(record).toMatchObject({ status: 'completed', output_language: language, backend: 'builtin' });
    expect(errorIn(record['transcription'], language)).toBeLessThan(0.4);
  }
});

it('English words within a Cantonese sentence come back as words', async () => {
  const spoken = await fetch(`${service.baseUrl}/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OWNER_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'tts-1',
      voice: 'jasmine',
      language: 'cantonese',
      input: '呢個project下個月要email份report畀manager。',
      response_format: 'wav',
    }),
  });
  const sound = Buffer.from(await spoken.arrayBuffer());
  const submitted = await request(`${service.baseUrl}/api/stt`, submission(sound, { lang: 'yue' }));
  const { transcription } = await waitForResult(service.baseUrl, requestIdOf(submitted));
  expect(transcription).toMatch(/個project下個月.*email.*report.*manager/);
});

it('a recording without speech has an empty transcript in every language', async () => {
  const record = await transcribe(silence(2_000), { lang: 'auto' });
  expect(record).toMatchObject({ status: 'completed', transcription: '' });
});

it('a model can be selected; an unknown one is ignored and named in a header', async () => {
  const record = await transcribe(sounds.cantonese, { lang: 'cantonese', model: 'builtin' });
  expect(record).toMatchObject({ status: 'completed', backend: 'builtin' });
  const form = submission(wavBytes(sounds.cantonese), { lang: 'cantonese', model: 'no-such-model' });
  const answer = await request(`${service.baseUrl}/api/stt`, form);
  expect(answer.headers.get('x-model-id-ignored')).toBe('no-such-model');
  const id = requestIdOf(answer);
  expect(await waitForResult(service.baseUrl, id)).toMatchObject({ status: 'completed', backend: 'builtin' });
});

it('a service configured with an unknown engine does not start and names the variable', async () => {
  await using folder = await temporaryFolder();
  const start = startServiceHere(join(folder.path, 'data'), { STT_ENGINE: 'bultin' });
  await expect(start).rejects.toThrow(/STT_ENGINE: .*"bultin"/);
});

it.each([
  [{ language: 'english' }, 'english', 'english'],
  [{ language: 'EN-us' }, 'english', 'english'],
  [{ lang: 'yue' }, 'cantonese', 'cantonese'],
  [{ lang: 'zh_HK', language: 'en' }, 'cantonese', 'cantonese'],
  [{ lang: 'cmn', with_timestamps: 'true' }, 'mandarin', 'mandarin'],
  [{ lang: '', language: 'zh-TW' }, 'mandarin', 'mandarin'],
  [{ lang: 'zh' }, 'cantonese', 'cantonese'],
  [{ language: 'zh' }, 'mandarin', 'mandarin'],
] as const)('the fields %j are understood as %s', async (fields, language, spoken) => {
  const record = await transcribe(sounds[spoken], fields);
  expect(record).toMatchObject({ status: 'completed', output_language: language });
  expect(record['include_timestamp']).toBe('with_timestamps' in fields);
});

it('zh is never told to be English', async () => {
  expect((await transcribe(sounds.english, { lang: 'zh' }))['output_language']).not.toBe('english');
});

const json = (path: string, body: object) =>
  request(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': OWNER_KEY },
    body: JSON.stringify(body),
  });

it('an unknown language is refused with those that are accepted, on every endpoint', async () => {
  const wav = wavBytes(sounds.english);
  const stt = (fields: Record<string, string>) => request(`${service.baseUrl}/api/stt`, submission(wav, fields));
  const refused = [
    await stt({ lang: 'klingon' }),
    await stt({ language: 'fr' }),
    await json('/api/tts-stream', { text: 'x', voice_id: 'jasmine', language: 'klingon' }),
    await json('/api/tts-stream', { text: 'x', voice_id: 'jasmine', lang: 'cmn' }),
    await json('/api/tts', { text: 'x', lang: 'klingon' }),
    await json('/v1/audio/speech', { input: 'x', model: 'tts-1', voice: 'alloy', language: 'fr' }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 400, 400, 400, 400]);
  for (const { body } of refused)
    expect(body['message']).toMatch(/must be (cantonese, mandarin|Chinese \(Cantonese\) or English).*yue, zh-HK/);
});
