import { run } from '../../cli/run.ts';

// The command line with the engines of a test.
process.exitCode = await run(process.argv.slice(2), { enginesDir: process.env['TEST_ENGINES_DIR'] ?? '' });
