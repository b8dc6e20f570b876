// `npm run compat -- livekit|npm|wheels|python [--folder F] [--only A,B] [--short]`: runs
// programs of others, unchanged, against the service, where they are too large to be dependencies;
// pulls from the registry of Python wheels.
import { parseArgs } from 'node:util';
import { runLivekit } from './livekit/run.ts';
import { runNpm } from './npm/run.ts';
import { runPython } from './python/run.ts';
import type { Choice } from './table.ts';
import { runWheels } from './wheels/run.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string' }, only: { type: 'string' }, short: { type: 'boolean', default: false } },
});
type Run = (choice: Choice) => Promise<boolean>;
const PROGRAMS: Readonly<Record<string, Run>> = {
  livekit: runLivekit,
  npm: runNpm,
  wheels: runWheels,
  python: runPython,
};
const run = PROGRAMS[positionals[0] ?? ''];
if (run === undefined) {
  console.error(
    `Usage: npm run compat -- ${Object.keys(PROGRAMS).join('|')} [--folder packages] [--only A,B] [--short]`,
  );
  process.exitCode = 2;
} else if (
  !(await run({ folder: values.folder ?? null, only: values.only?.split(',') ?? null, isShort: values.short }))
)
  process.exitCode = 1;
