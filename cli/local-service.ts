import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SERVICE_FLAGS } from '@jyutsing/system/v8-flags';
import { ConfigError } from '#server/config/config.ts';

type LocalService = AsyncDisposable & { baseUrl: string };

const SERVER = join(import.meta.dirname, '../server/main.ts');

/**
 * Starts a service on the configured DATA_DIR for one command, on a free port of this machine. It
 * ends with this process, however that ends. Throws ConfigError with the reason when it cannot
 * start.
 */
export async function startLocalService(): Promise<LocalService> {
  process.stderr.write('Starting the service for this command; `jyutsing serve` keeps it running.\n');
  const child = spawn(process.execPath, [...SERVICE_FLAGS, SERVER, '--for-one-command'], {
    // The service ends when the channel closes.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C is for the command, which cancels its work first.
    detached: true,
    env: {
      ...withoutPorts(process.env),
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
      MODELS_AUTO_PULL: 'off',
    },
  });
  const exited = once(child, 'exit');
  const address = Promise.withResolvers<string>();
  let last = 'The service ended while it started.';
  createInterface({ input: child.stderr! }).on('line', (line) => {
    const found = /^jyutsing listening on (\S+)/.exec(line)?.[1];
    if (found !== undefined) return address.resolve(found);
    last = line;
    // The line is hidden because this service ends with the command: its console cannot be opened.
    if (/^Open http|finishing running work$/.test(line)) return;
    // The key of a new owner among them, which is shown only once.
    process.stderr.write(`${line}\n`);
  });
  void exited.then(() => address.reject(new ConfigError(last)));
  const baseUrl = await address.promise;
  return {
    baseUrl,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** No other program uses this service, and a running one may have these ports. */
function withoutPorts(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { TLS: _1, TLS_CERT_FILE: _2, TLS_KEY_FILE: _3, WYOMING_PORT: _4, METRICS_PORT: _5, ...rest } = environment;
  return rest;
}
