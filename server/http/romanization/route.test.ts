import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, send } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let local: TestServer;
let distant: TestServer;
beforeAll(async () => {
  local = await startTestServer();
  distant = await startTestServer({ isLocal: false });
});
afterAll(async () => {
  await local[Symbol.asyncDispose]();
  await distant[Symbol.asyncDispose]();
});

const ask = (body: object, server = local, key?: string) =>
  send(`${server.baseUrl}/api/text-to-jyutping`, json('POST', body, key));
const resultOf = async (body: object) => (await ask(body)).body['result'];

describe('POST /api/text-to-jyutping', () => {
  test.each([
    [undefined, 'nei5 hou2'],
    ['text', 'nei5 hou2'],
    ['annotated', '你(nei5)好(hou2)！'],
    ['initial_format', 'n-ei5 h-ou2'],
    ['ipa', '你[nei̯˩˧]好[hou̯˧˥]！'],
    ['ipa_text', 'nei̯˩˧.hou̯˧˥'],
    [
      'list',
      [
        { character: '你', jyutping: 'nei5' },
        { character: '好', jyutping: 'hou2' },
        { character: '！', jyutping: null },
      ],
    ],
    [
      'ipa_list',
      [
        { character: '你', ipa: 'nei̯˩˧' },
        { character: '好', ipa: 'hou̯˧˥' },
        { character: '！', ipa: null },
      ],
    ],
  ])('writes the type %s', async (outputType, result) => {
    expect((await ask({ text: '你好！', outputType })).body).toEqual({ success: true, result });
  });

  test('reads as speech does: in context, numbers and questions included', async () => {
    expect(await resultOf({ text: '銀行行長' })).toBe('ngan4 hong4 hong4 zoeng2');
    expect(await resultOf({ text: '我12歲' })).toBe('ngo5 sap6 ji6 seoi3');
    expect(await resultOf({ text: '我12歲', outputType: 'annotated' })).toBe('我(ngo5)12(sap6 ji6)歲(seoi3)');
    expect(await resultOf({ text: '飲coffee', outputType: 'annotated' })).toBe('飲(jam2)coffee');
    expect(await resultOf({ text: '早<break time="1s"/>晨' })).toBe('zou2 san4');
    expect(await resultOf({ text: '<think>hm</think>早晨' })).toBe('zou2 san4');
  });

  test("reads words of the account's corpora as speech does", async () => {
    const account = await local.newAccount('pro', ['stt', 'tts']);
    const entries = [
      { text: '行長', jyutping: 'haang4 coeng4' },
      { text: 'IKEA', jyutping: 'ji4 ke4 aa1' },
    ];
    await send(`${local.baseUrl}/api/corpora`, json('POST', { name: 'x', entries }, account.key));
    const read = async (text: string, key?: string) =>
      (await ask({ text, outputType: 'annotated' }, local, key)).body['result'];
    expect(await read('行長去IKEA。', account.key)).toBe('行(haang4)長(coeng4)去(heoi3)IKEA(ji4 ke4 aa1)。');
    expect(await read('行長')).toBe('行(hong4)長(zoeng2)');
    // Jyutping in the text counts more.
    expect(await read('行長hong4 zoeng2', account.key)).toContain('hong4');
  });

  test('reads SSML as speech does', async () => {
    const text =
      '<speak>去<phoneme alphabet="jyutping" ph="hong2">行</phoneme><break/><lang xml:lang="en">ok</lang></speak>';
    expect(await resultOf({ text, outputType: 'annotated' })).toBe('去(heoi3)行(hong2)ok');
    expect((await ask({ text: '<speak>早' })).status).toBe(400);
  });

  test.each([
    [{}, 400],
    [{ text: '' }, 400],
    [{ text: 7 }, 400],
    [{ text: '好'.repeat(5_001) }, 400],
    [{ text: '好', outputType: 'yale' }, 400],
  ])('refuses %j', async (body, status) => {
    expect((await ask(body)).status).toBe(status);
  });

  test('needs a key when other machines can reach the server, and a valid one everywhere', async () => {
    expect((await ask({ text: '好' }, distant)).status).toBe(401);
    expect((await ask({ text: '好', api_key: distant.ownerKey }, distant)).status).toBe(200);
    expect((await ask({ text: '好' }, local, 'nonsense')).status).toBe(401);
  });
});

test('GET /api/jyutping answers people in plain text', async () => {
  const url = `${local.baseUrl}/api/jyutping?text=${encodeURIComponent('你好')}`;
  const answer = await send(url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(answer.body['text']).toBe('nei5 hou2\n');
  expect((await send(`${url}&outputType=list`)).body).toHaveLength(2);
  expect((await send(`${local.baseUrl}/api/jyutping`)).status).toBe(400);
  expect((await send(`${distant.baseUrl}/api/jyutping?text=a`)).status).toBe(401);
});
