import { loadConfig } from '#server/config/config.ts';
import { startService } from '#server/service.ts';
import { createLogger } from '#server/telemetry/logger.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';
import { OWNER_KEY } from '#testbed/service/service.ts';

/** `output` is the log so far; `stop` resolves with whether everything ended in order. */
export type ServiceHere = { baseUrl: string; output(): string; stop(): Promise<boolean> };

/**
 * Starts the whole service in this process, on a free port, with worker processes as always: a main
 * process of its own takes two seconds of processor time. What server/serve.ts adds, such as
 * signals and the address, is tested with processes (testbed/service/service.ts).
 * TEST_ENGINES_DIR has other engines.
 */
export async function startServiceHere(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceHere> {
  const settings = { PORT: '0', DATA_DIR: dataDir, BOOTSTRAP_API_KEY: OWNER_KEY, LOG_LEVEL: 'warn', WORKERS: '1' };
  const { TEST_ENGINES_DIR: enginesDir, ...changes } = env;
  const config = loadConfig({ ...baseEnvironment(), ...settings, ...changes });
  let log = '';
  const logger = createLogger(config.logLevel, { write: (line) => void (log += line) });
  return { ...(await startService(config, { enginesDir, logger })), output: () => log };
}
