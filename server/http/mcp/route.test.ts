import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import type { Scope } from '@jyutsing/contracts/accounts';
import { createRandom } from '@jyutsing/numeric/random';
import { randomMcpMessage } from '#testbed/clients/random-doors.ts';
import { send, wav } from '#testbed/clients/requests.ts';
import { scoreWell } from '#test/http/score-well.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let owner: Client;
beforeAll(async () => {
  server = await startTestServer({ scorePronunciation: scoreWell });
  owner = await connect(server.ownerKey);
});
afterAll(async () => {
  await owner.close();
  await server[Symbol.asyncDispose]();
});

/** The protocol's own client, unchanged. */
async function connect(key: string | null): Promise<Client> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const client = new Client({ name: 'test', version: '1' });
  // Its types are not written for exact optional properties.
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', server.baseUrl), { requestInit: { headers } });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
}

type Arguments = Record<string, unknown>;
const call = async (name: string, args: Arguments, client = owner) =>
  (await client.callTool({ name, arguments: args })) as CallToolResult;
const textOf = ({ content }: CallToolResult) => (content[0]?.type === 'text' ? content[0].text : null);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const RECORDING = base64(wav(1.5));

test('the six tools say what they take, and the server what it is', async () => {
  const { tools } = await owner.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['transcribe', 'speak', 'score', 'jyutping', 'summarize', 'search']);
  expect(
    tools.filter(({ description = '', inputSchema }) => description === '' || inputSchema.type !== 'object'),
  ).toEqual([]);
  expect(owner.getServerVersion()).toMatchObject({ name: 'jyutsing', version: '0.0.0' });
  // Its disk is not that of the client.
  expect(tools[1]!.inputSchema.properties).not.toHaveProperty('path');
});

test('a recording becomes a text with progress, a resource, and something to search', async () => {
  const reports: Progress[] = [];
  const params = { name: 'transcribe', arguments: { file: RECORDING, title: '早會', language: 'yue' } };
  const result = (await owner.callTool(params, undefined, {
    onprogress: (one) => reports.push(one),
  })) as CallToolResult;
  const { request_id: id } = result.structuredContent as { request_id: string };
  expect(result.structuredContent).toMatchObject({ language: 'cantonese', duration_s: 1.5, text: textOf(result) });
  expect(textOf(result)).toMatch(/早晨[\s\S]*你好媽/);
  expect(reports.map(({ progress }) => progress)).toEqual(
    reports.map(({ progress }) => progress).toSorted((left, right) => left - right),
  );
  expect(reports.at(-1)).toMatchObject({ progress: 1, total: 1 });

  const uri = `jyutsing://transcripts/${id}`;
  expect(result.content[1]).toMatchObject({ type: 'resource_link', uri, name: '早會' });
  const { resources } = await owner.listResources();
  expect(resources).toContainEqual(expect.objectContaining({ uri, name: '早會', mimeType: 'text/plain' }));
  expect((await owner.readResource({ uri })).contents).toEqual([{ uri, mimeType: 'text/plain', text: textOf(result) }]);
  const subtitles = await owner.readResource({ uri: `${uri}/srt` });
  expect(subtitles.contents[0]).toMatchObject({ text: expect.stringMatching(/^1\n00:00:00,000 --> /) });
  const found = await call('search', { query: 'zou2 san4' });
  expect(textOf(found)).toContain(id);
  expect(found.content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri }));
  expect(textOf(await call('search', { query: '冇呢句' }))).toBe('Nothing was found.');
});

test('formats, jyutping, speech and scores are those of the routes', async () => {
  expect(textOf(await call('transcribe', { file: `data:audio/wav;base64,${RECORDING}`, format: 'vtt' }))).toMatch(
    /^WEBVTT/,
  );
  expect((await call('jyutping', { text: '你好' })).structuredContent).toEqual({ jyutping: 'nei5 hou2' });
  const { content } = await call('speak', { text: '早晨', format: 'wav' });
  expect(content).toEqual([{ type: 'audio', mimeType: 'audio/wav', data: expect.stringMatching(/^UklGR/) }]);
  const score = await call('score', { file: RECORDING, text: '好' });
  expect(score.structuredContent).toMatchObject({ success: true, score: 94.4 });
});

