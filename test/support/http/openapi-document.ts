import { ERROR_CATALOGUE } from '@jyutsing/contracts/errors';
import { send, type Json } from '#testbed/clients/requests.ts';

type Node = { [name: string]: Node };

/**
 * The interface of a server as its document describes it, written out: every path with its aliases,
 * every status of an error, how it takes its key, and no reference but those to schemas of objects.
 */
export async function readDocument(baseUrl: string): Promise<Json> {
  const document = (await send(`${baseUrl}/openapi.json`)).body as unknown as Node;
  const written = writeOut(document, document);
  for (const methods of Object.values(written['paths']!)) {
    for (const [method, operation] of Object.entries(methods)) {
      expandDefault(operation['responses']!);
      operation['security'] ??= written['security']!;
      if (Object.keys(operation['security']).length === 0) delete operation['security'];
      for (const alias of (operation['x-aliases'] ?? []) as unknown as string[]) {
        written['paths']![alias] = { ...written['paths']![alias], [method]: operation } as Node;
      }
    }
  }
  return written as unknown as Json;
}

function writeOut(node: Node, document: Node): Node {
  if (Array.isArray(node)) return node.map((item: Node) => writeOut(item, document)) as unknown as Node;
  if (typeof node !== 'object' || node === null) return node;
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(String(node['$ref'] ?? '')) ?? [];
  const target = document['components']?.[kind]?.[name];
  const isObject = kind === 'schemas' && target !== undefined && 'properties' in target;
  if (target !== undefined && !isObject) return writeOut(target, document);
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, writeOut(child, document)])) as Node;
}

/** The statuses that `default` stands for, from the codes in its description. */
function expandDefault(responses: Node): void {
  const { default: common } = responses;
  if (common === undefined) return;
  delete responses['default'];
  for (const [sentence, code = ''] of String(common['description']).matchAll(/`(\w+)`: [^`]*/g)) {
    const { status } = ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE];
    const earlier = responses[status];
    const isOwn = earlier !== undefined && earlier['isCommon'] === undefined;
    if (isOwn) continue;
    const description = `${earlier === undefined ? '' : String(earlier['description'])}${sentence}`;
    responses[status] = { ...common, description, isCommon: true } as unknown as Node;
  }
}
