import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nanoBundleFiles } from './bundle-files.ts';

// Writes the small bundle to the folder that the command line names.
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: write-bundle.ts FOLDER');
for (const [path, content] of Object.entries(nanoBundleFiles())) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}
