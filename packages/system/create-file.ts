import type { WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * The stream that writes a new file. The file is created before, because a stream that is destroyed
 * while it opens its file may create it after its failure was reported and the file was deleted.
 * `mode`: its permissions. `flush`: the content is on the disk when the stream closes. Throws
 * `EEXIST` for a file that is there, and what else the file system throws.
 */
export async function createFile(path: string, { mode = 0o666, flush = false } = {}): Promise<WriteStream> {
  return (await open(path, 'wx', mode)).createWriteStream({ flush });
}
