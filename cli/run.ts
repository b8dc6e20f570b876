import { Command, CommanderError } from 'commander';
import { ConfigError } from '#server/config/config.ts';
import { AppError } from '@jyutsing/contracts/errors';
import { addAccountCommands } from './accounts.ts';
import { addCorpusCommands } from './corpora.ts';
import { addEngineCommands } from './engines.ts';
import { addKeyCommands } from './keys.ts';
import { addModelCommands } from './models.ts';
import { addUsageCommand } from './usage.ts';
import { addVoiceCommands } from './voices.ts';

/**
 * Runs the command line on the configured database; the service need not be running. Returns the
 * exit code and prints expected errors as one sentence on standard error. Models are those of the
 * engines in `enginesDir`.
 */
export async function run(args: readonly string[], options: { enginesDir: string }): Promise<number> {
  const program = new Command('jyutsing')
    .description('Administers a jyutsing server. Reads the same environment variables as the server.')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .option('--json', 'print JSON instead of tables');
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
    // commander has already printed the error.
    if (thrown instanceof CommanderError) return thrown.exitCode;
    if (!(thrown instanceof AppError) && !(thrown instanceof ConfigError)) throw thrown;
    process.stderr.write(`${thrown.message}\n`);
    return 1;
  }
}
