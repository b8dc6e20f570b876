import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { AppError, serializeError } from '@jyutsing/contracts/errors';
import type { ModelPull, ModelPulls } from '@jyutsing/contracts/model-catalog';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import { formatBytes } from '@jyutsing/engines/runtime/model-files/format-bytes';
import { modelState } from '@jyutsing/engines/runtime/model-files/install';
import { withRequired } from '@jyutsing/engines/runtime/model-files/with-required';
import type { Config } from '#config/config.ts';
import type { PullOrder, PullReport } from './pull-entry.ts';
import type { Logger } from '#telemetry/logger.ts';

const ENTRY = join(import.meta.dirname, 'pull-entry.ts');
/** Shares of the download that are logged. */
const LOGGED_SHARES = [0.25, 0.5, 0.75];

/**
 * Models are used from the next request on, because engines look for their packages every time. A
 * failure is one line in the log. `stop` ends a running pull; the next one resumes it.
 */
export function createModelPulls(
  config: Config,
  engines: EngineRegistry,
  logger: Logger,
): ModelPulls & { stop(): Promise<void> } {
  const { modelsDir } = config.engines;
  let status: ModelPull | null = null;
  let child: ChildProcess | null = null;
  let isStopped = false;

  const start = (...names: readonly [string, ...string[]]): void => {
    const unknown = names.find((name) => engines.packages.every((pack) => pack.name !== name));
    if (unknown !== undefined) throw new AppError('model_not_found', `The engines offer no model "${unknown}".`);
    if (isStopped) throw new AppError('service_unavailable');
    if (isRunning(status)) throw new AppError('conflict', `"${status.name}" is being pulled; wait until it is there.`);
    // The named ones come first: the next request needs them most.
    const packs = withRequired(names, engines.packages);
    const totalBytes = packs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    for (const { name, licence, homepage, sizeBytes } of packs) {
      logger.info({ model: name, licence, homepage, size: formatBytes(sizeBytes) }, 'pulling a model');
    }
    const begun: ModelPull = { name: names[0], state: 'waiting', doneBytes: 0, totalBytes, message: null };
    status = begun;
    const order: PullOrder = { packs, options: { ...config.models, modelsDir } };
    child = startProcess(order, config.workers.environment.dialing, follow(begun));
  };

  /** Keeps the status of a pull up to date. */
  const follow = (begun: ModelPull) => {
    let now = begun;
    const change = (part: Partial<ModelPull>) => {
      now = { ...now, ...part };
      status = now;
    };
    return (report: PullReport) => {
      if (isStopped || !isRunning(now)) return;
      const model = now.name;
      if (report.type === 'failed') {
        change({ state: 'failed', message: report.error.message });
        logger.warn(
          { model, reason: report.error.message },
          `not everything was pulled; try again with: npm run models -- pull ${report.names.join(' ')}`,
        );
      } else if (report.type === 'installed') {
        change({ state: 'installed', doneBytes: now.totalBytes });
        logger.info({ model }, 'the models are installed and used from the next request on');
      } else if ('doneBytes' in report) {
        const { type, doneBytes, totalBytes } = report;
        const before = now.doneBytes / now.totalBytes;
        const share = LOGGED_SHARES.findLast(
          (loggedShare) => before < loggedShare && doneBytes / totalBytes >= loggedShare,
        );
        if (type === 'unpacking' && now.state !== 'unpacking') logger.info({ model }, 'unpacking a model');
        if (type === 'downloading' && share !== undefined) {
          logger.info({ model, percent: share * 100 }, 'downloading a model');
        }
        change({ state: type, doneBytes, totalBytes });
      }
    };
  };

  return {
    isOpenToOwners: config.models.pullOverHttp,
    status: () => status,
    start,
    list: () =>
      Promise.all(
        engines.packages.map(async (pack) => ({ ...pack, state: (await modelState(pack, modelsDir)).state })),
      ),
    async stop() {
      isStopped = true;
      if (child === null || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function isRunning(pull: ModelPull | null): pull is ModelPull {
  return pull !== null && pull.state !== 'installed' && pull.state !== 'failed';
}

function startProcess(
  order: PullOrder,
  env: NodeJS.ProcessEnv,
  report: (report: PullReport) => void,
): ChildProcess {
  const child = fork(ENTRY, { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const names = order.packs.map(({ name }) => name);
  const fail = (message: string) =>
    report({ type: 'failed', names, error: serializeError(new AppError('internal_error', message)) });
  child.on('error', () => fail('The download process could not be started; try again.'));
  child.on('exit', () => fail('The download process ended unexpectedly; pull the model again to resume the download.'));
  child.on('message', report);
  child.send(order, () => {});
  return child;
}
