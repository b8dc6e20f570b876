import { Command, CommanderError } from 'commander';
import { describeStartFailure } from '#server/start-failure.ts';
import manifest from '../package.json' with { type: 'json' };
import { addAccountCommands } from './accounts.ts';
import { addCorpusCommands } from './corpora.ts';
import { addEngineCommands } from './engines.ts';
import { addKeyCommands } from './keys.ts';
import { addModelCommands } from './models.ts';
import { addUsageCommand } from './usage.ts';
import { addVoiceCommands } from './voices.ts';

/** Exit status for a wrong command, option or argument, as other programs have it. */
const WRONG_USE = 2;

/**
 * Runs the command line on the configured database; the service need not be running. Returns the
 * exit status: 0, 1 (failed) or 2 (wrong use), and prints expected errors as one sentence on
 * standard error. Models are those of the engines in `enginesDir`.
 */
export async function run(args: readonly string[], options: { enginesDir: string }): Promise<number> {
  const program = new Command('jyutsing')
    .description('Starts and administers a jyutsing service. Reads the same environment variables as the server.')
    .version(manifest.version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .option('--json', 'print JSON instead of tables');
  program
    .command('serve')
    .description('start the service; SIGTERM ends it after running work has finished')
    .action(async () => {
      const { serve } = await import('#server/serve.ts');
      await serve();
    });
  addAccountCommands(program);
  addKeyCommands(program);
  addUsageCommand(program);
  addCorpusCommands(program);
  addVoiceCommands(program);
  addEngineCommands(program);
  addModelCommands(program, options.enginesDir);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (thrown) {
    // commander has already printed the error; its status is 1, except for help and interruptions.
    if (thrown instanceof CommanderError) return thrown.exitCode === 1 ? WRONG_USE : thrown.exitCode;
    const sentence = describeStartFailure(thrown);
    if (sentence === null) throw thrown;
    process.stderr.write(`${sentence}\n`);
    return 1;
  }
}
