import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import S3rver from 's3rver';

export const S3_BUCKET = 'recordings';

/** Starts an S3 server with the bucket `S3_BUCKET` that keeps its objects in `folder`. */
export async function startS3(folder: string): Promise<{ port: number; stop(): Promise<void> }> {
  const configureBuckets = [{ name: S3_BUCKET, configs: [] }];
  const s3rver = new S3rver({ directory: folder, silent: true, configureBuckets });
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

/** Environment of a service that keeps its blobs behind this address. */
export function s3Environment(endpoint: string): Record<string, string> {
  return {
    S3_BUCKET,
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  };
}
