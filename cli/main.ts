import { SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), { enginesDir: SHIPPED_ENGINES_DIR });
