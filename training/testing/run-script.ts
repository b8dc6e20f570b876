import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs a script of `training/` to its end. */
export const run = (script: string, ...options: string[]) => runWith(process.env, script, ...options);

export async function runWith(env: NodeJS.ProcessEnv, script: string, ...options: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', script), ...options], { env });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  const [status] = (await once(child, 'close')) as [number];
  return { status, ...output };
}
