import http from 'node:http';
import { CommanderError, type Command } from 'commander';
import { loadConfig } from '#server/config/config.ts';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { loadEngines } from '@jyutsing/engines/registry';
import { formatBytes } from '@jyutsing/engines/runtime/model-files/format-bytes';
import { modelState, pullModel, removeModel, type ModelState } from '@jyutsing/engines/runtime/model-files/install';
import { installedNames, verifyModel } from '@jyutsing/engines/runtime/model-files/manifest';
import { requireKnownNames } from './models-names.ts';
import { showProgress } from './models-progress.ts';
import { readModelSettings, type ModelSettings } from './models-settings.ts';
import { formatTable, print } from './output.ts';

type Surroundings = { packages: readonly ModelPackage[]; settings: ModelSettings };

/** `models list | pull | verify | remove`. The catalogues of the engines under `enginesDir` say what there is. */
export function addModelCommands(program: Command, enginesDir: string): void {
  const open = async (): Promise<Surroundings> => {
    const env = loadConfig().engines;
    const { packages } = await loadEngines({ enginesDir, env });
    return { packages, settings: readModelSettings(env) };
  };
  const models = program.command('models').description('Weights that can be downloaded, and those that were');

  models
    .command('list')
    .description('all models that the engines can use, and which of them are installed')
    .action(async (_options: object, command: Command) => list(await open(), command));

  models
    .command('pull')
    .description('download and install models; goes on where an earlier pull stopped')
    .argument('<name...>', 'names of models, as "list" shows them')
    .option(
      '--accept-change',
      'take a file that changed since its first download here (where no checksum is published)',
    )
    .action(async (names: string[], { acceptChange }: { acceptChange?: true }, command: Command) => {
      await pull(await open(), [...new Set(names)], acceptChange === true, command);
    });

  models
    .command('verify')
    .description('read installed models again and compare every file with what was installed')
    .argument('[name...]', 'names of models; none: all that are installed')
    .action(async (names: string[], _options: object, command: Command) => verify(await open(), names, command));

  models
    .command('remove')
    .description('take models off the disk')
    .argument('<name...>', 'names of models')
    .action(async (names: string[], _options: object, command: Command) => remove(await open(), names, command));
}

const STATES: Readonly<Record<ModelState['state'], string>> = {
  installed: 'yes',
  outdated: 'an older one; pull again',
  damaged: 'damaged; remove and pull again',
  unfinished: 'begun; pull again',
  absent: 'no',
};

async function list({ packages, settings }: Surroundings, command: Command): Promise<void> {
  const rows = await Promise.all(
    packages.map(async (pack) => ({ ...pack, ...(await modelState(pack, settings.modelsDir)) })),
  );
  const orphans = installedNames(settings.modelsDir).filter((name) => packages.every((pack) => pack.name !== name));
  print(command, { models: rows, not_in_any_catalogue: orphans }, () =>
    formatTable(
      ['name', 'for', 'languages', 'size', 'licence', 'installed'],
      [
        ...rows.map((row) => [
          row.name,
          row.purpose,
          row.languages.join(',') || 'any',
          formatBytes(row.sizeBytes),
          row.licence,
          STATES[row.state],
        ]),
        ...orphans.map((name) => [name, '', '', '', '', 'yes, but in no catalogue']),
      ],
    ),
  );
}

async function pull(
  { packages, settings }: Surroundings,
  names: readonly string[],
  acceptChange: boolean,
  command: Command,
): Promise<void> {
  requireKnownNames(
    names,
    packages.map(({ name }) => name),
  );
  useProxyOfEnvironment();
  const results: { name: string; outcome: string; message: string }[] = [];
  await untilInterrupted('Stopped. Pull again to go on from here.', async (signal) => {
    for (const pack of packages.filter(({ name }) => names.includes(name))) {
      const progress = showProgress(pack.name, process.stderr);
      try {
        const onEvent = progress.onEvent;
        const { outcome, sizeBytes } = await pullModel(pack, { ...settings, acceptChange, signal, onEvent });
        const message = `${outcome === 'installed' ? 'installed' : 'is installed already'} (${formatBytes(sizeBytes)})`;
        results.push({ name: pack.name, outcome, message });
      } catch (thrown) {
        // One that fails does not keep the others from being pulled.
        if (signal.aborted || !(thrown instanceof AppError)) throw thrown;
        results.push({ name: pack.name, outcome: 'failed', message: thrown.message });
      } finally {
        progress.stop();
      }
      const { name, outcome, message } = results.at(-1) ?? { name: '', outcome: '', message: '' };
      if (outcome === 'failed') process.stderr.write(`${name}: ${message}\n`);
      else if (command.optsWithGlobals<{ json?: boolean }>().json !== true)
        process.stdout.write(`${name} ${message}\n`);
    }
  });
  if (command.optsWithGlobals<{ json?: boolean }>().json === true) print(command, results, () => '');
  const failed = results.filter(({ outcome }) => outcome === 'failed').length;
  if (failed > 0) throw new AppError('conflict', `${failed} of ${results.length} could not be installed.`);
}

async function verify({ settings }: Surroundings, names: readonly string[], command: Command): Promise<void> {
  const installed = installedNames(settings.modelsDir);
  for (const name of names) {
    if (!installed.includes(name)) throw new AppError('not_found', `${name} is not installed.`);
  }
  const results: { name: string; problems: { path: string; problem: string }[] }[] = [];
  await untilInterrupted('Stopped.', async (signal) => {
    for (const name of names.length > 0 ? names : installed) {
      results.push({ name, problems: await verifyModel(settings.modelsDir, name, signal) });
    }
  });
  print(command, results, () =>
    formatTable(
      ['name', 'file', 'state'],
      results.flatMap(({ name, problems }) =>
        problems.length === 0 ? [[name, '', 'good']] : problems.map(({ path, problem }) => [name, path, problem]),
      ),
    ),
  );
  const bad = results.filter(({ problems }) => problems.length > 0).map(({ name }) => name);
  if (bad.length > 0) throw new AppError('conflict', `Damaged: ${bad.join(', ')}. Remove and pull again.`);
}

async function remove({ packages, settings }: Surroundings, names: readonly string[], command: Command): Promise<void> {
  requireKnownNames(names, [...packages.map(({ name }) => name), ...installedNames(settings.modelsDir)]);
  const results: { name: string; outcome: string }[] = [];
  await untilInterrupted('Stopped.', async (signal) => {
    for (const name of names) {
      const onWaiting = () => process.stderr.write(`${name}: another process works on this model; waiting for it\n`);
      results.push({ name, outcome: await removeModel(settings.modelsDir, name, { signal, onWaiting }) });
    }
  });
  print(command, results, () =>
    results
      .map(({ name, outcome }) => (outcome === 'removed' ? `${name} removed` : `${name}: unfinished download removed`))
      .join('\n'),
  );
}

/** Ctrl-C and SIGTERM end the work in order, so that what was downloaded can be gone on with; the exit code is the shell's 130. */
async function untilInterrupted(message: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new CommanderError(130, 'jyutsing.interrupted', message));
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    await work(interruption.signal);
  } catch (thrown) {
    if (!interruption.signal.aborted) throw thrown;
    process.stderr.write(`${message}\n`);
    throw interruption.signal.reason;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Node reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY only when told to. Before 24.14 that takes NODE_USE_ENV_PROXY=1. */
function useProxyOfEnvironment(): void {
  // The types know only newer versions, where it is always there.
  (http.setGlobalProxyFromEnv as typeof http.setGlobalProxyFromEnv | undefined)?.();
}
