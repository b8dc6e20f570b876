import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDocument } from '#test/http/openapi-document.ts';
import { form, json, send, wav, type Answer, type Json } from '#testbed/clients/requests.ts';
import { scoreWell } from '#test/http/score-well.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { openLive } from '#testbed/clients/live-client.ts';
import { createTestVideos, ID } from '#test/http/video-summary.ts';

const CANTONESE = ['yue', 'zh-HK', 'ZH-hk', 'zh_HK', 'zh-yue', 'yue-Hant-HK', 'cantonese', 'Cantonese'];

type Values = Record<string, unknown>;
/** How a request to an endpoint is sent: as a form, as JSON, or as a file with a query. */
type Kind = 'form' | 'json' | 'query';
type Endpoint = { kind: Kind; request: string; values: () => Values; fields: readonly string[] };

const LANGUAGE = ['language', 'lang'];
const TSV = '蝦餃\thaa1 gaau2\n';
const submission = () => ({ data: wav(1.5) });
const score = () => ({ audio: wav(1.5), text: '好' });
const spoken = () => ({ text: '早晨' });
const corpus = (entries: object) => () => ({ name: '茶樓', ...entries });
const listed = corpus({ entries: [{ text: '蝦餃' }] });
const uploaded = corpus({ data: new TextEncoder().encode(TSV) });
const video = () => ({ url: ID, transcript: '大家好，今日我哋一齊去大嶼山。' });

const endpoints = (kind: Kind, requests: string[], values: () => Values, fields = LANGUAGE): Endpoint[] =>
  requests.map((request) => ({ kind, request, values, fields }));

/** Every request with a language, its other values, and the fields for the language. */
const ENDPOINTS: Endpoint[] = [
  ...endpoints(
    'form',
    ['POST /', 'POST /speech-to-text', 'POST /v1/speech-to-text', 'POST /stt', 'POST /api/stt', 'POST /v1/stt'],
    submission,
  ),
  ...endpoints('form', ['POST /v1/audio/transcriptions'], () => ({ file: wav(1.5) }), [
    ...LANGUAGE,
    'languages[]',
    'languages',
  ]),
  ...endpoints('form', ['POST /v1/audio/alignments', 'POST /api/align'], () => ({ file: wav(1.5), text: '好' }), [
    'language',
  ]),
  ...endpoints('form', ['POST /api/score-pronunciation', 'POST /api/learn-cantonese/score-pronunciation'], score),
  ...endpoints('form', ['POST /score-pronunciation', 'POST /api/score'], score),
  ...endpoints('json', ['POST /api/tts', 'POST /tts', 'POST /v1/tts', 'POST /v1/text-to-speech'], spoken),
  ...endpoints('json', ['POST /api/tts-stream'], () => ({ text: '早晨', voice_id: 'jasmine' })),
  ...endpoints('json', ['POST /v1/audio/speech'], () => ({ input: '早晨' })),
  ...endpoints('form', ['POST /api/voices'], () => ({ name: '阿明', consent: 'true', sample: wav(4) })),
  ...endpoints('json', ['POST /api/corpora', 'PUT /api/corpora/{id}'], listed),
  ...endpoints('form', ['POST /api/corpora', 'PUT /api/corpora/{id}'], uploaded),
  ...endpoints('query', ['POST /api/corpora', 'PUT /api/corpora/{id}'], corpus({})),
  ...endpoints('json', ['POST /api/video-summary/summarize-from-url'], video, ['summaryLanguage']),
  ...endpoints('json', ['POST /api/youtube-summary/summarize-from-url'], video, ['summaryLanguage']),
];

let server: TestServer;
let document: Json;
let corpusId: string;
beforeAll(async () => {
  server = await startTestServer({ scorePronunciation: scoreWell, videoSummarizer: createTestVideos() });
  document = await readDocument(server.baseUrl);
  corpusId = String((await call(endpoint('json', 'POST /api/corpora'), {})).body['corpus']?.['id']);
});
afterAll(() => server[Symbol.asyncDispose]());

function endpoint(kind: Kind, request: string): Endpoint {
  return { kind, request, values: listed, fields: [] };
}

async function call({ kind, request, values }: Endpoint, changes: Values): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  const url = server.baseUrl + path.replace('{id}', corpusId);
  const fields = { ...values(), ...changes };
  if (kind === 'json') return send(url, json(method, fields, server.ownerKey));
  if (kind === 'form') {
    const parts = Object.entries(fields) as [string, string | Uint8Array<ArrayBuffer>][];
    return send(url, { ...form(['api_key', server.ownerKey], ...parts), method });
  }
  const headers = { 'x-api-key': server.ownerKey, 'content-type': 'text/tab-separated-values' };
  return send(`${url}?${new URLSearchParams(fields as Record<string, string>)}`, { method, headers, body: TSV });
}

/** The language that an answer repeats; null for one that does not. */
function languageOf({ body }: Answer): string | null {
  const languages = [body, body['voice'], body['corpus']].flatMap(
    (part) => part?.['language'] ?? part?.['summaryLanguage'] ?? [],
  );
  return languages[0] === undefined ? null : String(languages[0]);
}

