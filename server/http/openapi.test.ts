import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send, type Json } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
let document: Json;
beforeAll(async () => {
  server = await startTestServer();
  document = (await send(`${server.baseUrl}/openapi.json`)).body;
});
afterAll(() => server[Symbol.asyncDispose]());

const operations = () => Object.values(document['paths']!).flatMap((methods) => Object.values(methods) as Json[]);

describe('/openapi.json for generated clients', () => {
  it('is small: shared parts are components', () => {
    const bytes = Buffer.byteLength(JSON.stringify(document));
    expect(bytes / operations().length).toBeLessThanOrEqual(2_200);
  });

  it('gives each operation a name of its own, once', () => {
    const names = operations().map((operation) => String(operation['operationId']));
    expect(names.filter((name) => !/^[a-z][a-zA-Z]+$/.test(name))).toEqual([]);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('lists other paths of an operation beside it, and not as operations', () => {
    const { paths } = document;
    expect(paths!['/api/tts']!['post']!['x-aliases']).toEqual(['/tts', '/v1/tts', '/v1/text-to-speech']);
    expect(Object.keys(paths!)).not.toContain('/v1/tts');
  });

  it('has one error body, and the errors of every request in one answer', () => {
    const { responses } = document['paths']!['/api/usage']!['get']!;
    expect(Object.keys(responses!)).toEqual(['200', 'default']);
    expect(responses!['default']).toEqual({ $ref: '#/components/responses/Error' });
    const { content, description } = document['components']!['responses']!['Error']!;
    expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } });
    for (const code of ['invalid_request', 'invalid_api_key', 'payload_too_large'])
      expect(String(description)).toContain(`\`${code}\``);
  });

  it('names what several schemas share, and says once how most operations take their key', () => {
    const { schemas } = document['components']!;
    expect(schemas!['Speakers']).toMatchObject({ type: 'integer', maximum: 60 });
    for (const path of ['/', '/api/stt']) {
      const form = document['paths']![path]!['post']!['requestBody']!['content']!['multipart/form-data']!;
      expect(form['schema']!['properties']!['speakers']).toEqual({ $ref: '#/components/schemas/Speakers' });
    }
    expect(document['security']).toEqual([{ apiKeyHeader: [] }, { bearer: [] }]);
    expect(document['paths']!['/api/usage']!['get']).not.toHaveProperty('security');
    expect(document['paths']!['/health']!['get']!['security']).toEqual([]);
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.filter(([, kind = '', name = '']) => !(name in document['components']![kind]!))).toEqual([]);
  });

  it('allows answers to get more fields, and states formats without patterns', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('"additionalProperties":false');
    expect(text).toContain('"format":"date-time"');
    expect(text).not.toMatch(/"format":"[a-z-]+","pattern"/);
  });
});
