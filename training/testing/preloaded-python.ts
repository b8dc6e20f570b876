import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Debian's, which is the one that has the packages of training/acoustic/README.md. */
export const PYTHON = '/usr/bin/python3';
const PRELOADED = join(import.meta.dirname, 'preloaded_python.py');

/**
 * Starts a process that has loaded PyTorch. The programs `PYTHON` of `env` run commands in copies
 * of it (preloaded_python.py).
 */
export async function preloadPython(env: NodeJS.ProcessEnv): Promise<{ env: NodeJS.ProcessEnv; end(): Promise<void> }> {
  const socket = join(tmpdir(), `python-${crypto.randomUUID()}`);
  const commands = { ...env, PYTHON: PRELOADED, PRELOADED_PYTHON: socket };
  const server = spawn(PYTHON, [PRELOADED], { env: commands, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  await Promise.race([once(server.stdout, 'data'), exited.then(() => Promise.reject(new Error('Python ended')))]);
  const end = async () => {
    server.stdin.end();
    await exited;
    await rm(socket);
  };
  return { env: commands, end };
}
