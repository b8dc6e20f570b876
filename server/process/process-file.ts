import { lstat, readFile, utimes } from 'node:fs/promises';
import { z } from 'zod';
import { isGone, isHere, thisProcess } from '@jyutsing/system/process-host';
import { replaceFile } from '@jyutsing/system/replace-file';

/** Which process has written a file of DATA_DIR; such files may say more. */
export const ProcessFile = z.object({ host: z.string(), pid: z.int().positive() });

/**
 * Returns the content that a process has written to a file, and whether that process has ended
 * (null: it runs on another machine and cannot be checked). Returns null when there is no such file
 * or its content is malformed.
 */
export async function readProcessFile<Content extends z.infer<typeof ProcessFile>>(
  path: string,
  schema: z.ZodType<Content>,
): Promise<(Content & { hasEnded: boolean | null }) | null> {
  try {
    const found = await lstat(path);
    // Reading a pipe would never end.
    if (!found.isFile()) return null;
    const content = schema.parse(JSON.parse(await readFile(path, 'utf8')));
    return { ...content, hasEnded: isHere(content) ? isGone(content, Date.now() - found.mtimeMs) : null };
  } catch {
    return null;
  }
}

/** Writes the file of this process, at once, for its user only. */
export async function writeProcessFile(path: string, more: object = {}): Promise<void> {
  await replaceFile(path, JSON.stringify({ ...thisProcess(), ...more }), { mode: 0o600 });
  // By the clock of this machine; that of a network folder may differ.
  await utimes(path, new Date(), new Date());
}
