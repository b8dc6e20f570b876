import { Command, CommanderError } from 'commander';
import { describeStartFailure } from '#server/process/start-failure.ts';
import manifest from '../package.json' with { type: 'json' };
import { JyutsingError } from '@jyutsing/client';
import { addAccountCommands } from './accounts.ts';
import { checkConnectionOptions } from './check-connection-options.ts';
import { addCompletionCommand } from './completion.ts';
import { addConnectionOptions } from './connection.ts';
import { addCorpusCommands } from './corpora.ts';
import { describeRefusal, nameOptions } from './describe-refusal.ts';
import { terminalText } from './terminal-text.ts';
import { addDoctorCommand } from './doctor.ts';
import { addEngineCommands } from './engines.ts';
import { addKeyCommands } from './keys.ts';
import { addListenCommand } from './listen.ts';
import { addMcpCommand } from './mcp.ts';
import { addMigrateCommand } from './migrate.ts';
import { addModelCommands } from './models.ts';
import { addAlignCommand } from './align.ts';
import { addScoreCommand } from './score.ts';
import { addSearchCommand } from './search.ts';
import { Interrupted } from './signals.ts';
import { addSpeakCommand } from './speak.ts';
import { addSummarizeCommand } from './summarize.ts';
import { addTranscribeCommand } from './transcribe.ts';
import { addUsageCommand } from './usage.ts';
import { addVoiceCommands } from './voices.ts';
import { addWatchCommand } from './watch.ts';

/** Exit status for a wrong command, option or argument, as other programs have it. */
const WRONG_USE = 2;

/**
 * Runs the command line. Administration works on the configured database, whether the service runs
 * or not. Returns the exit status: 0, 1 (failed), 2 (wrong use) or 128 and the number of the signal
 * that interrupted it, and prints expected errors as one sentence on standard error. Models are
 * those of the engines in `enginesDir`.
 */
export async function run(args: readonly string[], options: { enginesDir: string }): Promise<number> {
  let running: Command | null = null;
  const program = new Command('jyutsing')
    .description(
      'Transcribes, speaks, scores and summarizes with a jyutsing service, and administers one. Reads the same environment variables as the server.',
    )
    .version(manifest.version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .option('--json', 'print JSON instead of tables')
    .hook('preAction', (_, command) => {
      running = command;
      checkConnectionOptions(command);
    });
  addConnectionOptions(program);
  addTranscribeCommand(program);
  addWatchCommand(program);
  addSpeakCommand(program);
  addScoreCommand(program);
  addAlignCommand(program);
  addSummarizeCommand(program);
  addSearchCommand(program);
  addListenCommand(program);
  addMcpCommand(program);
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
  addDoctorCommand(program);
  addMigrateCommand(program);
  addCompletionCommand(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    // Commands with several parts set it when some of them failed.
    return Number(process.exitCode ?? 0);
  } catch (thrown) {
    // commander has already printed the error; its status is 1, except for help and interruptions.
    if (thrown instanceof CommanderError) return thrown.exitCode === 1 ? WRONG_USE : thrown.exitCode;
    if (thrown instanceof Interrupted) return thrown.status;
    const command = running ?? program;
    const sentence = thrown instanceof JyutsingError ? describeRefusal(thrown, command) : describeStartFailure(thrown);
    if (sentence === null) throw thrown;
    process.stderr.write(`${terminalText(nameOptions(sentence, command))}\n`);
    return 1;
  }
}
