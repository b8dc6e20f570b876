/** The S3 server of the tests, which has no types; declares only what is used. */
declare module 's3rver' {
  import type { RequestListener } from 'node:http';
  import type { Readable } from 'node:stream';

  type S3Object = { bucket: string; key: string; content: Buffer | Readable; metadata: Record<string, string> };

  /** Keeps the objects in files. */
  export type Store = {
    getResourcePath(bucket: string, key: string, resource: 'object'): string;
    putObject(object: S3Object): Promise<{ size: number; md5: string }>;
    putMetadata(bucket: string, key: string, metadata: S3Object['metadata'], md5: string): Promise<void>;
  };

  export default class S3rver {
    readonly store: Store;
    constructor(options: {
      directory: string;
      silent: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    configureBuckets(): Promise<void>;
    callback(): RequestListener;
  }
}
