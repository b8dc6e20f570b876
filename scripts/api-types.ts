// `npm run api-types`: writes packages/client/api.ts, the types of the interface, from the OpenAPI
// document of the server. `--check` only compares, and fails when they differ.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { startTestServer } from '#test/http/start-server.ts';
import { ROOT } from './source-files.ts';

export const API_TYPES = join(ROOT, 'packages/client/api.ts');
const GENERATOR = join(ROOT, 'packages/client/node_modules/openapi-typescript/bin/cli.js');

/**
 * The types as they should be. Throws what the validator says about a document that is not valid.
 */
export async function generateApiTypes(): Promise<string> {
  await using server = await startTestServer();
  const document = await (await fetch(`${server.baseUrl}/openapi.json`)).text();
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-api-'));
  try {
    const path = join(folder, 'openapi.json');
    const output = join(folder, 'api.ts');
    await writeFile(path, document);
    const made = spawnSync(process.execPath, [GENERATOR, path, '--output', output, '--export-type'], {
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(made.stderr + made.stdout);
    const text = await readFile(output, 'utf8');
    return await format(text, { ...(await resolveConfig(API_TYPES)), parser: 'typescript' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const types = await generateApiTypes();
  const isCurrent = types === (await readFile(API_TYPES, 'utf8').catch(() => ''));
  if (!process.argv.includes('--check')) await writeFile(API_TYPES, types);
  else if (!isCurrent) console.error('packages/client/api.ts is not current; run `npm run api-types`.');
  process.exit(isCurrent || !process.argv.includes('--check') ? 0 : 1);
}
