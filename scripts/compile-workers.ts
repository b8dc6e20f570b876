// Compiles the code of worker processes into the cache of Node.js, unless that is current: `npm
// start` and `npm test` run it. In their sandbox workers can read the cache but not write it, and
// their flags give them another one than that of the service. A process that finds its code there
// takes 0.4 s of the processor less until its first answer.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild } from '#server/workers/pool/start-child.ts';
import { ROOT } from './source-files.ts';

const SOURCES = ['server/{workers,features}/**/*.ts', 'packages/*/**/*.ts'];
const NOT_LOADED = /\.test\.ts$|\.d\.ts$|(?:^|\/)(?:testing|node_modules|dist|client)\//;

/** The modules that worker processes may load, relative to the root of the repository. */
export function workerSources(): string[] {
  return globSync(SOURCES, { cwd: ROOT, exclude: (path) => /(?:^|\/)node_modules$/.test(path) })
    .filter((path) => !NOT_LOADED.test(path))
    .sort();
}

/** Returns whether anything had to be compiled. */
async function compileWorkers(cacheDir: string): Promise<boolean> {
  const stampFile = join(cacheDir, 'workers-compiled-from');
  const stamp = stampOfSources();
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return false;
  const child = startChild({ entry: new URL('./load-worker-code.ts', import.meta.url), niceness: 10 });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status === 0) await writeFile(stampFile, stamp);
  return true;
}

function stampOfSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of workerSources()) {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

if (import.meta.main) {
  const { NODE_COMPILE_CACHE: cacheDir } = process.env;
  // A folder that cannot be written is no reason not to start.
  if (cacheDir) await compileWorkers(cacheDir).catch(() => {});
}
