import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import { OWNER_KEY, request, startService, temporaryFolder, type Service } from '#testbed/service/service.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: Service;
let recognizer: Awaited<ReturnType<typeof startRecognizer>>;
let trusted: Server;
let untrusted: Server;

beforeAll(async () => {
  folder = await temporaryFolder();
  const recording = wavBytes(await speak(toJyutping('今日天氣好好')));
  const certificate = join(folder.path, 'certificate.pem');
  const [ownCertificate, other] = [await certificateOf('localhost'), await certificateOf('localhost')];
  await writeFile(certificate, ownCertificate.cert);
  [trusted, untrusted] = await Promise.all([serve(ownCertificate, recording), serve(other, recording)]);
  recognizer = await startRecognizer();
  service = await startService(join(folder.path, 'data'), {
    ...recognizer.settings,
    WORKERS: '1',
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    NODE_EXTRA_CA_CERTS: certificate,
  });
});

afterAll(async () => {
  await service.stop();
  await recognizer.close();
  for (const server of [trusted, untrusted]) server.close();
  await folder[Symbol.asyncDispose]();
});

type Certificate = { private: string; cert: string };

function certificateOf(host: string): Promise<Certificate> {
  return generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
  });
}

async function serve({ private: key, cert }: Certificate, body: Uint8Array): Promise<Server> {
  const server = createServer({ key, cert }, (_request, response) => response.end(body));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return server;
}

function transcribe(server: Server, host = 'localhost') {
  const body = new FormData();
  body.append('api_key', OWNER_KEY);
  body.append('data_url', `https://${host}:${(server.address() as AddressInfo).port}/recording.wav`);
  return request(`${service.baseUrl}/speech-to-text`, { method: 'POST', body });
}

it('a recording is downloaded over https and transcribed', async () => {
  const { status, body } = await transcribe(trusted);
  expect([status, body['text']]).toEqual([200, expect.stringMatching(/\p{Script=Han}/u)]);
});

it.each([
  ['whose certificate is not trusted', () => transcribe(untrusted)],
  ['whose certificate is for another name', () => transcribe(trusted, '127.0.0.1')],
])('no recording is downloaded from a server %s', async (_, answer) => {
  const { status, body } = await answer();
  expect([status, body['error']]).toMatchObject([422, { code: 'invalid_parameter' }]);
  expect(body['message']).toBe('The address in the field "data_url" cannot be reached.');
});
