import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { send, type Json } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

type Schema = Record<string, unknown>;
/** A value in the document that shows how something looks, and the schema that it must follow. */
type Example = { where: string; value: unknown; schema: Schema };

let server: TestServer;
let document: Json;
let examples: Example[];
beforeAll(async () => {
  server = await startTestServer();
  document = (await send(`${server.baseUrl}/openapi.json`)).body;
  examples = examplesIn(document, 'openapi.json');
});
afterAll(() => server[Symbol.asyncDispose]());

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The examples of every schema, media type and parameter, wherever they are. */
function examplesIn(node: unknown, where: string): Example[] {
  if (Array.isArray(node)) return node.flatMap((child, index) => examplesIn(child, `${where}/${index}`));
  if (!isObject(node)) return [];
  const { example, examples: several, schema } = node;
  const owner = isObject(schema) ? schema : node;
  const listed = Array.isArray(several)
    ? several
    : isObject(several)
      ? Object.values(several).map((entry) => (isObject(entry) ? entry['value'] : entry))
      : [];
  const nodeExamples = [...listed, ...(example === undefined ? [] : [example])];
  return [
    ...nodeExamples.map((value): Example => ({ where, value, schema: owner })),
    ...Object.entries(node)
      .filter(([name]) => name !== 'example' && name !== 'examples')
      .flatMap(([name, value]) => examplesIn(value, `${where}/${name}`)),
  ];
}

/** A validator of a schema of the document; its references point into the components. */
function validator(schema: Schema): z.ZodType {
  const { examples: _, ...bareSchema } = schema;
  const withComponents = { ...bareSchema, $defs: document['components']!['schemas'] };
  const text = JSON.stringify(withComponents).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]);
}

describe('the examples of the documentation', () => {
  it('exist for answers and for requests', () => {
    expect(examples.length).toBeGreaterThanOrEqual(5);
  });

  it('follow their schemas', () => {
    const wrong = examples.flatMap(({ where, value, schema }) => {
      const { error } = validator(schema).safeParse(value);
      return error === undefined ? [] : [`${where}: ${error.message}`];
    });
    expect(wrong).toEqual([]);
  });

  it('would be refused with a field of another type', () => {
    const withScore = examples.find(({ value }) => isObject(value) && typeof value['score'] === 'number');
    expect(withScore).toBeDefined();
    const changed = { ...(withScore!.value as Schema), score: 'high' };
    expect(validator(withScore!.schema).safeParse(changed).success).toBe(false);
  });
});

/** References to all components. */
const names = () =>
  Object.entries(document['components']!)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, components]) => Object.keys(components).map((name) => `#/components/${kind}/${name}`));

describe('the schemas of the documentation', () => {
  it('refer only to components that exist', () => {
    const referred = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
    expect(referred.length).toBeGreaterThan(0);
    expect(referred.filter((reference) => !names().includes(reference))).toEqual([]);
  });

  it('every component is used', () => {
    const text = JSON.stringify(document);
    const unused = names().filter((name) => !text.includes(`"${name}"`));
    // OpenAPI cannot describe the events of a stream; their data is listed for readers.
    expect(unused).toEqual(['#/components/schemas/TranscriptionProgress']);
  });

  it('every operation has a summary, a tag and an answer', () => {
    for (const [path, methods] of Object.entries(document['paths']!)) {
      for (const [method, operation] of Object.entries(methods)) {
        const { summary, tags, responses } = operation as { summary?: string; tags?: string[]; responses: Json };
        expect([path, method, typeof summary, (tags ?? []).length > 0]).toEqual([path, method, 'string', true]);
        expect([path, method, Object.keys(responses).length]).not.toEqual([path, method, 0]);
      }
    }
  });
});
