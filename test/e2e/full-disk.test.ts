import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountSmallDisk } from '#testbed/servers/small-disk.ts';
import { OWNER_KEY, request, requestIdOf, submission, waitForResult } from '#testbed/service/service.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { startSummaryServer, type SummaryServer } from '#test/summary-server.ts';

type Body = Record<string, unknown> | FormData | Uint8Array;
/** A request of a writing operation; `ids` are those of things that were made before. */
type Row = (ids: Ids) => { path?: string; body?: Body };
type Ids = { record: string; voice: string; corpus: string; account: string; key: string };

const TEXT = '今日天氣好好，我哋一齊去公園行下，食埋晚飯先返屋企。';
const TEXT_JSON = { transcript: TEXT };
const recording = new Uint8Array(wavBytes(await speak(toJyutping(TEXT))));

/** Rows by operation of /openapi.json, all of them but those with GET. */
const ROWS: Readonly<Record<string, Row>> = {
  'POST /': () => ({ body: formOf('data') }),
  'POST /api/stt': () => ({ body: formOf('data', { context: 'new' }) }),
  'POST /v1/audio/transcriptions': () => ({ body: formOf('file', { model: 'auto' }) }),
  'POST /v1/audio/translations': () => ({ body: formOf('file', { model: 'auto' }) }),
  'POST /v1/audio/alignments': () => ({ body: formOf('file', { text: TEXT }) }),
  'POST /elevenlabs/v1/speech-to-text': () => ({ body: formOf('file', { model_id: 'scribe_v1' }) }),
  'POST /asr': () => ({ body: formOf('audio_file') }),
  'POST /detect-language': () => ({ body: formOf('audio_file') }),
  'POST /v1/realtime/client_secrets': () => ({ body: {} }),
  'POST /v1/auth/grant': () => ({ body: {} }),
  'POST /v1/listen': () => ({ body: recording }),
  'POST /v1/speak': () => ({ body: { text: TEXT } }),
  'POST /v2/speak': () => ({ body: { text: TEXT } }),
  'POST /mcp': () => ({
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_corpora', arguments: {} } },
  }),
  'POST /api/score-pronunciation': () => ({ body: formOf('audio', { text: TEXT }) }),
  'POST /api/tts-stream': () => ({ body: { text: TEXT, voice_id: 'jasmine' } }),
  'POST /api/tts': () => ({ body: { text: TEXT, language: 'cantonese', output_extension: 'wav' } }),
  'POST /v1/audio/speech': () => ({ body: { input: TEXT, model: 'auto', voice: 'alloy' } }),
  'POST /v1/text-to-speech/{id}': () => ({ path: '/v1/text-to-speech/jasmine', body: { text: TEXT } }),
  'POST /api/video-summary/summarize-from-url': () => ({ body: { url: 'https://youtu.be/dQw4w9WgXcQ' } }),
  'POST /api/video-summary/list-languages': () => ({ body: { url: 'https://youtu.be/dQw4w9WgXcQ' } }),
  'POST /api/voices': () => ({ body: formOf('sample', { name: 'new', consent: 'true' }) }),
  'POST /api/voices/check': () => ({ body: formOf('sample') }),
  'PATCH /api/speech-to-text/{id}': ({ record }) => ({
    path: `/api/speech-to-text/${record}`,
    body: { title: 'a title', tags: ['one'] },
  }),
  'POST /api/speech-to-text/exports': ({ record }) => ({ body: { ids: [record], format: 'txt' } }),
  'POST /api/speech-to-text/{id}/translations': ({ record }) => ({
    path: `/api/speech-to-text/${record}/translations`,
    body: { language: 'english' },
  }),
  'POST /api/speech-to-text/{id}/summary': ({ record }) => ({
    path: `/api/speech-to-text/${record}/summary`,
    body: {},
  }),
  'POST /api/speech-to-text/{id}/questions': ({ record }) => ({
    path: `/api/speech-to-text/${record}/questions`,
    body: { question: '今日天氣點？' },
  }),
  'POST /api/text/summary': () => ({ body: TEXT_JSON }),
  'POST /api/text/questions': () => ({ body: { ...TEXT_JSON, question: '今日天氣點？' } }),
  'POST /api/corpora': () => ({ body: { name: 'new', entries: [{ text: '蝦餃' }] } }),
  'PUT /api/corpora/{id}': ({ corpus }) => ({
    path: `/api/corpora/${corpus}`,
    body: { name: 'other', entries: [{ text: '燒賣' }] },
  }),
  'POST /api/corpora/check': () => ({ body: { entries: [{ text: '蝦餃' }] } }),
  'POST /api/corpora/{id}/deck': ({ corpus }) => ({ path: `/api/corpora/${corpus}/deck`, body: {} }),
  'POST /api/text-to-jyutping': () => ({ body: { text: TEXT } }),
  'POST /api/webhook-secret/rotate': () => ({}),
  'POST /api/admin/accounts': () => ({ body: { name: 'new', plan: 'free' } }),
  'PATCH /api/admin/accounts/{id}': ({ account }) => ({
    path: `/api/admin/accounts/${account}`,
    body: { blocked: false },
  }),
  'POST /api/admin/accounts/{id}/keys': ({ account }) => ({ path: `/api/admin/accounts/${account}/keys`, body: {} }),
  'POST /api/admin/models/{id}/pull': () => ({ path: '/api/admin/models/zipvoice/pull' }),
  'DELETE /api/speech-to-text/{id}': ({ record }) => ({ path: `/api/speech-to-text/${record}` }),
  'POST /api/speech-to-text/deletions': ({ record }) => ({ body: { ids: [record] } }),
  'DELETE /api/voices/{id}': ({ voice }) => ({ path: `/api/voices/${voice}` }),
  'DELETE /api/corpora/{id}': ({ corpus }) => ({ path: `/api/corpora/${corpus}` }),
  'DELETE /api/admin/keys/{id}': ({ key }) => ({ path: `/api/admin/keys/${key}` }),
  'DELETE /api/admin/accounts/{id}': ({ account }) => ({ path: `/api/admin/accounts/${account}` }),
};

