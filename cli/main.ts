import { SHIPPED_ENGINES_DIR } from '#engines/registry.ts';
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), { enginesDir: SHIPPED_ENGINES_DIR });
