import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { FALLBACK_RECOGNIZER, type ModelPull } from '@jyutsing/contracts/model-catalog';
import { formatBytes } from '@jyutsing/engines/runtime/model-files/format-bytes';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import type { Config } from './config/config.ts';
import type { PullOrder, PullReport } from './pull-entry.ts';
import type { Logger } from './telemetry/logger.ts';

const ENTRY = join(import.meta.dirname, 'pull-entry.ts');
/** Shares of the download that are logged. */
const LOGGED_SHARES = [0.25, 0.5, 0.75];

export type AutoPull = {
  /** Null: nothing was pulled since the start. */
  status(): ModelPull | null;
  /** Ends a running pull; the next start resumes it. */
  stop(): Promise<void>;
};

/**
 * Pulls the recommended recognizer in the background when only the fallback recognizes Cantonese.
 * The model is used from the next request on, because engines look for their packages every time. A
 * failure is one line in the log.
 */
export function startAutoPull(config: Config, engines: EngineRegistry, logger: Logger): AutoPull {
  const pack = betterPackage(config, engines);
  if (pack !== null && !config.models.autoPull) {
    logger.info(
      { model: pack.name },
      `the built-in fallback recognizer is in use, which recognizes few people; install the recommended recognizer with: npm run models -- pull ${pack.name}`,
    );
  }
  if (pack === null || !config.models.autoPull) return { status: () => null, stop: async () => {} };
  const { name, licence, homepage, sizeBytes } = pack;
  let status: ModelPull = { name, state: 'waiting', doneBytes: 0, totalBytes: sizeBytes, message: null };
  let isStopped = false;
  logger.info(
    { model: name, licence, homepage, size: formatBytes(sizeBytes) },
    'pulling the recommended Cantonese recognizer; MODELS_AUTO_PULL=off prevents it',
  );
  const fail = (message: string) => {
    if (isStopped || status.state === 'failed' || status.state === 'installed') return;
    status = { ...status, state: 'failed', message };
    logger.warn(
      { model: name, reason: message },
      `the recommended recognizer was not pulled and the built-in fallback stays in use; try again with: npm run models -- pull ${name}`,
    );
  };
  const child = fork(ENTRY, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  child.on('error', () => fail('the process of the download could not be started'));
  child.on('exit', () => fail('the process of the download ended'));
  child.on('message', (report: PullReport) => {
    if (report.type === 'failed') return fail(report.error.message);
    if (report.type === 'installed') {
      status = { ...status, state: 'installed' };
      logger.info({ model: name }, 'the recommended recognizer is installed and used from the next request on');
    } else if ('doneBytes' in report) {
      const { type, doneBytes, totalBytes } = report;
      if (type === 'downloading') logShare(status.doneBytes / totalBytes, doneBytes / totalBytes);
      else if (status.state !== 'unpacking') logger.info({ model: name }, 'unpacking the recommended recognizer');
      status = { ...status, state: type, doneBytes, totalBytes };
    }
  });
  const logShare = (before: number, now: number) => {
    const share = LOGGED_SHARES.findLast((each) => before < each && now >= each);
    if (share !== undefined)
      logger.info({ model: name, percent: share * 100 }, 'downloading the recommended recognizer');
  };
  send(child, {
    pack,
    options: { ...config.models, modelsDir: config.engines.modelsDir },
  });
  return {
    status: () => status,
    async stop() {
      isStopped = true;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The recommended package; null when it is not needed, not chosen or not offered. */
function betterPackage({ stt }: Config, engines: EngineRegistry): ModelPackage | null {
  if (stt.engine !== 'auto') return null;
  const [best] = engines.selectAll('recognizer', { language: 'cantonese' });
  if (best !== undefined && best.engine !== FALLBACK_RECOGNIZER) return null;
  return engines.packages.find(({ isRecommended }) => isRecommended === true) ?? null;
}

function send(child: ChildProcess, order: PullOrder): void {
  child.send(order, () => {});
}
