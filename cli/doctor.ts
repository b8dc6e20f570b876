import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { stdout } from 'node:process';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import { FALLBACK_NATURE, FALLBACK_RECOGNIZER, RECOMMENDED_RECOGNIZER } from '@jyutsing/contracts/model-catalog';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { loadConfig, type Config } from '#server/config/config.ts';
import { describeDoubts } from '#server/config/doubtful-settings.ts';
import { loadPlans } from '#server/wiring/load-plans.ts';
import { localAddressOf } from '#server/process/service-address.ts';
import { describeStartFailure } from '#server/process/start-failure.ts';
import { openConfiguredStore } from './open-store.ts';
import { print } from './output.ts';
import { findRunning, isTrusted } from './running-service.ts';

type State = 'ok' | 'warning' | 'problem';
/** `advice`: what to do; null when there is nothing to do. */
type Finding = { check: string; state: State; detail: string; advice: string | null };
type Result = Omit<Finding, 'check'>;

const GIB = 1_024 ** 3;
/** Recordings, models and the database need about this much to begin with. */
const ENOUGH_DISK_BYTES = 2 * GIB;

/** `doctor`. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check the installation, the configuration, the database, the disk, the port and the models')
    .action(async (_options: object, command: Command) => {
      const findings: Finding[] = [];
      for await (const finding of examine()) findings.push(finding);
      print(command, findings, () => findings.map(describe).join('\n'));
      if (findings.some(({ state }) => state === 'problem')) process.exitCode = 1;
    });
}

async function* examine(): AsyncGenerator<Finding> {
  yield { check: 'Node', ...ok(`${process.version} on ${process.platform}-${process.arch}`) };
  yield await check('native modules', checkModules);
  let config: Config | null = null;
  yield await check('configuration', async () => {
    config = loadConfig();
    await loadPlans(config.plansFile);
    const [doubt] = describeDoubts(config);
    return doubt === undefined ? ok('valid') : warning(doubt, 'Correct or remove the variable.');
  });
  if (config === null) return;
  const loaded: Config = config;
  yield await check('DATA_DIR', () => checkDataDir(loaded.dataDir));
  yield await check('disk', () => checkDisk(loaded));
  yield await check('database', () => checkDatabase(loaded));
  yield await check('port', () => checkPort(loaded));
  yield await check('models', () => checkModels(loaded));
}

const ok = (detail: string): Result => ({ state: 'ok', detail, advice: null });
const warning = (detail: string, advice: string): Result => ({ state: 'warning', detail, advice });
const problem = (detail: string, advice: string): Result => ({ state: 'problem', detail, advice });

async function check(name: string, examineIt: () => Promise<Result>): Promise<Finding> {
  try {
    return { check: name, ...(await examineIt()) };
  } catch (thrown) {
    const sentence = describeStartFailure(thrown) ?? (thrown instanceof Error ? thrown.message : String(thrown));
    return { check: name, ...problem(sentence, 'Change what the sentence names, and run this again.') };
  }
}

async function checkModules(): Promise<Result> {
  const failed: string[] = [];
  for (const name of ['better-sqlite3', 'node-av', 'sherpa-onnx-node']) {
    await import(name).catch(() => failed.push(name));
  }
  if (failed.length === 0) return ok('better-sqlite3, node-av and sherpa-onnx-node load');
  return problem(`${failed.join(' and ')} cannot be loaded`, 'Run `npm ci` in the folder of the repository.');
}

/** The folder is made at the first start, so the nearest one that exists decides. */
async function checkDataDir(path: string): Promise<Result> {
  let nearest = resolve(path);
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    await access(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return problem(`${nearest} cannot be written`, 'Set DATA_DIR to a folder of this user.');
  }
  return ok(nearest === resolve(path) ? path : `${path} will be made at the first start`);
}

