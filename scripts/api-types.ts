// `npm run api-types`: writes packages/client/api.ts, the types of the interface, from the OpenAPI
// document of the server. `--check` only compares, and fails when they differ.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { startService, temporaryFolder } from '#testbed/service/service.ts';
import style from '../.oxfmtrc.json' with { type: 'json' };
import { ROOT } from './source-files.ts';

export const API_TYPES = join(ROOT, 'packages/client/api.ts');
const GENERATOR = join(ROOT, 'packages/client/node_modules/openapi-typescript/bin/cli.js');

/**
 * Generates the types of an OpenAPI document. Throws what the validator says about a document that
 * is not valid.
 */
export async function generateApiTypes(document: string): Promise<string> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'openapi.json');
  const output = join(folder.path, 'api.ts');
  await writeFile(path, JSON.stringify(withoutPlans(JSON.parse(document))));
  const made = spawnSync(process.execPath, [GENERATOR, path, '--output', output, '--export-type'], {
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(made.stderr + made.stdout);
  const text = await readFile(output, 'utf8');
  return (await format(API_TYPES, text, style)).code;
}

/** The plans are those of one service, and a client may be used with any. */
function withoutPlans(document: { components?: { schemas?: Record<string, unknown> } }): object {
  const { PlanField: _plans, ...schemas } = document.components?.schemas ?? {};
  const open = { ...document, components: { ...document.components, schemas } };
  return JSON.parse(JSON.stringify(open), (name, value: unknown) =>
    name === 'plan' ? asText(value) : value,
  ) as object;
}

function asText(schema: unknown): unknown {
  const isChoice = typeof schema === 'object' && schema !== null && ('enum' in schema || '$ref' in schema);
  return isChoice ? { type: 'string' } : schema;
}

/** Reads the document from a service in a process of its own. */
async function readDocument(): Promise<string> {
  await using folder = await temporaryFolder();
  const service = await startService(join(folder.path, 'data'));
  try {
    return await (await fetch(`${service.baseUrl}/openapi.json`)).text();
  } finally {
    await service.stop();
  }
}

if (import.meta.main) {
  const types = await generateApiTypes(await readDocument());
  const isCurrent = types === (await readFile(API_TYPES, 'utf8').catch(() => ''));
  if (!process.argv.includes('--check')) await writeFile(API_TYPES, types);
  else if (!isCurrent) console.error('packages/client/api.ts is not current; run `npm run api-types`.');
  process.exit(isCurrent || !process.argv.includes('--check') ? 0 : 1);
}
