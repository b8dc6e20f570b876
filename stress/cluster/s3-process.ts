import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts the S3 server in a process of its own, so that uploads do not slow the clients down. */
export async function startS3Process(folder: string): Promise<{ port: number; stop(): Promise<void> }> {
  const child = fork(join(import.meta.dirname, 's3-entry.ts'), [folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
