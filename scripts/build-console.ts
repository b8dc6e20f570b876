// Builds the web console into console/dist, unless it is current: `npm start` runs it. A failure is
// reported and is no reason not to start, because the service works without its console.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build } from 'vite';
import { ROOT } from './source-files.ts';

const CONSOLE = join(ROOT, 'console');
export const CONSOLE_DIST = join(CONSOLE, 'dist');
const STAMP = join(CONSOLE_DIST, '.built-from');
const SOURCES = ['console', 'packages/client', 'package-lock.json'];

/** Returns whether anything had to be built. */
export async function buildConsole(): Promise<boolean> {
  const stamp = await hashSources();
  if ((await readFile(STAMP, 'utf8').catch(() => '')) === stamp) return false;
  await rm(STAMP, { force: true });
  await build({ configFile: join(CONSOLE, 'vite.config.ts') });
  await compress();
  await writeFile(STAMP, stamp);
  return true;
}

/** Writes the gzip form of every file beside it, for browsers that accept it. */
async function compress(): Promise<void> {
  for (const name of await readdir(CONSOLE_DIST, { recursive: true })) {
    if (!/\.(?:html|js|css|svg)$/.test(name)) continue;
    const path = join(CONSOLE_DIST, name);
    await writeFile(`${path}.gz`, await promisify(gzip)(await readFile(path), { level: 9 }));
  }
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const path = join(ROOT, source);
    const names = source.includes('.') ? [''] : await readdir(path, { recursive: true });
    for (const name of names.sort()) {
      if (/(?:^|\/)(?:dist|node_modules)(?:\/|$)|\.test\.ts$/.test(name)) continue;
      const content = await readFile(join(path, name)).catch(() => null);
      if (content !== null) hash.update(`${source}/${name}\n`).update(content);
    }
  }
  return hash.digest('hex');
}

if (import.meta.main) {
  try {
    if (await buildConsole()) process.stderr.write('jyutsing: built the web console\n');
  } catch (failure) {
    process.stderr.write(`jyutsing: the web console could not be built: ${String(failure)}\n`);
  }
}
