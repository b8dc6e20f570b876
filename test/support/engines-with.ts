import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { SHIPPED_ENGINES_DIR } from '#packages/engines/registry.ts';

/** Makes a folder of the shipped engines and one with the packages, which is read before theirs. */
export async function enginesWith(packs: readonly ModelPackage[], folder: string): Promise<string> {
  await mkdir(join(folder, 'made-up'), { recursive: true });
  for (const name of await readdir(SHIPPED_ENGINES_DIR)) {
    await symlink(join(SHIPPED_ENGINES_DIR, name), join(folder, name));
  }
  await writeFile(join(folder, 'made-up/packages.ts'), `export const packages = ${JSON.stringify(packs)};`);
  return folder;
}
