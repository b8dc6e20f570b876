// `npm run compat -- livekit [--folder F]`: runs programs of others, unchanged, against the
// service, where they are too large to be dependencies.
import { parseArgs } from 'node:util';
import { runLivekit } from './livekit/run.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { folder: { type: 'string' } } });
const PROGRAMS: Readonly<Record<string, typeof runLivekit>> = { livekit: runLivekit };
const run = PROGRAMS[positionals[0] ?? ''];
if (run === undefined) {
  console.error(`Usage: npm run compat -- ${Object.keys(PROGRAMS).join('|')} [--folder installed-packages]`);
  process.exitCode = 2;
} else if (!(await run(values.folder ?? null))) process.exitCode = 1;
