// Loads everything that worker processes may load, so that Node.js keeps it compiled: started by
// compile-workers.ts.
import { existsSync, symlinkSync } from 'node:fs';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { basename, join } from 'node:path';
import { workerSources } from './compile-workers.ts';
import { ROOT } from './source-files.ts';

for (const source of workerSources()) {
  // A module that cannot be loaded on this machine is not compiled.
  await import(join(ROOT, source)).catch(() => {});
}
flushCompileCache();
const folder = getCompileCacheDir();
// The name ends in the id of the user, which is 0 in the sandbox.
const folderInSandbox = folder?.replace(/-\d+$/, '-0');
if (folder && folderInSandbox && !existsSync(folderInSandbox)) symlinkSync(basename(folder), folderInSandbox);
process.exit(0);
