import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import S3rver, { type Store } from 's3rver';

export const S3_BUCKET = 'recordings';

/** Starts an S3 server with the bucket `S3_BUCKET` that keeps its objects in `folder`. */
export async function startS3(folder: string): Promise<{ port: number; stop(): Promise<void> }> {
  const configureBuckets = [{ name: S3_BUCKET, configs: [] }];
  const s3rver = new S3rver({ directory: folder, silent: true, configureBuckets });
  writeWhole(s3rver.store, folder);
  await s3rver.configureBuckets();
  // s3rver removes an empty folder while another request writes into it, and dies of that.
  const uploads = join(folder, S3_BUCKET, 'uploads');
  await mkdir(uploads, { recursive: true });
  await writeFile(join(uploads, 'kept'), '');
  const server = createServer(s3rver.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Makes writes visible as a whole: s3rver answers before it has written an object, while with S3
 * every later request gets all of it, and an earlier one all of the object before.
 */
function writeWhole(store: Store, folder: string): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const partial = join(folder, randomUUID());
    const hash = createHash('md5');
    let size = 0;
    await pipeline(
      Buffer.isBuffer(content) ? Readable.from([content]) : content,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          size += chunk.length;
          yield chunk;
        }
      },
      createWriteStream(partial),
    );
    const path = store.getResourcePath(bucket, key, 'object');
    await mkdir(dirname(path), { recursive: true });
    await rename(partial, path);
    const md5 = hash.digest('hex');
    await store.putMetadata(bucket, key, metadata, md5);
    return { size, md5 };
  };
}

/** Environment of a service that keeps its blobs behind this address. */
export function s3Environment(endpoint: string): Record<string, string> {
  return {
    S3_BUCKET,
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  };
}
