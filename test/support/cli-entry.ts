import { run } from '../../cli/run.ts';

// The command line as it is, with the catalogue of an engine that the test wrote.
process.exitCode = await run(process.argv.slice(2), { enginesDir: process.env['TEST_ENGINES_DIR'] ?? '' });
