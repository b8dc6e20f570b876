// `npm run compat -- livekit|wheels|python [--folder F]`: runs programs of others, unchanged,
// against the service, where they are too large to be dependencies; pulls from the registry of
// Python wheels.
import { parseArgs } from 'node:util';
import { runLivekit } from './livekit/run.ts';
import { runPython } from './python/run.ts';
import { runWheels } from './wheels/run.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { folder: { type: 'string' } } });
const PROGRAMS: Readonly<Record<string, typeof runLivekit>> = {
  livekit: runLivekit,
  wheels: runWheels,
  python: runPython,
};
const run = PROGRAMS[positionals[0] ?? ''];
if (run === undefined) {
  console.error(`Usage: npm run compat -- ${Object.keys(PROGRAMS).join('|')} [--folder packages]`);
  process.exitCode = 2;
} else if (!(await run(values.folder ?? null))) process.exitCode = 1;