describe('refusals say what to change', () => {
  test.each<[string, string, Arguments, RegExp]>([
    ['damaged sound', 'transcribe', { file: base64(Buffer.from('no sound at all')) }, /\(unsupported_audio_format, /],
    ['no base64', 'transcribe', { file: '/etc/passwd.wav' }, /no base64.*\(invalid_source\)/],
    ['an address of the disk', 'transcribe', { url: 'file:///etc/passwd' }, /https.*\(invalid_argument\)/],
    ['a private address', 'transcribe', { url: 'http://127.0.0.1:1/x.wav' }, /"url".*\(invalid_/],
    ['no recording', 'transcribe', {}, /either as "file" or as "url"/],
    ['two recordings', 'transcribe', { file: RECORDING, url: 'https://example.org/x' }, /either as/],
    ['an unknown language', 'transcribe', { file: RECORDING, language: 'klingon' }, /\(invalid_parameter, /],
    ['work that fails', 'transcribe', { file: RECORDING, context: 'FAIL' }, /damaged.*\(corrupt_audio/],
    ['an unknown voice', 'speak', { text: '早晨', voice: 'nobody-here' }, /\(voice_not_found, /],
    ['an unknown argument value', 'speak', { text: 5 }, /text/],
    ['nothing to summarize', 'summarize', {}, /Give one of/],
    ['no language model', 'summarize', { text: '早晨' }, /\(language_model_required, /],
    ['a video without captions', 'summarize', { url: 'https://youtu.be/dQw4w9WgXcQ' }, /\(caption_tracks_failed/],
    ['an unknown tool', 'shout', {}, /shout/],
    ['a name of every object', 'constructor', {}, /constructor/],
  ])('%s', async (_what, tool, args, expected) => {
    const result = await call(tool, args);
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(expected)]);
  });

  it('without a key, and with a wrong one', async () => {
    await expect(connect(null)).rejects.toThrow(/missing_api_key/);
    await expect(connect('jyut_wrong')).rejects.toThrow(/invalid_api_key/);
  });

  it.each<[Scope, string, Arguments]>([
    ['tts', 'transcribe', { file: RECORDING }],
    ['tts', 'search', { query: '早' }],
    ['stt', 'speak', { text: '早晨' }],
    ['stt', 'score', { file: RECORDING, text: '好' }],
    ['stt', 'summarize', { url: 'https://youtu.be/dQw4w9WgXcQ' }],
  ])('with a key of %s alone, of %s', async (scope, tool, args) => {
    const client = await connect((await server.newAccount('pro', [scope])).key);
    const result = await call(tool, args, client);
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/scope.*\(insufficient_scope, /)]);
    await client.close();
  });

  it('when the quota is used up', async () => {
    const client = await connect((await server.newAccount('small')).key);
    const long = base64(wav(12));
    expect(textOf(await call('transcribe', { file: long }, client))).toMatch(/\(quota_exceeded/);
    expect(textOf(await call('speak', { text: '早晨' }, client))).toMatch(/\(quota_exceeded/);
    await client.close();
  });

  it('of another account, as a resource', async () => {
    const { structuredContent } = await call('transcribe', { file: RECORDING });
    const uri = `jyutsing://transcripts/${(structuredContent as { request_id: string }).request_id}`;
    const stranger = await connect((await server.newAccount('pro')).key);
    await expect(stranger.readResource({ uri })).rejects.toThrow(/no transcription/);
    expect((await stranger.listResources()).resources).toEqual([]);
    for (const format of ['exe', 'toString', 'constructor', '__proto__']) {
      await expect(owner.readResource({ uri: `${uri}/${format}` })).rejects.toThrow(/no format/);
    }
    await stranger.close();
  });
});

describe('a call that the client cancels', () => {
  it('ends the transcription, and its quota is given back', async () => {
    const { id, key } = await server.newAccount('pro', ['stt']);
    const client = await connect(key);
    server.state.workIsHeld = true;
    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    const onprogress = ({ message }: Progress) => void (message === 'queued' && begun.resolve());
    const params = { name: 'transcribe', arguments: { file: RECORDING } };
    const answer = client.callTool(params, undefined, { signal: stop.signal, onprogress });
    const refusal = answer.then(String, String);
    await begun.promise;
    expect((await server.store.quotas.used(id)).stt_seconds).toBe(2);
    stop.abort('enough');
    expect(await refusal).toContain('enough');
    await expect.poll(() => server.store.transcriptions.list(id, { limit: 10 })).toEqual([]);
    await expect.poll(async () => (await server.store.quotas.used(id)).stt_seconds).toBe(0);
    server.state.workIsHeld = false;
    await client.close();
  });

  it('with another id or of another session goes on', async () => {
    const params = { requestId: 1, reason: 'x' };
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    expect((await post(message, { 'mcp-session-id': 'of-no-one' })).status).toBe(202);
    expect((await post({ ...message, params: { requestId: {} } }, { 'mcp-session-id': 'of-no-one' })).status).toBe(202);
  });
});

test('a client that only leaves finds its transcript later', async () => {
  const { id, key } = await server.newAccount('pro', ['stt']);
  const client = await connect(key);
  server.state.workIsHeld = true;
  const begun = Promise.withResolvers<void>();
  const onprogress = ({ message }: Progress) => void (message === 'queued' && begun.resolve());
  const answer = client.callTool({ name: 'transcribe', arguments: { file: RECORDING } }, undefined, { onprogress });
  const end = answer.then(String, String);
  await begun.promise;
  await client.close();
  expect(await end).toContain('closed');
  server.state.workIsHeld = false;
  const listed = async () => (await server.store.transcriptions.list(id, { limit: 10 })).map(({ status }) => status);
  await expect.poll(listed).toEqual(['completed']);
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  send(`${server.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'x-api-key': server.ownerKey,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('long calls of tools at a time are limited as those that wait are', async () => {
  const client = await connect((await server.newAccount('one-at-a-time')).key);
  server.state.workIsHeld = true;
  const begun = Promise.withResolvers<void>();
  const onprogress = ({ message }: Progress) => void (message === 'queued' && begun.resolve());
  const first = client.callTool({ name: 'transcribe', arguments: { file: RECORDING } }, undefined, { onprogress });
  await begun.promise;
  await expect(call('transcribe', { file: RECORDING }, client)).rejects.toThrow(/concurrency_exceeded/);
  // Quick tools wait for no other call.
  expect((await call('jyutping', { text: '好' }, client)).isError).toBeUndefined();
  server.state.workIsHeld = false;
  await first;
  await client.close();
});

test('the methods of HTTP without a use are 405, as the protocol asks', async () => {
  const headers = { 'x-api-key': server.ownerKey, accept: 'text/event-stream' };
  for (const method of ['GET', 'DELETE']) {
    expect((await send(`${server.baseUrl}/mcp`, { method, headers })).status).toBe(405);
  }
  expect((await post('{"jsonrpc":')).status).toBe(400);
});

test.each([
  ['application/json', 'application/json'],
  ['*/*', 'text/event-stream'],
  ['text/event-stream', 'text/event-stream'],
  ['application/json, text/event-stream', 'text/event-stream'],
])('a client that accepts %s is answered with %s', async (accept, type) => {
  const answer = await fetch(`${server.baseUrl}/mcp`, {
    method: 'POST',
    headers: { 'x-api-key': server.ownerKey, 'content-type': 'application/json', accept },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)]);
  expect(await answer.text()).toContain('"transcribe"');
});

test.each([
  [{}, 'text'],
  [{ 'mcp-protocol-version': '2025-03-26' }, 'text'],
  [{ 'mcp-protocol-version': '2025-06-18' }, 'resource_link'],
])('a transcript is linked as the version of the headers %j knows', async (headers, type) => {
  const params = { name: 'transcribe', arguments: { file: RECORDING } };
  const { body } = await post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    { accept: 'application/json', ...headers },
  );
  const { content } = body['result'] as unknown as CallToolResult;
  expect(content.map((part) => part.type)).toEqual(['text', type]);
});

test('what is no message of the protocol is refused in the form of every other refusal', async () => {
  const { status, body } = await post({ jsonrpc: '1.0', id: 1, method: 'x' });
  expect([status, body['error']]).toMatchObject([400, { code: 'invalid_request' }]);
  expect(body['message']).toMatch(/^The message is not one of the protocol: .*\.$/);
});

test('random messages are answered, never with a failure of the server', async () => {
  const random = createRandom(29);
  const failures: unknown[] = [];
  for (let attempt = 0; attempt < 80; attempt += 1) {
    const message = randomMcpMessage(random);
    const { status } = await post(message);
    if (status >= 500) failures.push([status, message]);
  }
  expect(failures).toEqual([]);
});
