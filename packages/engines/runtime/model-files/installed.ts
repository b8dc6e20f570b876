import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Written into a package's folder before the folder gets its final name, so where it stands, everything else stands too. */
export const MANIFEST_FILE = 'installed.json';

/** Names of packages are also folders under MODELS_DIR; nothing else may reach the file system. */
export const PACKAGE_NAME = /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/;

/**
 * Folder of an installed package, or null. Installed means complete: a download or installation that was cut off never shows here.
 * One look at the file system, so engines may ask at every request and find what was pulled or removed meanwhile.
 */
export function installedModelDir(modelsDir: string, name: string): string | null {
  if (!PACKAGE_NAME.test(name)) return null;
  const folder = join(modelsDir, name);
  return existsSync(join(folder, MANIFEST_FILE)) ? folder : null;
}
