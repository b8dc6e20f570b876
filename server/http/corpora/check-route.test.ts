import { expect, test } from 'vitest';
import { json, send } from '#testbed/clients/requests.ts';
import { startTestServer } from '#test/http/start-server.ts';

const ENTRY = { text: '蝦餃', jyutping: 'haa1 gaau2', weight: 1 };

test('entries that do not help transcripts are named with the reason', async () => {
  await using server = await startTestServer();
  const { key } = await server.newAccount('pro', ['stt']);
  const check = (entries: object[]) => send(`${server.baseUrl}/api/corpora/check`, json('POST', { entries }, key));
  const entries = [
    ENTRY,
    { text: '旺角', jyutping: 'wong6' },
    { text: '香港', jyutping: 'hoeng1 gong3' },
    { text: '蝦' },
    { text: '蝦' },
  ];
  const { status, body } = await check(entries);
  const notes = body['notes'] as unknown as { index: number; code: string }[];
  expect([status, notes.map(({ index, code: note }) => [index, note])]).toEqual([
    200,
    [
      [1, 'refused'],
      [2, 'other_tone'],
      [3, 'one_character'],
      [4, 'one_character'],
    ],
  ]);
  expect(notes[1]).toMatchObject({
    character: '港',
    jyutping: 'gong3',
    readings: ['gong2'],
    message: '港 is read gong2; as gong3 it is rarely found in speech.',
  });
  expect((await check(Array.from({ length: 501 }, () => ENTRY))).status).toBe(400);
});
