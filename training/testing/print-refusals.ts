// Runs scripts of `training/` without options, one after another in this process, and prints their
// status and errors as JSON: a process for each would load the same modules again, which takes half
// a second. usage: print-refusals.ts SCRIPT ...
import { join } from 'node:path';

class Exit extends Error {
  readonly status: typeof process.exitCode;
  constructor(status: typeof process.exitCode) {
    super(`exit with ${status}`);
    this.status = status;
  }
}

process.exit = (status) => {
  throw new Exit(status ?? 0);
};
const refusals: Record<string, { status: Exit['status']; stderr: string }> = {};
const scripts = process.argv.slice(2);
const write = process.stderr.write;
for (const script of scripts) {
  const path = join(import.meta.dirname, '..', script);
  process.argv = [process.execPath, path];
  let stderr = '';
  process.stderr.write = (text: Uint8Array | string) => (stderr += String(text)) !== '';
  const status = await import(path).then(
    () => process.exitCode,
    (thrown: unknown) => {
      if (thrown instanceof Exit) return thrown.status;
      throw thrown;
    },
  );
  refusals[script] = { status, stderr };
}
process.stderr.write = write;
process.stdout.write(JSON.stringify(refusals));
