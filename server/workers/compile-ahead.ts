import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '@jyutsing/contracts/errors';
import { COMPILE_WITHIN_MS } from './compile-limit.ts';
import { launch, type Confinement } from './confinement.ts';
import { startWorkerProcess } from './pool/worker-process.ts';
import { compileModules } from './tasks/compile-modules.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The folders of all that tasks import, much of it only when it is called. */
const FOLDERS = [
  'server/features',
  'server/telemetry',
  'server/workers',
  ...['audio', 'concurrency', 'contracts', 'engines', 'numeric', 'system', 'text'].map((name) => `packages/${name}`),
];
const MEMORY_LIMIT_BYTES = 1024 ** 3;
const EXCLUDED = /\.test\.ts$|[\\/]testing[\\/]|worker-main\.ts$/;

/**
 * Compiles the modules of worker processes into the folder in which Node keeps compiled modules
 * (NODE_COMPILE_CACHE), unless the same files were compiled before. Workers read that folder, but
 * the sandbox keeps them from writing there: each would strip the types of every module anew, which
 * takes a third of a second and 11 MiB. One worker that may write there, and sees no input, does it
 * for all: those of `folders` of the repository. Throws what its process throws.
 */
export async function compileAhead(
  confinement: Confinement,
  { entry = new URL('./worker-main.ts', import.meta.url), folders = FOLDERS } = {},
): Promise<void> {
  const folder = confinement.environment.sealed['NODE_COMPILE_CACHE'];
  if (folder === undefined) return;
  // In the sandbox the user is another one, for whom Node has a folder of its own.
  const stampPath = join(folder, confinement.sandbox === null ? 'workers.sha256' : 'confined-workers.sha256');
  const { modules, stamp } = findModules(folders);
  if ((await readFile(stampPath, 'utf8').catch(() => '')) === stamp) return;
  // It exists already, unless Node could not make it.
  await mkdir(folder, { recursive: true });
  await compile(modules, entry, {
    ...confinement,
    sandbox: confinement.sandbox && { ...confinement.sandbox, writable: folder },
  });
  await writeFile(stampPath, stamp);
}

async function compile(modules: readonly string[], entry: URL, confinement: Confinement): Promise<void> {
  const worker = startWorkerProcess({
    ...launch(confinement, false),
    entry,
    niceness: constants.priority.PRIORITY_LOW,
    settings: {},
    memoryLimitBytes: MEMORY_LIMIT_BYTES,
    startTimeoutMs: COMPILE_WITHIN_MS,
  });
  try {
    await worker.ready;
    const payload = { type: 'run', input: modules, traceparent: null };
    const limits = { timeLimitMs: COMPILE_WITHIN_MS, silenceTimeoutMs: COMPILE_WITHIN_MS };
    await Array.fromAsync(worker.begin({ kind: compileModules.name, payload }, limits).events);
  } finally {
    await worker.stop(new AppError('service_unavailable'));
  }
}

/** The modules, and a digest that differs as soon as one of them does. */
function findModules(folders: readonly string[]): { modules: string[]; stamp: string } {
  const paths = folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !EXCLUDED.test(path))
        .map((path) => join(ROOT, folder, path)),
    )
    .toSorted();
  const hash = createHash('sha256').update(process.version);
  for (const path of paths) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`\n${path} ${size} ${mtimeMs}`);
  }
  return { modules: paths.map((path) => pathToFileURL(path).href), stamp: hash.digest('hex') };
}
