#!/usr/bin/env node
// The command `jyutsing`. Plain JavaScript for old Node versions: scripts/run.js finds the required
// Node and runs the command line with it.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [, , ...args] = process.argv;
// packages/system/v8-flags.ts says why; it cannot be read by every Node.
const nodeOptions = args[0] === 'serve' ? ['--max-semi-space-size=8', '--heap-growing-percent=100'] : [];
// Installed, it is called in any folder: the data and the models are those of `npm start`.
process.env.DATA_DIR ||= join(root, 'data');
process.env.MODELS_DIR ||= join(root, 'models-pulled');
process.argv.splice(2, Infinity, ...nodeOptions, join(root, 'cli/main.ts'), ...args);
await import('../scripts/run.js');
