import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a whole file or leaves the one that was there: no reader, and no later run after an
 * interruption, finds a part of it. Of simultaneous calls the last one wins. `mode`: permissions.
 */
export async function replaceFile(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(unfinished, content, { mode });
    await rename(unfinished, path);
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw thrown;
  }
}
