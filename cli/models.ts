import type { Command } from 'commander';
import { loadConfig, type Config } from '#server/config/config.ts';
import { AppError } from '@jyutsing/contracts/errors';
import { FALLBACK_RECOGNIZER } from '@jyutsing/contracts/model-catalog';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { loadEngines, type EngineRegistry } from '@jyutsing/engines/registry';
import { formatBytes } from '@jyutsing/engines/runtime/model-files/format-bytes';
import { modelState, pullModel, removeModel, type ModelState } from '@jyutsing/engines/runtime/model-files/install';
import { installedNames, verifyModel } from '@jyutsing/engines/runtime/model-files/manifest';
import { useProxyFromEnvironment } from '@jyutsing/engines/runtime/model-files/proxy';
import { withRequired } from '@jyutsing/engines/runtime/model-files/with-required';
import { requireKnownNames } from './models-names.ts';
import { showProgress } from './models-progress.ts';
import { formatTable, print } from './output.ts';
import { onInterruption } from './signals.ts';

type ModelSettings = Config['models'] & { modelsDir: string };
type ModelContext = { engines: EngineRegistry; packages: readonly ModelPackage[]; settings: ModelSettings };

/**
 * `models list | pull | verify | remove`, for the packages declared by the engines under
 * `enginesDir`.
 */
export function addModelCommands(program: Command, enginesDir: string): void {
  const open = async (): Promise<ModelContext> => {
    const { engines: env, models } = loadConfig();
    const engines = await loadEngines({ enginesDir, env });
    return { engines, packages: engines.packages, settings: { ...models, modelsDir: env.modelsDir } };
  };
  const models = program.command('models').description('Manage downloadable models');

  models
    .command('list')
    .description('list all models of the engines, and whether they are installed')
    .action(async (_options: object, command: Command) => list(await open(), command));

  models
    .command('pull')
    .description('download and install models and what they need; resumes an interrupted download')
    .argument('<model...>', 'names of models, as "list" shows them')
    .option('--accept-change', 'accept a file with another digest than expected')
    .action(async (names: string[], { acceptChange }: { acceptChange?: true }, command: Command) => {
      await pull(await open(), [...new Set(names)], acceptChange === true, command);
    });

  models
    .command('verify')
    .description('compare every file of installed models with its recorded checksum')
    .argument('[model...]', 'names of models; default: all installed models')
    .action(async (names: string[], _options: object, command: Command) => verify(await open(), names, command));

  models
    .command('remove')
    .description('delete installed models')
    .argument('<model...>', 'names of models')
    .action(async (names: string[], _options: object, command: Command) => remove(await open(), names, command));
}

const STATES: Readonly<Record<Exclude<ModelState['state'], 'unfinished'>, string>> = {
  installed: 'yes',
  outdated: 'outdated; pull again',
  damaged: 'damaged; remove and pull again',
  absent: 'no',
};

async function list({ engines, packages, settings }: ModelContext, command: Command): Promise<void> {
  const rows = await Promise.all(
    packages.map(async (pack) => ({
      ...pack,
      quality: engines.describeModels().find(({ name }) => name === pack.name)?.capabilities.languages ?? {},
      ...(await modelState(pack, settings.modelsDir)),
    })),
  );
  const inUse = recognizersInUse(engines);
  const orphans = installedNames(settings.modelsDir).filter((name) => packages.every((pack) => pack.name !== name));
  print(command, { models: rows, not_in_any_catalogue: orphans, recognizers_in_use: inUse }, () => {
    const listed = formatTable(
      ['name', 'for', 'languages and quality', 'size', 'licence', 'installed', 'title'],
      [
        ...rows.map((row) => [
          row.name,
          row.purpose,
          languagesOf(row.languages, row.quality),
          formatBytes(row.sizeBytes),
          row.licence,
          stateOf(row),
          row.title,
        ]),
        ...orphans.map((name) => [name, '', '', '', '', 'yes, but not listed by any engine', '']),
      ],
    );
    const used = Object.entries(inUse).map(([language, model]) => `${language} by ${model}`);
    return `${listed}\n\nRecognized now: ${used.join('; ')}.`;
  });
}