const KINDS = { 'application/json': 'json', 'multipart/form-data': 'form' } as const;

/** Whether a field is for a language; captions are chosen by their own names. */
const isForLanguage = (name: string) => /^(?:lang|languages?(?:\[\])?|summaryLanguage)$/.test(name);

/** The fields for a language in the OpenAPI document, as `<kind> <request> <field>`. */
function documentedFields(): string[] {
  const found: string[] = [];
  for (const [path, operations] of Object.entries(document['paths'] ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      const add = (kind: Kind, names: string[]) =>
        found.push(...names.filter(isForLanguage).map((name) => `${kind} ${method.toUpperCase()} ${path} ${name}`));
      for (const [type, kind] of Object.entries(KINDS)) {
        add(
          kind,
          Object.keys(schemaOf(operation['requestBody']?.['content']?.[type]?.['schema'])?.['properties'] ?? {}),
        );
      }
      const parameters = (operation['parameters'] ?? []) as unknown as Json[];
      add(
        'query',
        parameters.filter((one) => String(one['in']) === 'query').map((one) => String(one['name'])),
      );
    }
  }
  return found;
}

function schemaOf(schema: Json | undefined): Json | undefined {
  const reference = schema?.['$ref'];
  return reference === undefined
    ? schema
    : document['components']?.['schemas']?.[String(reference).split('/').at(-1) ?? ''];
}

/** The recording of a translation has the fields of a transcription. */
const TRANSLATED = ['form POST /v1/audio/translations language', 'form POST /v1/audio/translations languages[]'];
/** A WebSocket, and queries beside a recording. They are tested by themselves. */
const LISTENING = ['query POST /asr language', 'query POST /v1/listen language', 'query GET /v1/listen language'];
/** Languages that a text is translated to, and those of an answer of a language model. */
const WRITTEN = [
  ...['json', 'txt', 'srt', 'vtt', 'md', 'docx', 'apkg'].map(
    (format) => `query GET /api/speech-to-text/{id}.${format}`,
  ),
  ...['translations', 'summary', 'questions'].map((part) => `json POST /api/speech-to-text/{id}/${part}`),
  ...['summary', 'questions'].map((part) => `json POST /api/text/${part}`),
].map((request) => `${request} language`);
const OTHERS = [...TRANSLATED, ...LISTENING, ...WRITTEN];
const listenIn = async (language: string) => {
  const query = new URLSearchParams({ language, encoding: 'linear16', sample_rate: '16000' });
  const client = await openLive(server.baseUrl, `/v1/listen?${query}`, { key: server.ownerKey });
  client.socket.terminate();
};

const transcribeIn = (path: string, language: string) =>
  fetch(`${server.baseUrl}${path}?${new URLSearchParams({ language })}`, {
    ...(path === '/asr' ? form(['audio_file', wav(1)]) : { method: 'POST', body: wav(1) }),
    headers: { 'x-api-key': server.ownerKey },
  });

describe('every field for a language of the OpenAPI document', () => {
  it('is in the table of this test', () => {
    const tested = ENDPOINTS.flatMap(({ kind, request, fields }) =>
      fields.map((field) => `${kind} ${request} ${field}`),
    );
    const documented = documentedFields();
    expect(documented.length).toBeGreaterThan(20);
    expect(documented.filter((field) => !tested.includes(field))).toEqual(OTHERS);
    const requests = new Set(documented.map((field) => field.replace(/ [^ ]+$/, '')));
    expect(ENDPOINTS.map(({ kind, request }) => `${kind} ${request}`).filter((one) => !requests.has(one))).toEqual([]);
  });

  it.each(ENDPOINTS)('$request as $kind takes Cantonese by every name', async (endpoint) => {
    const wrong: string[] = [];
    for (const field of endpoint.fields) {
      for (const name of CANTONESE) {
        const answer = await call(endpoint, { [field]: name });
        const answered = languageOf(answer) ?? 'cantonese';
        if (answer.status !== 200 || answered !== 'cantonese') {
          wrong.push(`${field}=${name}: ${answer.status} ${answered} ${String(answer.body['message'])}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(ENDPOINTS)('$request as $kind refuses what is no language', async (endpoint) => {
    for (const field of endpoint.fields) {
      const { status, body } = await call(endpoint, { [field]: 'klingon' });
      expect([field, status, String(body['message'])]).toEqual([
        field,
        expect.toSatisfy((code: number) => code === 400 || code === 422),
        expect.stringMatching(/cantonese/i),
      ]);
    }
  });

  it('GET /v1/listen takes Cantonese by every name, and refuses what is no language', async () => {
    for (const name of CANTONESE) await listenIn(name);
    await expect(listenIn('klingon')).rejects.toThrow('422');
  });

  it.each(['/v1/listen', '/asr'])(
    'POST %s takes Cantonese by every name, and refuses what is no language',
    async (path) => {
      for (const name of CANTONESE) expect([name, (await transcribeIn(path, name)).status]).toEqual([name, 200]);
      expect((await transcribeIn(path, 'klingon')).status).toBe(422);
    },
  );
});