const operations = Object.keys(ROWS);
const isDeletion = (name: string) => name.startsWith('DELETE ') || name.endsWith('/deletions');
const idIn = (part: unknown) => String((part as { id: string }).id);

function formOf(part: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(part, new Blob([recording]), 'recording.wav');
  return form;
}

const disk = await mountSmallDisk(48);

describe.skipIf(disk === null)('on a disk without a free byte', { timeout: 120_000 }, () => {
  const { path: dataDir = '' } = disk ?? {};
  let languageModel: SummaryServer;
  let service: ServiceHere;
  let ids: Ids;

  beforeAll(async () => {
    languageModel = await startSummaryServer();
    service = await startServiceHere(dataDir, {
      DISK_RESERVE_MIB: '4',
      LOG_LEVEL: 'fatal',
      LLM_BASE_URL: languageModel.baseUrl,
      LLM_MODEL: 'made-up',
      MODELS_DIR: join(dataDir, 'models'),
      MODELS_BASE_URL: languageModel.baseUrl,
    });
    ids = await makeThings();
  });
  afterAll(async () => {
    await service.stop();
    await languageModel.close();
    await disk?.[Symbol.asyncDispose]();
  });

  const call = (method: string, path: string, body?: Body) => {
    const isRaw = body === undefined || body instanceof FormData || body instanceof Uint8Array;
    const key = path.startsWith('/elevenlabs/') ? 'xi-api-key' : 'x-api-key';
    const headers = { [key]: OWNER_KEY, ...(isRaw ? {} : { 'content-type': 'application/json' }) };
    const payload = isRaw ? (body as FormData | undefined) : JSON.stringify(body);
    return request(service.baseUrl + path, { method, headers, ...(payload === undefined ? {} : { body: payload }) });
  };
  async function makeThings(): Promise<Ids> {
    const kept = submission(recording, { keep_audio: 'true' });
    const record = requestIdOf(await request(`${service.baseUrl}/api/stt`, kept));
    await waitForResult(service.baseUrl, record);
    const voice = await call('POST', '/api/voices', formOf('sample', { name: 'old', consent: 'true' }));
    const corpus = await call('POST', '/api/corpora', { name: 'old', entries: [{ text: '蝦餃' }] });
    const account = idIn((await call('POST', '/api/admin/accounts', { name: 'old', plan: 'pro' })).body['account']);
    const key = await call('POST', `/api/admin/accounts/${account}/keys`, {});
    const voiceId = String((voice.body['voice'] as { voice_id: string }).voice_id);
    return { record, voice: voiceId, corpus: idIn(corpus.body['corpus']), account, key: idIn(key.body['key']) };
  }
  /** Everything that is listed, and what is used of the quotas. */
  const readAll = async () => {
    const paths = ['corpora', 'voices', 'speech-to-text', 'admin/accounts', 'usage'].map((name) => `/api/${name}`);
    const answers = await Promise.all([...paths, `${recordPath()}.txt`].map((path) => call('GET', path)));
    return answers.map(({ status, body }) => [status, JSON.stringify(body)]);
  };
  const recordPath = () => `/api/speech-to-text/${ids.record}`;
  const send = async (name: string) => {
    await disk!.fill();
    const [method = '', operation = ''] = name.split(' ');
    const { path = operation, body } = ROWS[name]!(ids);
    const answer = await call(method, path, body);
    return { ...answer, code: (answer.body['error'] as { code?: string } | undefined)?.code };
  };

  it('has a row for each operation that may write', async () => {
    const { body } = await call('GET', '/openapi.json');
    const listed = Object.entries(body['paths'] as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.filter((name) => !name.startsWith('GET ')).toSorted()).toEqual(operations.toSorted());
  });

  it('every operation answers or is refused with 503, nothing is half written, and reads go on', async () => {
    let state = await readAll();
    const wrong: unknown[] = [];
    for (const name of operations.filter((operation) => !isDeletion(operation))) {
      const { status, code, headers } = await send(name);
      const isRefused = status === 503 && code === 'service_unavailable' && headers.has('retry-after');
      const now = await readAll();
      const isHalf = isRefused && JSON.stringify(now) !== JSON.stringify(state);
      if ((status !== 200 && !isRefused) || isHalf) wrong.push([name, status, code, now]);
      state = now;
    }
    expect(wrong).toEqual([]);
    expect((await call('GET', `${recordPath()}/audio`)).status).toBe(200);
    const incoming = await readdir(join(dataDir, 'incoming'), { recursive: true, withFileTypes: true });
    expect(incoming.filter((entry) => entry.isFile())).toEqual([]);
  });

  it('what is to be deleted is deleted', async () => {
    const answers = [];
    for (const name of operations.filter(isDeletion)) answers.push([name, (await send(name)).status]);
    expect(answers).toEqual(operations.filter(isDeletion).map((name) => [name, 200]));
    expect((await call('GET', recordPath())).status).toBe(404);
    await disk!.free();
    await expect.poll(async () => (await call('GET', '/health')).status).toBe(200);
  });
});
