import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { engineEnvironment } from './engine-environment.ts';

/** Starts a script that prints the URL of its server as its first line, once for each processor. */
export async function startServers(
  script: string,
  args: readonly string[] = [],
): Promise<{ urls: string[] } & Disposable> {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env: engineEnvironment() }),
  );
  const urls = children.map(async ({ stdout }) => {
    const [line] = (await once(stdout, 'data')) as [Buffer];
    return line.toString().trim();
  });
  return {
    urls: await Promise.all(urls),
    [Symbol.dispose]: () => children.forEach((child) => child.kill()),
  };
}
