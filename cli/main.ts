import { SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { run } from './run.ts';

// A program that stops reading, such as `head`, has what it wanted.
process.stdout.on('error', (failure: NodeJS.ErrnoException) => {
  if (failure.code !== 'EPIPE') throw failure;
  process.exit(0);
});

process.exitCode = await run(process.argv.slice(2), { enginesDir: SHIPPED_ENGINES_DIR });