async function checkDisk({ dataDir, http }: Config): Promise<Result> {
  let path = resolve(dataDir);
  while (!existsSync(path)) path = dirname(path);
  const { bavail, bsize } = await statfs(path);
  const freeBytes = bavail * bsize;
  const detail = `${(freeBytes / GIB).toFixed(1)} GiB free`;
  if (freeBytes < http.diskReserveBytes) {
    return problem(`${detail}, less than DISK_RESERVE_MIB: uploads are refused`, 'Free space, or move DATA_DIR.');
  }
  if (freeBytes < ENOUGH_DISK_BYTES) return warning(detail, 'Free space before long recordings or models.');
  return ok(detail);
}

async function checkDatabase(config: Config): Promise<Result> {
  if (config.databaseUrl === null && !existsSync(resolve(config.dataDir, 'jyutsing.db'))) {
    return ok('SQLite, made at the first start');
  }
  const store = await openConfiguredStore(config);
  try {
    await store.check();
    const accounts = await store.accounts.list();
    return ok(`${store.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, accounts: ${accounts.length}`);
  } finally {
    await store.close();
  }
}

async function checkPort(config: Config): Promise<Result> {
  const { host, port } = config;
  const running = await findRunning(config);
  const [found, ...furtherServices] = running.filter(isTrusted);
  if (found !== undefined) {
    const configured = localAddressOf(config);
    const answers = `a service answers at ${found.baseUrl}`;
    const also =
      furtherServices.length === 0 ? '' : `; others at ${furtherServices.map(({ baseUrl }) => baseUrl).join(', ')}`;
    // Port 0 selects a free one.
    if (found.baseUrl === configured || port === 0) return ok(answers + also);
    return ok(`${answers}, started with another HOST, PORT or TLS than this configuration (${configured})${also}`);
  }
  const [distrusted] = running;
  if (distrusted !== undefined) {
    const detail = `an https service answers at ${distrusted.baseUrl}, but its certificate is not trusted: ${distrusted.distrust}`;
    return warning(detail, 'Use --url with a name of the certificate, and NODE_EXTRA_CA_CERTS for an own authority.');
  }
  const failure = await new Promise<NodeJS.ErrnoException | null>((settle) => {
    const probe = createServer()
      .once('error', settle)
      .listen({ host, port }, () => probe.close(() => settle(null)));
  });
  if (failure === null) return ok(`${port} of ${host} is free; start the service with \`jyutsing serve\``);
  const reason = describeStartFailure(Object.assign(failure, { syscall: 'listen' }), config) ?? failure.message;
  return problem(reason, 'Set HOST and PORT.');
}

async function checkModels(config: Config): Promise<Result> {
  const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env: config.engines });
  const broken = registry.broken.map(({ name, reason }) => `${name}: ${reason}`);
  if (broken.length > 0) return problem(broken.join('; '), 'Run `npm ci` in the folder of the repository.');
  const available = registry.describeModels().filter((model) => model.available);
  const namesOf = (ability: string) => available.filter((model) => model.ability === ability).map(({ name }) => name);
  const recognizers = namesOf('recognizer');
  const detail = `recognizers: ${recognizers.join(', ')}; synthesizers: ${namesOf('synthesizer').join(', ')}`;
  if (recognizers.every((name) => name === FALLBACK_RECOGNIZER)) {
    return warning(
      `${detail}; this is ${FALLBACK_NATURE}`,
      `Run \`jyutsing models pull ${RECOMMENDED_RECOGNIZER}\` (163 MB), or set STT_BASE_URL.`,
    );
  }
  return ok(detail);
}

const MARKS = { ok: ['✓', 'green'], warning: ['!', 'yellow'], problem: ['✗', 'red'] } as const;

function describe({ check: name, state, detail, advice }: Finding): string {
  const [mark, colour] = MARKS[state];
  const line = `${styleText(colour, mark, { stream: stdout })} ${name}: ${detail}`;
  return advice === null ? line : `${line}\n    ${advice}`;
}
