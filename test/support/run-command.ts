import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { baseEnvironment } from '#testbed/service/environment.ts';

const ROOT = join(import.meta.dirname, '../..');

export type Outcome = { code: number; output: string; errors: string };

/** Runs a file of this repository in a process of its own and waits for its end. */
export function runFile(file: string, args: readonly string[], env: Record<string, string>): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const options = { cwd: ROOT, env: { ...baseEnvironment(), ...env } };
  const child = execFile(process.execPath, [join(ROOT, file), ...args], options, (_, output, errors) =>
    resolve({ code: child.exitCode ?? -1, output, errors }),
  );
  return promise;
}
