import type { WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Opens a stream that writes a new file. The file is created first, because a stream that is
 * destroyed while it opens its file may create it after its failure was reported and the file was
 * deleted. `mode`: the permissions. `flush`: the content is on the disk when the stream closes.
 * Throws `EEXIST` for a file that exists, and every other error of the file system.
 */
export async function createFile(path: string, { mode = 0o666, flush = false } = {}): Promise<WriteStream> {
  return (await open(path, 'wx', mode)).createWriteStream({ flush });
}
