import { vi } from 'vitest';
import { SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { run } from '../../cli/run.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';
import type { Outcome } from './run-command.ts';

/**
 * Runs the command line in this process: a process of its own takes half a second of processor
 * time. It sees the base environment with `env`, and relative paths begin in `folder`. Runs must
 * not overlap. What cli/main.ts adds is tested with processes. TEST_ENGINES_DIR has other engines.
 */
export async function runCommandHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  folder = process.cwd(),
): Promise<Outcome> {
  const before = { env: process.env, exitCode: process.exitCode, folder: process.cwd() };
  process.env = { ...baseEnvironment(), ...env };
  process.exitCode = undefined;
  process.chdir(folder);
  const [output, errors] = [captureWrites(process.stdout), captureWrites(process.stderr)];
  try {
    const code = await run(args, { enginesDir: env['TEST_ENGINES_DIR'] ?? SHIPPED_ENGINES_DIR });
    return { code, output: output.text(), errors: errors.text() };
  } finally {
    output.restore();
    errors.restore();
    process.chdir(before.folder);
    process.env = before.env;
    process.exitCode = before.exitCode;
  }
}

/** Keeps what is written to a stream instead of printing it. */
function captureWrites(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const written: Buffer[] = [];
  const write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
    written.push(Buffer.from(chunk as string));
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
  const spy = vi.spyOn(stream, 'write').mockImplementation(write as typeof stream.write);
  return { text: () => Buffer.concat(written).toString(), restore: () => spy.mockRestore() };
}
