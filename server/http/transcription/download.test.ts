import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { form, send, wav, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let open: TestServer;
let guarded: TestServer;
let files: Server;
let answer: RequestListener = (_request, response) => response.end();
beforeAll(async () => {
  open = await startTestServer({ webhooksAllowPrivate: true, maxUploadBytes: 1024 ** 2 });
  guarded = await startTestServer();
  files = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await guarded[Symbol.asyncDispose]();
  files.closeAllConnections();
  files.close();
});

const address = () => `http://127.0.0.1:${(files.address() as AddressInfo).port}/recording.wav`;
const submit = (data_url: string, at = open, path = '/speech-to-text') =>
  send(at.baseUrl + path, form(['api_key', at.ownerKey], ['data_url', data_url]));
const code = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];

describe('data_url', () => {
  test('is downloaded and transcribed, and its file is not left in the folder of uploads', async () => {
    answer = (_request, response) => response.end(wav(1.5));
    const { status, body } = await submit(address());
    expect([status, String(body['text']), body['duration']]).toEqual([200, '早晨 你好媽', '1.500000']);
    const submitted = await submit(address(), open, '/api/stt');
    expect(submitted.body).toMatchObject({ success: true, data: { status: 'processing' } });
    expect(await open.incoming()).toEqual([]);
  });

  test.each<[string, RequestListener, number, string]>([
    ['not found', (_, response) => response.writeHead(404).end(), 422, 'invalid_parameter'],
    [
      'a redirect',
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
      422,
      'invalid_parameter',
    ],
    ['no sound', (_, response) => response.end('<html></html>'), 415, 'unsupported_audio_format'],
    ['an empty file', (_, response) => response.end(), 422, 'empty_audio'],
    ['a file that is too large', (_, response) => response.end(wav(60)), 413, 'payload_too_large'],
    ['a broken connection', (_, response) => response.destroy(), 422, 'invalid_parameter'],
    [
      'half a file',
      (_, response) => {
        response.writeHead(200, { 'content-length': '5000' }).write('RIFF', () => response.destroy());
      },
      422,
      'invalid_parameter',
    ],
  ])('leads to %s', async (_what, listener, status, error) => {
    answer = listener;
    expect(code(await submit(address()))).toEqual([status, error]);
    expect(await open.incoming()).toEqual([]);
  });

  test.each([
    'http://example.com/a.wav',
    'https://127.0.0.1/a.wav',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/a.wav',
    'https://user:secret@example.com/a.wav',
    'file:///etc/passwd',
    'data:audio/wav;base64,UklGRg==',
    'a.wav',
  ])('%s is refused as for callbacks', async (url) => {
    const refused = await submit(url, guarded);
    expect(code(refused)).toEqual([422, 'invalid_parameter']);
    expect(String(refused.body['message'])).toContain('"data_url"');
  });

  test('cannot be sent beside a file, and an empty one is none', async () => {
    const both = form(['api_key', open.ownerKey], ['data_url', address()], ['data', wav(1.5)]);
    expect(code(await send(`${open.baseUrl}/api/stt`, both))).toEqual([400, 'invalid_request']);
    expect(code(await submit(''))).toEqual([400, 'missing_file']);
    const empty = form(['api_key', open.ownerKey], ['data_url', ' '], ['data', wav(1.5)]);
    expect((await send(`${open.baseUrl}/api/stt`, empty)).status).toBe(200);
  });
});
