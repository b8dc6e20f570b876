/** Makes the bytes of an invalid HTTP request, such as no client library would send. */
export function malformedRequest(random: () => number, key: string): Buffer {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const junk = (most: number) =>
    Buffer.from(Array.from({ length: Math.floor(random() * most) }, () => Math.floor(random() * 256))).toString(
      'latin1',
    );
  const body = pick(BODIES)(random, junk, key);
  const type = pick(TYPES);
  const keyHeaders =
    random() < 0.5 ? [`X-Api-Key: ${pick([key, 'jyut_wrong', junk(20).replaceAll(/[\r\n]/g, '')])}`] : [];
  const length = random() < 0.8 ? Buffer.byteLength(body, 'latin1') : Math.floor(random() * 400);
  const lines = [
    `${pick(METHODS)} ${pick(PATHS)}${random() < 0.2 ? `?${junk(30).replaceAll(/[\s#]/g, '')}` : ''} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    ...keyHeaders,
    random() < 0.9 ? `Content-Length: ${length}` : 'Transfer-Encoding: chunked',
    ...(random() < 0.1 ? [junk(200)] : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

const METHODS = ['POST', 'POST', 'POST', 'POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'BREW'];
const PATHS = [
  '/',
  '/api/stt',
  '/speech-to-text',
  '/v1/audio/transcriptions',
  '/v1/audio/speech',
  '/v1/audio/translations',
  '/api/tts',
  '/api/tts-stream',
  '/api/score-pronunciation',
  '/api/video-summary/summarize-from-url',
  '/api/video-summary/list-languages',
  '/api/corpora',
  '/api/corpora/tea-houses',
  '/api/voices',
  '/api/voices/check',
  '/api/voices/%00',
  '/api/admin/accounts',
  '/api/admin/accounts/x/keys',
  '/api/speech-to-text/get-result',
  '/api/speech-to-text/x.json',
  '/v1/models/%ff',
  '/nowhere',
  '/health',
  '/openapi.json',
];
const TYPES = [
  null,
  'application/json',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=b',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'multipart/form-data; boundary=""',
  'multipart/mixed; boundary=b',
  'application/x-www-form-urlencoded',
  'text/tab-separated-values',
  'text/plain',
  'audio/wav',
  '///',
];

type MakeBody = (random: () => number, junk: (most: number) => string, key: string) => string;

const part = (head: string, value: string) => `--b\r\n${head}\r\n\r\n${value}\r\n`;
const named = (name: string) => `Content-Disposition: form-data; name="${name}"`;
const BODIES: readonly MakeBody[] = [
  () => '',
  (_, junk) => junk(500),
  (_, junk) => `{"${junk(20)}": ${junk(20)}`,
  (_, _junk, key) => `{"api_key": "${key}", "text": `,
  (_, junk, key) => `{"api_key": "${key}", "text": "${junk(50)}", "voice_id": [], "url": {}, "entries": 7}`,
  (_, junk, key) => `{"api_key": "${key}", "__proto__": {"${junk(5)}": 1}, "text": 1e999, "language": null}`,
  (random) => '['.repeat(Math.floor(random() * 5_000)),
  (random, _junk, key) => `{"api_key": "${key}", "a": [${'{},'.repeat(Math.floor(random() * 20_000))}{}]}`,
  () => '"\\ud800"',
  (_, junk) => part(named('data'), junk(100)),
  (_, junk, key) => `${part(named('api_key'), key)}${part(`${named('data')}; filename="a.wav"`, junk(300))}--b--\r\n`,
  (_, junk, key) => `${part(`${named('audio')}; filename=""`, junk(50))}${part(named('api_key'), key)}--b--\r\n`,
  (_, junk, key) => `${part(named('api_key'), key)}${part(`${named('data')}; filename="a.wav"`, junk(300))}`,
  (_, junk) => `${part(`${junk(30)}: ${junk(30)}`, junk(50))}--b--\r\n`,
  () => `${part(`${named('text')}\r\nContent-Type: application/json`, '{"a":')}--b--\r\n`,
  () => `${part(named('__proto__'), 'x')}${part(named('constructor'), 'x')}--b--\r\n`,
  (random) => `${part(named('f'), 'x').repeat(Math.floor(random() * 60))}--b--\r\n`,
  () => '--b\r\n--b\r\n\r\n--b--',
];
