import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { OWNER_KEY } from '#testbed/service/service.ts';

export type NpmService = { pid: number; baseUrl: string; stop(): Promise<void> };

/**
 * Starts the service as a user does, npm and its shell included, and resolves when it listens.
 * Variables of this machine do not reach the service.
 */
export async function startWithNpm(dataDir: string, env: Record<string, string> = {}): Promise<NpmService> {
  const child = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'ignore', 'pipe'],
    // A separate process group, because npm does not forward every signal.
    detached: true,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOME: process.env['HOME'],
      // A pull in the background would disturb the measurement.
      MODELS_AUTO_PULL: 'off',
      PORT: '0',
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: OWNER_KEY,
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const pid = child.pid!;
  let output = '';
  const exited = once(child, 'exit');
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the service exited:\n${output}`)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const address = /listening on (http:\/\/\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  return {
    pid,
    baseUrl,
    async stop() {
      try {
        process.kill(-pid, 'SIGTERM');
      } catch {
        // The process and its group have ended already.
      }
      await exited;
    },
  };
}
