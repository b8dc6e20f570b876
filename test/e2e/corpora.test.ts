import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { OWNER_KEY, request, submission, temporaryFolder } from '#testbed/service/service.ts';
import { jsonRequest } from '#testbed/clients/decode-sound.ts';
import { speak } from '#testbed/sound/espeak-speech.ts';

/** A name with unusual characters: without the corpus, homophones are written. */
const NAME = { text: '岑灝賢', jyutping: 'sam4 hou6 jin4' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ServiceHere;
let wav: Uint8Array;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startServiceHere(join(folder.path, 'data'));
  wav = wavBytes(await speak(`ngo5 giu3 ${NAME.jyutping}`));
});

afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

const call = (method: string, path: string, body?: unknown) =>
  request(`${service.baseUrl}/api/corpora${path}`, {
    method,
    headers: { 'x-api-key': OWNER_KEY, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const transcribe = async (fields: Record<string, string>) => {
  const { status, body } = await request(`${service.baseUrl}/speech-to-text`, submission(wav, fields));
  expect(status).toBe(200);
  return { text: String(body['text']), isCached: body['is_cached'] === true };
};

test('public corpora are available from the first start', async () => {
  const { body } = await call('GET', '');
  const corpora = body['corpora'] as { id: string; public: boolean; entries_count: number }[];
  expect(corpora.map(({ id }) => id)).toContain('mtr-stations');
  expect(corpora.every((corpus) => corpus.public && corpus.entries_count > 100)).toBe(true);
});

test('a corpus decides how a name is written, also after changes and a restart', async () => {
  const { body } = await call('POST', '', { name: '同事', entries: [NAME] });
  const { id } = body['corpus'] as { id: string };
  const named = { corpus_ids: id };

  expect((await transcribe({ corpus_ids: 'none' })).text).not.toContain(NAME.text);
  expect(await transcribe(named)).toEqual({ text: expect.stringContaining(NAME.text), isCached: false });
  await service.stop();
  service = await startServiceHere(join(folder.path, 'data'));
  expect(await transcribe(named)).toEqual({ text: expect.stringContaining(NAME.text), isCached: true });

  expect((await call('PUT', `/${id}`, { entries: [], version: 1 })).status).toBe(200);
  expect(await transcribe(named)).toEqual({ text: expect.not.stringContaining(NAME.text), isCached: false });
});

/** Returns the same sound for the same fields. */
const speech = async (fields: object) => {
  const answer = await fetch(`${service.baseUrl}/api/tts`, jsonRequest({ temperature: 0, ...fields }));
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer()).toString('base64');
};

test('a corpus decides how a name is said', async () => {
  const text = '我係行長單立文';
  const asWritten = await speech({ text });
  const entries = [{ text: '單立文', jyutping: 'sin6 lap6 man6' }];
  const { body } = await call('POST', '', { name: '名', entries });
  const { id } = body['corpus'] as { id: string };
  const jyutping = 'ngo5 hai6 hong4 zoeng2 sin6 lap6 man6';
  const asListed = await speech({ text });
  expect(asListed).not.toBe(asWritten);
  expect(asListed).toBe(await speech({ text, corpus_ids: id }));
  expect(await speech({ text, corpus_ids: 'none' })).toBe(asWritten);
  expect(asListed.length).toBe((await speech({ text, jyutping })).length);
});
