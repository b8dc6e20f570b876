import { expect, it } from 'vitest';
import type { Scope } from '@jyutsing/contracts/accounts';
import { startTestServer } from '#test/http/start-server.ts';

const SCOPES: readonly Scope[] = ['stt', 'tts', 'pronunciation', 'video', 'admin'];
/** The scope of each path by what it begins with, the first that fits; null: every key. */
const SCOPE_OF: readonly (readonly [start: string, scope: Scope | null])[] = [
  ['GET / ', null],
  ['GET /health ', null],
  ['GET /metrics ', null],
  ['GET /api/usage ', null],
  ['GET /api/jyutping ', null],
  ['POST /api/text-to-jyutping ', null],
  ['POST /text-to-jyutping ', null],
  ['GET /v1/models', null],
  ['GET /elevenlabs/v1/models ', null],
  ['GET /v1/projects', null],
  ['GET /v1/audio/', null],
  // Each tool needs a scope of its own; see `mcp/route.test.ts`.
  ['POST /mcp ', null],
  ['* /api/admin/', 'admin'],
  ['POST /api/score', 'pronunciation'],
  ['POST /score-pronunciation ', 'pronunciation'],
  ['POST /api/learn-cantonese/', 'pronunciation'],
  ['* /api/video-summary/', 'video'],
  ['* /api/youtube-summary/', 'video'],
  ['* /api/voices', 'tts'],
  ['* /api/tts', 'tts'],
  ['POST /api/corpora/{id}/deck ', 'tts'],
  ['POST /tts ', 'tts'],
  ['POST /v1/tts ', 'tts'],
  ['POST /v1/text-to-speech', 'tts'],
  ['POST /v1/audio/speech ', 'tts'],
  ['* /v1/speak ', 'tts'],
  ['* /v2/speak ', 'tts'],
  ['* /', 'stt'],
];
const ID = '3428699a-394b-4b9a-af24-bc0cf93c3e5f';

type Paths = Record<string, Record<string, { 'x-aliases'?: string[] }>>;

it('each operation takes keys of its scope alone, WebSockets and the doors of other programs too', async () => {
  await using server = await startTestServer();
  const document = (await (await fetch(`${server.baseUrl}/openapi.json`)).json()) as { paths: Paths };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { 'x-aliases': aliases = [] }]) =>
      [path, ...aliases].map((alias) => [method.toUpperCase(), alias] as const),
    ),
  );
  const wrong: string[] = [];
  for (const scope of SCOPES) {
    const { key } = await server.newAccount('pro', [scope]);
    for (const [method, path] of operations) {
      const needed = SCOPE_OF.find(([start]) => [method, '*'].some((name) => `${name} ${path} `.startsWith(start)))![1];
      const header = path.startsWith('/elevenlabs/') ? 'xi-api-key' : 'x-api-key';
      const hasBody = method !== 'GET' && method !== 'DELETE';
      const answer = await fetch(server.baseUrl + path.replaceAll('{id}', ID), {
        method,
        headers: { [header]: key, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
        ...(hasBody ? { body: '{}' } : {}),
      });
      const isRefused = (await answer.text()).includes('"insufficient_scope"');
      if (answer.status === 401 || isRefused !== (needed !== null && needed !== scope)) {
        wrong.push(`${method} ${path} with ${scope}: ${answer.status}, needs ${String(needed)}`);
      }
    }
  }
  expect(operations.length).toBeGreaterThan(90);
  expect(wrong).toEqual([]);
});
