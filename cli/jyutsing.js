#!/usr/bin/env node
// The command `jyutsing`. Plain JavaScript for old Node versions: scripts/run.js finds the required
// Node.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const child = spawn(
  process.execPath,
  [join(root, 'scripts/run.js'), join(root, 'cli/main.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
