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
 * Administration on the machine itself: speaks to the database that the environment names, whether the service runs or not.
 * Returns the exit code; what goes wrong on purpose is one sentence on standard error. `enginesDir` is where the catalogues of
 * models are looked for.
 */
export async function run(args: readonly string[], options: { enginesDir: string }): Promise<number> {
  const program = new Command('jyutsing')
    .description('Administration of a jyutsing server. Reads the same environment variables as the server.')
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
    // commander has said what was wrong already.
    if (thrown instanceof CommanderError) return thrown.exitCode;
    if (!(thrown instanceof AppError) && !(thrown instanceof ConfigError)) throw thrown;
    process.stderr.write(`${thrown.message}\n`);
    return 1;
  }
}