/** "cantonese 94.95,mandarin": the quality is 100 less the error rate in percent. */
function languagesOf(languages: readonly Language[], quality: Partial<Record<Language, number>>): string {
  return (
    languages.map((name) => [name, quality[name]].filter((part) => part !== undefined).join(' ')).join(',') || 'any'
  );
}

function stateOf(row: ModelPackage & ModelState): string {
  // A pull that failed at once leaves an empty file.
  if (row.state === 'absent' || (row.state === 'unfinished' && row.receivedBytes === 0)) {
    return row.firstPulls?.includes('recommended') === true ? 'no; recommended' : STATES.absent;
  }
  if (row.state !== 'unfinished') return STATES[row.state];
  const percent = Math.floor((100 * row.receivedBytes) / row.sizeBytes);
  return `${percent} % downloaded; pull again to resume`;
}

/** The model that recognizes each language now. */
function recognizersInUse(engines: EngineRegistry): Partial<Record<Language, string>> {
  return Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const [best] = engines.selectAll('recognizer', { language });
      if (best === undefined) return [];
      return [[language, best.engine === FALLBACK_RECOGNIZER ? `${best.model}, a fallback` : best.model]];
    }),
  );
}

async function pull(
  { packages, settings }: ModelContext,
  names: readonly string[],
  acceptChange: boolean,
  command: Command,
): Promise<void> {
  requireKnownNames(
    names,
    packages.map(({ name }) => name),
  );
  useProxyFromEnvironment();
  const results: { name: string; outcome: string; message: string }[] = [];
  await untilInterrupted('Stopped. Pull again to resume.', async (signal) => {
    for (const pack of withRequired(names, packages)) {
      const { title, licence, homepage, sizeBytes: size } = pack;
      if ((await modelState(pack, settings.modelsDir)).state !== 'installed')
        process.stderr.write(`${pack.name}: ${title}; ${formatBytes(size)}, ${licence}, ${homepage}\n`);
      const progress = showProgress(pack.name, process.stderr);
      try {
        const onEvent = progress.onEvent;
        const { outcome, sizeBytes } = await pullModel(pack, { ...settings, acceptChange, signal, onEvent });
        const message = `${outcome === 'installed' ? 'installed' : 'is already installed'} (${formatBytes(sizeBytes)})`;
        results.push({ name: pack.name, outcome, message });
      } catch (thrown) {
        // Continue with the other models when one fails.
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

async function verify({ settings }: ModelContext, names: readonly string[], command: Command): Promise<void> {
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

async function remove({ packages, settings }: ModelContext, names: readonly string[], command: Command): Promise<void> {
  requireKnownNames(names, [...packages.map(({ name }) => name), ...installedNames(settings.modelsDir)]);
  const results: { name: string; outcome: string }[] = [];
  await untilInterrupted('Stopped.', async (signal) => {
    for (const name of names) {
      const onWaiting = () => process.stderr.write(`${name}: waiting for another process that uses this model\n`);
      results.push({ name, outcome: await removeModel(settings.modelsDir, name, { signal, onWaiting }) });
    }
  });
  print(command, results, () =>
    results
      .map(({ name, outcome }) => (outcome === 'removed' ? `${name} removed` : `${name}: unfinished download removed`))
      .join('\n'),
  );
}

/** Aborts `work` on Ctrl-C, SIGTERM and SIGHUP, so that a download can be resumed. */
async function untilInterrupted(message: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interruption = new AbortController();
  const listening = onInterruption((reason) => interruption.abort(reason));
  try {
    await work(interruption.signal);
  } catch (thrown) {
    if (!interruption.signal.aborted) throw thrown;
    process.stderr.write(`${message}\n`);
    throw interruption.signal.reason;
  } finally {
    listening[Symbol.dispose]();
  }
}
