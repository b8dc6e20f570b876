import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Name of the file that is written before a package's folder gets its final name, so its presence
 * means a complete package.
 */
export const MANIFEST_FILE = 'installed.json';

/**
 * Pattern of package names, which are also folders under MODELS_DIR: other characters could escape
 * from it.
 */
export const PACKAGE_NAME = /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/;

/**
 * Returns the folder of a completely installed package, or null. Checks a single file, so engines
 * can call this for every request and notice packages that were pulled or removed meanwhile.
 */
export function installedModelDir(modelsDir: string, name: string): string | null {
  if (!PACKAGE_NAME.test(name)) return null;
  const folder = join(modelsDir, name);
  return existsSync(join(folder, MANIFEST_FILE)) ? folder : null;
}
