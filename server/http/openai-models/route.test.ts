import { expect, test } from 'vitest';
import { send, withKey } from '#testbed/clients/requests.ts';
import { startTestServer } from '#test/http/start-server.ts';

const MODEL = {
  id: 'test',
  object: 'model',
  created: 0,
  owned_by: 'sentence',
  ability: 'recognizer',
  engine: 'sentence',
  version: '1',
  languages: ['cantonese', 'mandarin'],
  quality: { cantonese: 60, mandarin: 40 },
  // It hears what it hears, whatever words are likely.
  hot_words: false,
};

const aliases = (model: object, ...ids: string[]) => ids.map((id) => ({ ...model, id, alias_of: 'test' }));

test('only available models are listed and found, and only with a key', async () => {
  await using server = await startTestServer();
  const ask = (path: string, key = server.ownerKey) => send(`${server.baseUrl}/v1/models${path}`, withKey(key));
  const { object, data } = (await ask('')).body;
  const models = data as unknown as { ability: string }[];
  expect([object, models.filter(({ ability }) => ability === 'recognizer')]).toEqual([
    'list',
    [MODEL, ...aliases(MODEL, 'whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe', 'gpt-4o-transcribe-diarize')],
  ]);
  expect(models.filter(({ ability }) => ability !== 'recognizer' && ability !== 'synthesizer')).toEqual([
    {
      ...MODEL,
      id: 'ears-diarizer',
      owned_by: 'ears',
      engine: 'ears',
      ability: 'diarizer',
      version: '2',
      languages: [],
      quality: undefined,
      hot_words: undefined,
    },
  ]);
  expect((await ask('/whisper-1')).body).toMatchObject({ id: 'whisper-1', alias_of: 'test' });
  expect(models.filter(({ ability }) => ability === 'synthesizer')).toMatchObject([
    { id: 'tones', owned_by: 'sung', languages: ['cantonese', 'english'] },
    { id: 'server-tones', owned_by: 'sung', languages: ['cantonese', 'mandarin'] },
  ]);
  expect((await ask('/test')).body).toEqual(MODEL);
  for (const id of ['absent', 'sentence', 'no/such', '%2e%2e%2fsecret', 'x'.repeat(90), '%00', '名']) {
    const { status, body } = await ask(`/${encodeURIComponent(id)}`);
    expect([id, status, String(body['error']?.['code'])]).toEqual([id, 404, 'model_not_found']);
  }
  for (const path of ['', '/test']) {
    expect(await ask(path, 'nonsense')).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
  }
});

test('the list of models counts as a poll, not as a request', async () => {
  await using server = await startTestServer();
  const { key } = await server.newAccount('slow', []);
  const { status, headers } = await send(`${server.baseUrl}/v1/models`, withKey(key));
  expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, '4']);
});
